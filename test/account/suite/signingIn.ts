import { beforeAll, describe, expect, it } from "vitest";
import type { AccountUsage } from "../../../src/contract/accountResources.ts";
import { jsonOf } from "../../kit/answer.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC, sendInGroups } from "../../kit/browser.ts";
import { BAKERY } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import type { MakeWorld } from "../../kit/world.ts";

let open: InProcess;
let count = 0;
const DAY_MS = 24 * 3_600_000;
const newEmail = () => `person-${++count}@fabel.example`;
const browser = (service: InProcess, address?: string) =>
  new Browser(service.app, { origin: PUBLIC, ...(address !== undefined && { address }) });

/** Signing in with right and wrong passwords, and deleting the account. */
export function signingIn(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    open = await composeInProcess(await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } }));
  });

  describe("signing in", () => {
    it("is refused identically for an unknown address, a wrong password and an invalid address", async () => {
      const email = newEmail();
      await browser(open).enter(email);
      await open.accounts.create("no-password@fabel.example", "free");
      const bodies = [
        { email, password: "niet het goede woord" },
        { email: newEmail(), password: PASSWORD },
        { email: "no-password@fabel.example", password: PASSWORD },
        { email: "no address", password: PASSWORD },
      ];
      const answers = await Promise.all(
        bodies.map((body) => browser(open).ask("POST", "/account/sign-in", body)),
      );
      for (const answer of answers) {
        expectError(answer, "UNAUTHORIZED");
        expect(answer.text).toBe(answers[0]?.text);
        expect(answer.headers["set-cookie"]).toBeUndefined();
      }
    });

    it("allows an exact number of wrong passwords per account, also concurrently, whether or not the account exists", async () => {
      const email = newEmail();
      await browser(open).enter(email);
      for (const candidate of [email, newEmail()]) {
        const answers = await sendInGroups(40, () =>
          browser(open).ask("POST", "/account/sign-in", { email: candidate, password: "een fout woord" }),
        );
        expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
        const refused = answers.filter(({ status }) => status === 429);
        expect(refused).toHaveLength(30);
        for (const answer of refused) {
          expectError(answer, "RATE_LIMIT_EXCEEDED");
          expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
          expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(900);
        }
      }
      expectError(
        await browser(open).ask("POST", "/account/sign-in", { email, password: PASSWORD }),
        "RATE_LIMIT_EXCEEDED",
      );
      open.setClock(NOON + 15 * 60_000);
      await browser(open).post("/account/sign-in", { email, password: PASSWORD });
      open.setClock(NOON);
    });

    it("allows an exact number of wrong passwords per client address over all accounts; right ones do not count", async () => {
      const email = newEmail();
      await browser(open).enter(email);
      const from = "10.99.0.2";
      for (let time = 0; time < 40; time++) {
        await browser(open, from).post("/account/sign-in", { email, password: PASSWORD });
      }
      const answers = await sendInGroups(45, () =>
        browser(open, from).ask("POST", "/account/sign-in", {
          email: newEmail(),
          password: "een fout woord",
        }),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
      expectError(
        await browser(open, from).ask("POST", "/account/sign-in", { email, password: PASSWORD }),
        "RATE_LIMIT_EXCEEDED",
      );
      for (let time = 0; time < 12; time++) {
        await browser(open, from).ask("POST", "/account/sign-in", { email, password: "een fout woord" });
      }
      // The account still has attempts left: attempts from a refused address did not count against it.
      await browser(open, "10.99.0.3").post("/account/sign-in", { email, password: PASSWORD });
    });

    it("also counts wrong passwords of signed-in people", async () => {
      const visitor = browser(open);
      await visitor.enter(newEmail());
      for (let time = 0; time < 10; time++) {
        expectError(
          await visitor.ask("POST", "/account/delete", { password: "een fout woord" }),
          "FORBIDDEN",
        );
      }
      expectError(
        await visitor.ask("POST", "/account/password", {
          oldPassword: PASSWORD,
          newPassword: "een heel nieuw woord",
        }),
        "RATE_LIMIT_EXCEEDED",
      );
      expectError(
        await visitor.ask("POST", "/account/delete", { password: PASSWORD }),
        "RATE_LIMIT_EXCEEDED",
      );
    });

    it("lets a person in from a known address whatever strangers try, and reveals nothing of that to strangers", async () => {
      const email = newEmail();
      const home = "2001:db8:1:2::1";
      const signIn = (address: string | undefined, candidate: string, password = PASSWORD) =>
        browser(open, address).ask("POST", "/account/sign-in", { email: candidate, password });
      const atHome = browser(open, home);
      await atHome.enter(email);
      const unknownEmail = newEmail();
      for (const candidate of [email, unknownEmail]) {
        await Promise.all(Array.from({ length: 10 }, () => signIn(undefined, candidate, "een fout woord")));
      }
      expectError(await signIn(undefined, email), "RATE_LIMIT_EXCEEDED");
      // From the person's home, where a stranger may be too: the response to a wrong password is the same for an
      // account that does not exist.
      const [known, unknown] = [
        await signIn("2001:db8:1:2::9", email, "een fout woord"),
        await signIn("2001:db8:1:2::9", unknownEmail, "een fout woord"),
      ];
      expectError(known, "RATE_LIMIT_EXCEEDED");
      expect([known.status, known.text, known.headers["retry-after"]]).toEqual([
        unknown.status,
        unknown.text,
        unknown.headers["retry-after"],
      ]);
      expect((await signIn("2001:db8:1:2:ffff::3", email)).status).toBe(200);
      expectError(await signIn("2001:db8:1:3::1", email), "RATE_LIMIT_EXCEEDED");
      const newPassword = "een heel nieuw woord";
      expect(
        (await atHome.ask("POST", "/account/password", { oldPassword: PASSWORD, newPassword })).status,
      ).toBe(204);
      // A right password does not lift the limit on strangers, and resets the person's own count.
      for (let time = 0; time < 10; time++) await signIn(home, email, "een fout woord");
      expectError(await signIn(home, email, newPassword), "RATE_LIMIT_EXCEEDED");
      open.setClock(NOON + 15 * 60_000);
      expect((await signIn(home, email, newPassword)).status).toBe(200);
      open.setClock(NOON + 15 * 60_000 + 90 * DAY_MS);
      await Promise.all(Array.from({ length: 10 }, () => signIn(undefined, email, "een fout woord")));
      expectError(await signIn(home, email, newPassword), "RATE_LIMIT_EXCEEDED");
      open.setClock(NOON);
    });

    it("says how an operator resets a password when no mail is sent", async () => {
      const answer = await browser(open).ask("POST", "/account/password/reset-request", {
        email: newEmail(),
      });
      expect([answer.status, jsonOf(answer)]).toEqual([202, { next: "operator" }]);
    });
  });

  describe("deleting the account", () => {
    it("removes everything except this month's usage, which returns with the address", async () => {
      const email = newEmail();
      const visitor = browser(open);
      await visitor.enter(email);
      const { key } = await visitor.post<{ key: string }>("/account/first-key");
      const lookup = () =>
        visitor.ask("GET", `/v1/lookup/${BAKERY}`, undefined, { authorization: `Bearer ${key}` });
      for (let time = 0; time < 3; time++) expect((await lookup()).status).toBe(200);
      expectError(await visitor.ask("POST", "/account/delete", { password: "een fout woord" }), "FORBIDDEN");
      expect((await lookup()).status).toBe(200);
      expect((await visitor.ask("POST", "/account/delete", { password: PASSWORD })).status).toBe(204);
      expectError(await lookup(), "UNAUTHORIZED");
      expectError(
        await browser(open).ask("POST", "/account/sign-in", { email, password: PASSWORD }),
        "UNAUTHORIZED",
      );
      expect(JSON.stringify(await open.accounts.list())).not.toContain(email);

      await visitor.enter(email.toUpperCase());
      const usage = await visitor.get<AccountUsage>("/account/usage");
      expect(usage).toMatchObject({ used: 4, remaining: 46 });
      expect(usage.byKey).toMatchObject([{ keyId: "earlier-account", requests: 0, tokens: 4 }]);
    });
  });
}
