import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jsonOf } from "../../kit/answer.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../../kit/browser.ts";
import { BAKERY } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import { type MailServer, startMailServer, tokenIn } from "../../kit/mailServer.ts";
import type { MakeWorld } from "../../kit/world.ts";

let server: MailServer;
let service: InProcess;
let count = 0;
const newEmail = () => `address-${++count}@fabel.example`;
const browser = () => new Browser(service.app, { origin: PUBLIC });

async function entered(): Promise<{ email: string; visitor: Browser }> {
  const [email, visitor] = [newEmail(), browser()];
  await visitor.post("/account/sign-up", { email, password: PASSWORD });
  const [mail] = await server.to(email);
  await visitor.post("/account/confirm", { token: mail && tokenIn(mail), password: PASSWORD });
  return { email, visitor };
}

const ask = (visitor: Browser, email: string, password = PASSWORD) =>
  visitor.ask("POST", "/account/email", { email, password });
const confirm = (token: string, password = PASSWORD) =>
  browser().ask("POST", "/account/email/confirm", { token, password });
const signIn = (email: string) => browser().ask("POST", "/account/sign-in", { email, password: PASSWORD });

/** Changing an account's address, and exporting its data. */
export function emails(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    server = await startMailServer();
    const environment = { SIGNUP: "open", SMTP_URL: server.url, ...BEHIND_PROXY };
    service = await composeInProcess(await makeWorld({ environment }));
  });
  beforeEach(() => service.setClock(NOON));

  describe("a change of address", () => {
    it("requires the password, a link sent once to the new address, and the password again there; the old address is notified", async () => {
      const [{ email, visitor }, next] = [await entered(), newEmail()];
      expectError(await ask(visitor, next, "een fout woord"), "FORBIDDEN");
      expectError(await ask(visitor, "no address"), "INVALID_REQUEST");
      expectError(await ask(visitor, email), "INVALID_REQUEST");
      const answer = await ask(visitor, next.toUpperCase());
      expect([answer.status, jsonOf(answer)]).toEqual([202, { next: "confirm" }]);
      const [mail] = await server.to(next);
      if (mail === undefined) throw new Error("no mail");
      expect(mail.text).toContain(`${PUBLIC}/#email=`);
      expect((await signIn(email)).status).toBe(200);
      expectError(await confirm(tokenIn(mail), "een fout woord"), "FORBIDDEN");
      const answers = await Promise.all([1, 2, 3].map(() => confirm(tokenIn(mail))));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 403, 403]);
      expectError(await signIn(email), "UNAUTHORIZED");
      expect((await signIn(next)).status).toBe(200);
      const [, notification] = await server.to(email, 2);
      expect(notification?.subject).toBe("Opzoek: The address of your account was changed");
      expect(notification?.text).not.toContain(next);
      // Sessions stay signed in.
      expect((await visitor.ask("GET", "/account/keys")).status).toBe(200);
    });

    it("answers the same for a taken address, notifies its owner, and sends no link", async () => {
      const [{ visitor }, owner] = [await entered(), await entered()];
      const [free, taken] = [await ask(visitor, newEmail()), await ask(visitor, owner.email)];
      expect([taken.status, taken.text]).toEqual([free.status, free.text]);
      const [, mail] = await server.to(owner.email, 2);
      expect(mail?.subject).toBe("Opzoek: This address already has an account");
      expect(mail?.text).not.toContain("#");
    });

    it("expires after an hour, after a new password, and when someone else has taken the address meanwhile", async () => {
      const { visitor } = await entered();
      const [late, voided, taken] = [newEmail(), newEmail(), newEmail()];
      const linkOf = async (email: string) => {
        expect((await ask(visitor, email)).status).toBe(202);
        const [mail] = await server.to(email);
        return mail === undefined ? "" : tokenIn(mail);
      };
      const lateLink = await linkOf(late);
      service.setClock(NOON + 3_600_000);
      expectError(await confirm(lateLink), "FORBIDDEN");
      service.setClock(NOON);
      const takenLink = await linkOf(taken);
      await service.accounts.create(taken, "free");
      expectError(await confirm(takenLink), "FORBIDDEN");
      const voidedLink = await linkOf(voided);
      const newPassword = "een heel ander woord";
      await visitor.post("/account/password", { oldPassword: PASSWORD, newPassword });
      expectError(await confirm(voidedLink, newPassword), "FORBIDDEN");
      for (const token of ["x", "x".repeat(43)]) expectError(await confirm(token), "FORBIDDEN");
    });

    it("can be requested five times a day, including concurrently, and not while suspended", async () => {
      const { visitor } = await entered();
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(visitor, newEmail())));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
      const other = await entered();
      const found = (await service.accounts.list()).find(({ email }) => email === other.email);
      await service.accounts.setSuspended(found?.id ?? "", true);
      expectError(await ask(other.visitor, newEmail()), "INVALID_REQUEST");
    });
  });

  describe("the data export", () => {
    it("has account, keys, usage, sessions and requests, and no secret or hash", async () => {
      const { email, visitor } = await entered();
      const { key, id } = await visitor.post<{ key: string; id: string }>("/account/first-key");
      await visitor.ask("GET", `/v1/lookup/${BAKERY}`, undefined, { authorization: `Bearer ${key}` });
      await visitor.post("/account/try", { method: "GET", path: `/v1/lookup/${BAKERY}` });
      await visitor.post("/account/plans/request", { tier: "pro" });
      const answer = await visitor.ask("GET", "/account/export");
      expect(answer.headers["content-disposition"]).toBe('attachment; filename="opzoek-account.json"');
      expect(jsonOf(answer)).toMatchObject({
        account: { email, tier: "free", isSuspended: false },
        twoFactor: { isOn: false },
        keys: [{ id, name: "first key", lastFour: key.slice(-4) }],
        usage: [
          { day: "2026-03-15", operation: "lookup", tokens: 1 },
          { day: "2026-03-15", operation: "lookup", tokens: 1 },
        ],
        sessions: [{ client: "Fabelbrowser/1.0" }],
        planRequests: [{ tier: "pro" }],
      });
      expect(
        (jsonOf(answer) as { usage: { keyName?: string }[] }).usage.map(({ keyName }) => keyName),
      ).toContain("this page");
      const state = service.state.people;
      const person = await state.personByEmail(email);
      for (const hidden of [
        "argon2",
        "hash",
        key,
        visitor.cookie?.split("=")[1] ?? "?",
        person?.passwordHash ?? "?",
      ])
        expect(answer.text.toLowerCase()).not.toContain(hidden.toLowerCase());
      for (let time = 1; time < 10; time++)
        expect((await visitor.ask("GET", "/account/export")).status).toBe(200);
      expectError(await visitor.ask("GET", "/account/export"), "RATE_LIMIT_EXCEEDED");
    });
  });
}
