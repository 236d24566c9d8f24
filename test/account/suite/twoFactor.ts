import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createReset } from "../../../src/accounts/links.ts";
import type { OpenSessions, SessionState } from "../../../src/contract/accountResources.ts";
import type {
  RecoveryCodes,
  TwoFactorSecret,
  TwoFactorState,
} from "../../../src/contract/twoFactorResources.ts";
import { jsonOf } from "../../kit/answer.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC, sendInGroups } from "../../kit/browser.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { Device } from "../../kit/device.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import type { MakeWorld } from "../../kit/world.ts";

const KEY = Buffer.alloc(32, 5).toString("base64");
const QUARTER_MS = 15 * 60_000;
const STEP_MS = 30_000;
const AT_ONCE = 8;

let service: InProcess;
let count = 0;
const browser = () => new Browser(service.app, { origin: PUBLIC });

interface Guarded {
  readonly email: string;
  readonly visitor: Browser;
  readonly device: Device;
  readonly codes: readonly string[];
}

async function begun(visitor: Browser): Promise<Device> {
  const { secret } = await visitor.post<TwoFactorSecret>("/account/two-factor/begin", { password: PASSWORD });
  return new Device(secret);
}

/** A person with two-factor sign-in; the code of the current step is used. */
async function guarded(): Promise<Guarded> {
  const [email, visitor] = [`guarded-${++count}@fabel.example`, browser()];
  await visitor.enter(email);
  const device = await begun(visitor);
  const code = device.code(NOON);
  const { codes } = await visitor.post<RecoveryCodes>("/account/two-factor/turn-on", { code });
  return { email, visitor, device, codes };
}

const signIn = (email: string, code?: string, password = PASSWORD) =>
  browser().ask("POST", "/account/sign-in", { email, password, ...(code !== undefined && { code }) });
const stateOf = (visitor: Browser) => visitor.get<TwoFactorState>("/account/two-factor");

