/**
 * With a mail server: addresses are confirmed, passwords reset, and responses do not reveal whether an account exists.
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SessionState } from "../../src/contract/accountResources.ts";
import { jsonOf } from "../kit/answer.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../kit/browser.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { type MailServer, startMailServer, tokenIn } from "../kit/mailServer.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const NEW_PASSWORD = "een heel ander woord";
let server: MailServer;
let service: InProcess;
let count = 0;
const newEmail = () => `mail-${++count}@fabel.example`;
const browser = () => new Browser(service.app, { origin: PUBLIC });

beforeAll(async () => {
  server = await startMailServer();
  const environment = { SIGNUP: "open", SMTP_URL: server.url, ...BEHIND_PROXY };
  service = await composeInProcess(await makeWorld({ environment }));
});
beforeEach(() => {
  server.fail(undefined);
  service.setClock(NOON);
});

async function confirmed(): Promise<{ email: string; visitor: Browser }> {
  const [email, visitor] = [newEmail(), browser()];
  await visitor.post("/account/sign-up", { email, password: PASSWORD, language: "nl" });
  const [mail] = await server.to(email);
  await visitor.post("/account/confirm", { token: mail && tokenIn(mail), password: PASSWORD });
  return { email, visitor };
}

describe("signing up", () => {
  it("creates the account when the link is opened and the password entered", async () => {
    const [email, visitor] = [newEmail(), browser()];
    const response = await visitor.ask("POST", "/account/sign-up", { email, password: PASSWORD });
    expect([response.status, jsonOf(response)]).toEqual([202, { next: "confirm" }]);
    expectError(await visitor.ask("POST", "/account/sign-in", { email, password: PASSWORD }), "UNAUTHORIZED");
    expect(await service.accounts.list()).not.toContainEqual(expect.objectContaining({ email }));
    const [mail] = await server.to(email);
    if (mail === undefined) throw new Error("no mail");
    expect(mail).toMatchObject({
      from: "opzoek@registry.fabel.example",
      to: [email],
      subject: "Opzoek: Confirm your address",
    });
    expect(mail.text).toContain(`${PUBLIC}/#confirm=`);
    expect(mail.raw).toMatch(/^Content-Type: text\/plain/m);
    expect(mail.raw).not.toMatch(/html/i);
    const token = tokenIn(mail);

    const owner = browser();
    expectError(
      await owner.ask("POST", "/account/confirm", { token, password: "niet het goede woord" }),
      "FORBIDDEN",
    );
    const state = await owner.post<SessionState>("/account/confirm", { token, password: PASSWORD });
    expect(state.person).toMatchObject({ email, tier: "free", mayTakeFirstKey: true });
    expectError(await owner.ask("POST", "/account/confirm", { token, password: PASSWORD }), "FORBIDDEN");
    await visitor.post("/account/sign-in", { email, password: PASSWORD });
  });

  it("answers the same for a taken address, and mails its owner in the owner's language", async () => {
    const { email } = await confirmed();
    const free = await browser().ask("POST", "/account/sign-up", { email: newEmail(), password: PASSWORD });
    const taken = await browser().ask("POST", "/account/sign-up", {
      email,
      password: NEW_PASSWORD,
      language: "nl",
    });
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
    const [, mail] = await server.to(email, 2);
    expect(mail?.subject).toBe("Opzoek: U hebt al een account");
    expect(mail?.text).toContain(PUBLIC);
    expect(mail?.text).not.toContain("#");
    expectError(
      await browser().ask("POST", "/account/sign-in", { email, password: NEW_PASSWORD }),
      "UNAUTHORIZED",
    );
  });

  it("links to PUBLIC_URL regardless of the request's host", async () => {
    const email = newEmail();
    const evil = { host: "evil.example", "x-forwarded-host": "evil.example" };
    expect(
      (await browser().ask("POST", "/account/sign-up", { email, password: PASSWORD }, evil)).status,
    ).toBe(202);
    const [mail] = await server.to(email);
    expect(mail?.raw).not.toContain("evil.example");
    expect(mail?.text).toContain(`${PUBLIC}/#confirm=`);
  });

  it("must be confirmed within a day", async () => {
    const email = newEmail();
    await browser().post("/account/sign-up", { email, password: PASSWORD });
    const [mail] = await server.to(email);
    service.setClock(NOON + 24 * 3_600_000);
    const token = mail && tokenIn(mail);
    expectError(await browser().ask("POST", "/account/confirm", { token, password: PASSWORD }), "FORBIDDEN");
  });

  it("creates one account from two links for one address, and from one link opened many times", async () => {
    const email = newEmail();
    for (let time = 0; time < 2; time++)
      await browser().post("/account/sign-up", { email, password: PASSWORD });
    const tokens = (await server.to(email, 2)).map(tokenIn);
    const answers = await Promise.all(
      [...tokens, ...tokens, ...tokens].map((token) =>
        browser().ask("POST", "/account/confirm", { token, password: PASSWORD }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await service.accounts.list()).filter((account) => account.email === email)).toHaveLength(1);
  });

  it("sends at most five mails an hour to one address, without revealing the limit", async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 9 }, () =>
        browser().ask("POST", "/account/sign-up", { email, password: PASSWORD }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await server.to(email, 5);
    const last = newEmail();
    await browser().post("/account/sign-up", { email: last, password: PASSWORD });
    await server.to(last);
    expect(await server.to(email)).toHaveLength(5);
  });
});

describe("a forgotten password", () => {
  it("is reset by a link once, which ends every session and the lockout after failed attempts", async () => {
    const { email, visitor } = await confirmed();
    for (let time = 0; time < 11; time++) {
      await browser().ask("POST", "/account/sign-in", { email, password: "een fout woord" });
    }
    const response = await browser().ask("POST", "/account/password/reset-request", {
      email: email.toUpperCase(),
    });
    expect([response.status, jsonOf(response)]).toEqual([202, { next: "mail" }]);
    const [, mail] = await server.to(email, 2);
    if (mail === undefined) throw new Error("no mail");
    expect(mail.subject).toBe("Opzoek: Stel een nieuw wachtwoord in");
    expect(mail.text).toContain(`${PUBLIC}/#reset=`);
    const reset = (password: string) =>
      browser().ask("POST", "/account/password/reset", { token: tokenIn(mail), password });
    expectError(await reset("password12345"), "INVALID_REQUEST");
    const answers = await Promise.all([reset(NEW_PASSWORD), reset(NEW_PASSWORD), reset(NEW_PASSWORD)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403, 403]);
    expectError(await visitor.ask("GET", "/account/keys"), "UNAUTHORIZED");
    expectError(
      await browser().ask("POST", "/account/sign-in", { email, password: PASSWORD }),
      "UNAUTHORIZED",
    );
    await browser().post("/account/sign-in", { email, password: NEW_PASSWORD });
    const mails = await server.to(email, 3);
    expect(mails.at(-1)?.subject).toBe("Opzoek: Uw wachtwoord is gewijzigd");
  });

  it("can be reset by mail regardless of strangers: their sign-ups and wrong passwords do not count against the address", async () => {
    const { email } = await confirmed();
    for (let time = 0; time < 8; time++) {
      await browser().post("/account/sign-up", { email, password: "van een vreemde" });
      await browser().ask("POST", "/account/sign-in", { email, password: "een fout woord" });
    }
    await browser().post("/account/password/reset-request", { email });
    const resets = async () =>
      (await server.to(email)).filter(({ subject }) => subject === "Opzoek: Stel een nieuw wachtwoord in");
    await until("the mail with the link arrives", async () => (await resets()).length === 1);
  });

  it("does not reveal whether the address has an account", async () => {
    const { email } = await confirmed();
    const stranger = newEmail();
    const ask = (address: string) =>
      browser().ask("POST", "/account/password/reset-request", { email: address });
    const [known, unknown, none] = [await ask(email), await ask(stranger), await ask("no address")];
    for (const answer of [unknown, none])
      expect([answer.status, answer.text]).toEqual([known.status, known.text]);
    await server.to(email, 2);
    expect(server.mails.filter(({ to }) => to.includes(stranger))).toEqual([]);
  });

  it("requires a link that is unused, unaltered and made for this purpose", async () => {
    const email = newEmail();
    await browser().post("/account/sign-up", { email, password: PASSWORD });
    const [mail] = await server.to(email);
    for (const token of [mail && tokenIn(mail), "x".repeat(43), "x", `${"x".repeat(43)}'--`]) {
      expectError(
        await browser().ask("POST", "/account/password/reset", { token, password: NEW_PASSWORD }),
        "FORBIDDEN",
      );
    }
  });
});

describe("a mail server that", () => {
  it("does not respond delays no request", async () => {
    server.fail("silence");
    const startedMs = performance.now();
    expect(
      (await browser().ask("POST", "/account/sign-up", { email: newEmail(), password: PASSWORD })).status,
    ).toBe(202);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it("refuses temporarily is retried with a new link, and one that refuses permanently is not", async () => {
    const [later, never] = [newEmail(), newEmail()];
    const signUp = (email: string) => browser().post("/account/sign-up", { email, password: PASSWORD });
    server.fail(550);
    await signUp(never);
    await until("the mail is refused", () => server.refused.some(({ to }) => to.includes(never)));
    server.fail(451);
    await signUp(later);
    await until("the mail is temporarily refused", () => server.refused.some(({ to }) => to.includes(later)));
    server.fail(undefined);
    let nowMs = NOON;
    await until("the mail is sent after the delay", () => {
      nowMs += 1_000;
      service.setClock(nowMs);
      return server.mails.some(({ to }) => to.includes(later));
    });
    const [mail] = await server.to(later);
    const [earlier] = server.refused.filter(({ to }) => to.includes(later)).map(tokenIn);
    const confirm = (token: string | undefined) =>
      browser().ask("POST", "/account/confirm", { token, password: PASSWORD });
    expectError(await confirm(earlier), "FORBIDDEN");
    expect((await confirm(mail && tokenIn(mail))).status).toBe(200);
    expect(server.mails.filter(({ to }) => to.includes(never))).toEqual([]);
  });
});
