import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import type { OpenSessions, SessionState } from "../../../src/contract/accountResources.ts";
import type { AccountKeys } from "../../../src/contract/keyResources.ts";
import type { Answer } from "../../kit/answer.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../../kit/browser.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import type { MakeWorld } from "../../kit/world.ts";

const MINUTE_MS = 60_000;
const NEW_PASSWORD = "een heel ander woord";

let service: InProcess;
let local: InProcess;
let count = 0;

async function signedIn(): Promise<{ browser: Browser; email: string }> {
  const email = `session-${++count}@fabel.example`;
  const browser = new Browser(service.app, { origin: PUBLIC });
  await browser.enter(email);
  return { browser, email };
}

const isSignedIn = async (browser: Browser) =>
  (await browser.get<SessionState>("/account/session")).person !== undefined;

/** Sessions: cookie attributes and expiry. */
export function sessions(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    service = await composeInProcess(await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } }));
    local = await composeInProcess(await makeWorld({ environment: { SIGNUP: "open" } }));
  });

  describe("the cookie", () => {
    const signIn = async (browser: Browser) => {
      const email = `cookie-${++count}@fabel.example`;
      await browser.post("/account/sign-up", { email, password: PASSWORD });
      const answer = await browser.ask("POST", "/account/sign-in", { email, password: PASSWORD });
      return answer.headers["set-cookie"]?.split("; ") ?? [];
    };

    it("is bound to this host and to TLS, and inaccessible to scripts and other pages", async () => {
      const [pair, ...rest] = await signIn(new Browser(service.app, { origin: PUBLIC }));
      expect(pair).toMatch(/^__Host-opzoek=[A-Za-z0-9_-]{43}$/);
      expect(rest).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "Secure", "SameSite=Strict"]));
      expect(rest.join()).not.toContain("Domain");
    });

    it("works without TLS on this machine only", async () => {
      const [pair, ...rest] = await signIn(new Browser(local.app));
      expect(pair).toMatch(/^opzoek=[A-Za-z0-9_-]{43}$/);
      expect(rest).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "SameSite=Strict"]));
      expect(rest).not.toContain("Secure");
    });

    it("changes with each sign-in, which invalidates the previous one", async () => {
      const { browser, email } = await signedIn();
      const before = browser.cookie;
      await browser.post("/account/sign-in", { email, password: PASSWORD });
      expect(browser.cookie).not.toBe(before);
      const thief = new Browser(service.app, { origin: PUBLIC });
      thief.cookie = before;
      expect(await isSignedIn(thief)).toBe(false);
      expect((await browser.get<OpenSessions>("/account/sessions")).sessions).toHaveLength(1);
    });

    it("chosen by a client is never accepted as a session", async () => {
      const fixed = new Browser(service.app, { origin: PUBLIC });
      fixed.cookie = `__Host-opzoek=${"A".repeat(43)}`;
      const email = `fixed-${++count}@fabel.example`;
      await fixed.enter(email);
      expect(fixed.cookie).not.toContain("AAAA");
    });
  });

  describe("a session", () => {
    it("expires when unused, and is extended by use", async () => {
      const { browser } = await signedIn();
      for (let minutes = 20; minutes <= 80; minutes += 20) {
        service.setClock(NOON + minutes * MINUTE_MS);
        expect(await isSignedIn(browser)).toBe(true);
      }
      service.setClock(NOON + 110 * MINUTE_MS);
      expectError(await browser.ask("GET", "/account/keys"), "UNAUTHORIZED");
      service.setClock(NOON);
    });

    it("expires after eight hours regardless of use", async () => {
      const { browser } = await signedIn();
      for (let minutes = 20; minutes < 480; minutes += 20) {
        service.setClock(NOON + minutes * MINUTE_MS);
        expect(await isSignedIn(browser)).toBe(true);
      }
      service.setClock(NOON + 480 * MINUTE_MS);
      expect(await isSignedIn(browser)).toBe(false);
      service.setClock(NOON);
    });

    it("ends on sign-out, also for copies of the cookie", async () => {
      const { browser } = await signedIn();
      const copy = new Browser(service.app, { origin: PUBLIC });
      copy.cookie = browser.cookie;
      expect((await browser.ask("POST", "/account/sign-out")).status).toBe(204);
      expect(browser.cookie).toBeUndefined();
      expect(await isSignedIn(copy)).toBe(false);
      expect((await browser.ask("POST", "/account/sign-out")).status).toBe(204);
    });

    it("that expires while a request body is still arriving changes nothing", async () => {
      const { browser } = await signedIn();
      const body = JSON.stringify({ name: "late" });
      const thief = new Browser(service.app, { origin: PUBLIC });
      thief.cookie = browser.cookie;
      const changePassword = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD };
      // Read only after the session has been looked up.
      const payload = Readable.from(
        (async function* () {
          expect((await browser.ask("POST", "/account/password", changePassword)).status).toBe(204);
          yield body;
        })(),
      );
      const headers = {
        ...thief.headers("POST"),
        "content-type": "application/json",
        "content-length": String(body.length),
      };
      const late = await service.app.inject({ method: "POST", url: "/account/keys", headers, payload });
      expect(late.statusCode).toBe(401);
      expect((await browser.get<AccountKeys>("/account/keys")).live).toBe(0);
    });

    it("is listed and can be ended from another one; another person's session cannot", async () => {
      const { browser, email } = await signedIn();
      const second = new Browser(service.app, { origin: PUBLIC });
      await second.post("/account/sign-in", { email, password: PASSWORD });
      const { sessions } = await browser.get<OpenSessions>("/account/sessions");
      expect(sessions).toHaveLength(2);
      expect(sessions.filter(({ isThis }) => isThis)).toHaveLength(1);
      expect(sessions[0]).toMatchObject({ client: "Fabelbrowser/1.0" });
      const other = sessions.find(({ isThis }) => !isThis)?.id ?? "";

      const stranger = await signedIn();
      expectError(await stranger.browser.ask("DELETE", `/account/sessions/${other}`), "NOT_FOUND");
      expect(await isSignedIn(second)).toBe(true);
      expect((await browser.ask("DELETE", `/account/sessions/${other}`)).status).toBe(204);
      expect(await isSignedIn(second)).toBe(false);
      expectError(await browser.ask("DELETE", `/account/sessions/${other}`), "NOT_FOUND");
      const own = sessions.find(({ isThis }) => isThis)?.id ?? "";
      expect((await browser.ask("DELETE", `/account/sessions/${own}`)).status).toBe(204);
      expect([browser.cookie, await isSignedIn(browser)]).toEqual([undefined, false]);
    });

    it("is the only one to survive a password change, with a new cookie", async () => {
      const { browser, email } = await signedIn();
      const second = new Browser(service.app, { origin: PUBLIC });
      await second.post("/account/sign-in", { email, password: PASSWORD });
      const change = (oldPassword: string, newPassword: string) =>
        browser.ask("POST", "/account/password", { oldPassword, newPassword });
      expectError(await change("een fout woord", NEW_PASSWORD), "FORBIDDEN");
      expectError(await change(PASSWORD, "password12345"), "INVALID_REQUEST");
      expect(await isSignedIn(second)).toBe(true);
      const before = browser.cookie;
      expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(204);
      expect(browser.cookie).not.toBe(before);
      expect(await isSignedIn(browser)).toBe(true);
      expect(await isSignedIn(second)).toBe(false);
      const old = new Browser(service.app, { origin: PUBLIC });
      expectError(await old.ask("POST", "/account/sign-in", { email, password: PASSWORD }), "UNAUTHORIZED");
      await old.post("/account/sign-in", { email, password: NEW_PASSWORD });
    });
  });

  it("changes the password once for concurrent identical changes", async () => {
    const { browser, email } = await signedIn();
    const passwords = Array.from({ length: 5 }, (_, index) => `${NEW_PASSWORD} ${index}`);
    const browsers = passwords.map(() => {
      const one = new Browser(service.app, { origin: PUBLIC });
      one.cookie = browser.cookie;
      return one;
    });
    const changed = await Promise.all(
      browsers.map((one, index) =>
        one.ask("POST", "/account/password", { oldPassword: PASSWORD, newPassword: passwords[index] }),
      ),
    );
    const made = passwords.filter((_, index) => changed[index]?.status === 204);
    expect(made).toHaveLength(1);
    await new Browser(service.app, { origin: PUBLIC }).post("/account/sign-in", { email, password: made[0] });
  });

  describe("the limit of a session", () => {
    const refusalsOf = async (requests: readonly Promise<Answer>[]) =>
      (await Promise.all(requests)).filter(({ status }) => status === 429);

    it("applies to concurrent requests, affects no other session, and resets each minute", async () => {
      const [{ browser }, { browser: other }] = [await signedIn(), await signedIn()];
      const requests: Promise<Answer>[] = [];
      const countOf = async (code: number) =>
        (await Promise.all(requests)).filter(({ status }) => status === code).length;
      // A slow database may fail some of so many concurrent requests, so send more until the limit is reached.
      while ((await countOf(429)) === 0) {
        expect(requests.length).toBeLessThan(3_000);
        requests.push(...Array.from({ length: 150 }, () => browser.ask("GET", "/account/plans")));
      }
      expect(await countOf(200)).toBeLessThanOrEqual(120);
      expect((await countOf(200)) + (await countOf(503))).toBeGreaterThanOrEqual(120);
      for (const one of await refusalsOf(requests)) {
        expectError(one, "RATE_LIMIT_EXCEEDED");
        expect(one.headers["retry-after"]).toBe("50");
      }
      expect(await isSignedIn(other)).toBe(true);
      service.setClock(NOON + 50_000);
      expect(await isSignedIn(browser)).toBe(true);
      service.setClock(NOON);
    });

    it("is lower for requests that hash a password", async () => {
      const { browser } = await signedIn();
      const body = { token: "x".repeat(43), password: NEW_PASSWORD };
      const requests = Array.from({ length: 25 }, () => browser.ask("POST", "/account/password/reset", body));
      expect(await refusalsOf(requests)).toHaveLength(5);
    });
  });
}