/** Two-factor sign-in. */
export function twoFactor(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    const environment = { SIGNUP: "open", TWO_FACTOR_KEY: KEY, ...BEHIND_PROXY };
    service = await composeInProcess(await makeWorld({ environment }));
  });
  afterEach(() => service.setClock(NOON));

  describe("turning it on", () => {
    it("requires the password and a first code of the newest secret, shows recovery codes once, and ends other sessions", async () => {
      const [email, visitor, other] = [`guarded-${++count}@fabel.example`, browser(), browser()];
      await visitor.enter(email);
      await other.post("/account/sign-in", { email, password: PASSWORD });
      expect(await stateOf(visitor)).toEqual({ isOffered: true, isOn: false });
      const begin = (password: string) => visitor.ask("POST", "/account/two-factor/begin", { password });
      expectError(await begin("een fout woord"), "FORBIDDEN");
      const turnOn = (code: string) => visitor.ask("POST", "/account/two-factor/turn-on", { code });
      expectError(await turnOn("123456"), "NOT_FOUND");
      const earlier = await begun(visitor);
      const device = await begun(visitor);
      expectError(await turnOn(earlier.code(NOON)), "INVALID_REQUEST");
      expectError(await turnOn(device.wrong(NOON)), "INVALID_REQUEST");
      expectError(await turnOn(device.code(NOON, -2)), "INVALID_REQUEST");
      // Sign-in needs no code before that.
      expect(jsonOf(await signIn(email))).toHaveProperty("person");
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => turnOn(device.code(NOON))));
      const turned = answers.filter(({ status }) => status === 200);
      expect(turned).toHaveLength(1);
      const { codes } = jsonOf(turned[0] ?? answers[0] ?? fail()) as RecoveryCodes;
      expect(new Set(codes).size).toBe(10);
      for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
      expect(await stateOf(visitor)).toEqual({
        isOffered: true,
        isOn: true,
        since: new Date(NOON).toISOString(),
        recoveryCodesLeft: 10,
      });
      expect((await visitor.get<OpenSessions>("/account/sessions")).sessions).toHaveLength(1);
      expectError(await other.ask("GET", "/account/keys"), "UNAUTHORIZED");
      expectError(await begin(PASSWORD), "FORBIDDEN");
    });

    it("must be completed within a quarter of an hour", async () => {
      const visitor = browser();
      await visitor.enter(`guarded-${++count}@fabel.example`);
      const device = await begun(visitor);
      service.setClock(NOON + QUARTER_MS + 1);
      const code = device.code(NOON + QUARTER_MS + 1);
      expectError(await visitor.ask("POST", "/account/two-factor/turn-on", { code }), "NOT_FOUND");
    });
  });

  describe("signing in", () => {
    it("asks for a code only after the right password, grants nothing without it, and reveals nothing to others", async () => {
      const { email } = await guarded();
      const answer = await signIn(email);
      expect(answer.status).toBe(200);
      expect(jsonOf(answer) as SessionState).toMatchObject({ needsCode: true });
      expect(jsonOf(answer)).not.toHaveProperty("person");
      expect(answer.headers["set-cookie"]).toBeUndefined();
      const wrong = await signIn(email, undefined, "een fout woord");
      const unknown = await signIn("nobody-here@fabel.example", undefined, "een fout woord");
      expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text]);
      expectError(await signIn(email, "123456", "een fout woord"), "UNAUTHORIZED");
    });

    it("accepts a code one step early or late, each once, also for concurrent attempts", async () => {
      const { email, device } = await guarded();
      expectError(await signIn(email, device.code(NOON)), "INVALID_REQUEST");
      const early = device.code(NOON, 1);
      // The six digits may be typed in two groups.
      const typed = `${early.slice(0, 3)} ${early.slice(3)}`;
      const answers = await sendInGroups(3, () => signIn(email, typed));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      service.setClock(NOON + 3 * STEP_MS);
      expect((await signIn(email, device.code(NOON, 2))).status).toBe(200);
      service.setClock(NOON + 5 * STEP_MS);
      expectError(await signIn(email, device.code(NOON, 3)), "INVALID_REQUEST");
      expect((await signIn(email, device.code(NOON, 5))).status).toBe(200);
    });

    it("allows five wrong codes in a quarter of an hour, also concurrently, from any client; a new password resets the limit", async () => {
      const { email, device, visitor } = await guarded();
      const answers = await sendInGroups(18, () => signIn(email, device.wrong(NOON)));
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(13);
      expect(Number(refused[0]?.headers["retry-after"])).toBeLessThanOrEqual(900);
      expectError(await signIn(email, device.code(NOON, 1)), "RATE_LIMIT_EXCEEDED");
      expectError(await signIn(email, "AAAA-BBBB-CCCC-DDDD"), "RATE_LIMIT_EXCEEDED");
      const newPassword = "een heel ander woord";
      await visitor.post("/account/password", { oldPassword: PASSWORD, newPassword });
      expect((await signIn(email, device.code(NOON, 1), newPassword)).status).toBe(200);
    });

    it("allows fifty wrong codes a day, and does not count right ones", async () => {
      const { email, device } = await guarded();
      let wrong = 0;
      for (let round = 0; round < 11; round++) {
        service.setClock(NOON + round * QUARTER_MS);
        const nowMs = NOON + round * QUARTER_MS;
        const answers = await sendInGroups(5, () => signIn(email, device.wrong(nowMs)));
        wrong += answers.filter(({ status }) => status === 400).length;
        if (round === 1) expect((await signIn(email, device.code(nowMs))).status).toBe(429);
      }
      expect(wrong).toBe(50);
      service.setClock(NOON + 24 * 3_600_000);
      for (let round = 0; round < 7; round++) {
        const nowMs = NOON + 24 * 3_600_000 + round * 2 * STEP_MS;
        service.setClock(nowMs);
        expect((await signIn(email, device.code(nowMs))).status).toBe(200);
      }
    });

    it("allows fifty wrong codes a day, even if the password changes meanwhile", async () => {
      const { email, device, visitor } = await guarded();
      const { person } = await visitor.get<SessionState>("/account/session");
      let [password, wrong] = [PASSWORD, 0];
      for (let round = 0; round < 12; round++) {
        const answers = await sendInGroups(5, () => signIn(email, device.wrong(NOON), password));
        wrong += answers.filter(({ status }) => status === 400).length;
        const newPassword = `een ander woord ${round}`;
        if (round === 0) {
          await visitor.post("/account/password", { oldPassword: password, newPassword });
        } else {
          const { people } = service.state;
          const { token } = await createReset(people, service.accounts, person?.accountId ?? "", NOON);
          const reset = { token, password: newPassword };
          expect((await browser().ask("POST", "/account/password/reset", reset)).status).toBe(204);
        }
        password = newPassword;
      }
      expect(wrong).toBe(50);
      expectError(await signIn(email, device.code(NOON, 1), password), "RATE_LIMIT_EXCEEDED");
    });

    it("accepts each recovery code once, as typed, and shows how many are left", async () => {
      const { email, codes, visitor } = await guarded();
      const [first = "", second = "", third = ""] = codes;
      const answers = await sendInGroups(4, () => signIn(email, first));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await signIn(email, ` ${second.toLowerCase().replaceAll("-", " ")} `)).status).toBe(200);
      expect((await stateOf(visitor)).recoveryCodesLeft).toBe(8);
      const other = await guarded();
      expectError(await signIn(other.email, third), "INVALID_REQUEST");
      expectError(await signIn(email, third.slice(0, -1)), "INVALID_REQUEST");
    });
  });

  describe("changing it", () => {
    it("requires password and code, both for new recovery codes and for turning it off", async () => {
      const { email, device, codes, visitor } = await guarded();
      const ask = (path: string, password: string, code: string) =>
        visitor.ask("POST", `/account/two-factor/${path}`, { password, code });
      for (const path of ["recovery-codes", "turn-off"]) {
        expectError(await ask(path, "een fout woord", device.code(NOON, 1)), "FORBIDDEN");
        expectError(await ask(path, PASSWORD, device.wrong(NOON)), "INVALID_REQUEST");
      }
      const renewed = jsonOf(await ask("recovery-codes", PASSWORD, device.code(NOON, 1))) as RecoveryCodes;
      expect(renewed.codes).toHaveLength(10);
      expectError(await signIn(email, codes[0]), "INVALID_REQUEST");
      expectError(await ask("turn-off", PASSWORD, device.code(NOON, 1)), "INVALID_REQUEST");
      expect((await ask("turn-off", PASSWORD, renewed.codes[0] ?? "")).status).toBe(204);
      expect(await stateOf(visitor)).toEqual({ isOffered: true, isOn: false });
      expectError(await ask("turn-off", PASSWORD, device.code(NOON, 1)), "NOT_FOUND");
      expect(jsonOf(await signIn(email))).toHaveProperty("person");
    });

    it("is turned off once by an operator for a person who has lost both", async () => {
      const { email, visitor } = await guarded();
      const { person } = await visitor.get<SessionState>("/account/session");
      const id = person?.accountId ?? "";
      await service.accounts.resetTwoFactor(id);
      expect(jsonOf(await signIn(email))).toHaveProperty("person");
      await expect(service.accounts.resetTwoFactor(id)).rejects.toThrow("already off");
      await expect(service.accounts.resetTwoFactor("acc_none")).rejects.toThrow("no account");
    });
  });
}

function fail(): never {
  throw new Error("there was no answer");
}
