import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeReset } from "../../../src/accounts/links.ts";
import type { OpenSessions, SessionState } from "../../../src/contract/accountResources.ts";
import type {
  RecoveryCodes,
  TwoFactorSecret,
  TwoFactorState,
} from "../../../src/contract/twoFactorResources.ts";
import { jsonOf } from "../../kit/answer.ts";
import { askInGroups, BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../../kit/browser.ts";
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

/** A person who has it on; the code of the present step is used. */
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

/** Codes beside the password. */
export function twoFactor(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    const environment = { SIGNUP: "open", TWO_FACTOR_KEY: KEY, ...BEHIND_PROXY };
    service = await composeInProcess(await makeWorld({ environment }));
  });
  afterEach(() => service.setClock(NOON));

  describe("turning it on", () => {
    it("takes the password and a first code of the newest secret, shows recovery codes once, ends other sessions", async () => {
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
      // Nothing is asked at sign-in before that.
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

    it("must be done within a quarter of an hour", async () => {
      const visitor = browser();
      await visitor.enter(`guarded-${++count}@fabel.example`);
      const device = await begun(visitor);
      service.setClock(NOON + QUARTER_MS + 1);
      const code = device.code(NOON + QUARTER_MS + 1);
      expectError(await visitor.ask("POST", "/account/two-factor/turn-on", { code }), "NOT_FOUND");
    });
  });

  describe("signing in", () => {
    it("tells who knows the password that a code is needed, opens nothing without, and tells others nothing", async () => {
      const { email } = await guarded();
      const answer = await signIn(email);
      expect(answer.status).toBe(200);
      expect(jsonOf(answer) as SessionState).toMatchObject({ needsCode: true });
      expect(jsonOf(answer)).not.toHaveProperty("person");
      expect(answer.headers["set-cookie"]).toBeUndefined();
      const wrong = await signIn(email, undefined, "een fout woord");
      const nobody = await signIn("nobody-here@fabel.example", undefined, "een fout woord");
      expect([wrong.status, wrong.text]).toEqual([nobody.status, nobody.text]);
      expectError(await signIn(email, "123456", "een fout woord"), "UNAUTHORIZED");
    });

    it("takes a code one step early or late, each once, however many come with it at once", async () => {
      const { email, device } = await guarded();
      expectError(await signIn(email, device.code(NOON)), "INVALID_REQUEST");
      const early = device.code(NOON, 1);
      // Six digits may be typed in two groups.
      const typed = `${early.slice(0, 3)} ${early.slice(3)}`;
      const answers = await askInGroups(3, () => signIn(email, typed));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      service.setClock(NOON + 3 * STEP_MS);
      expect((await signIn(email, device.code(NOON, 2))).status).toBe(200);
      service.setClock(NOON + 5 * STEP_MS);
      expectError(await signIn(email, device.code(NOON, 3)), "INVALID_REQUEST");
      expect((await signIn(email, device.code(NOON, 5))).status).toBe(200);
    });

    it("lets five wrong codes through in a quarter of an hour, several at once, whoever tries; a new password frees it", async () => {
      const { email, device, visitor } = await guarded();
      const answers = await askInGroups(18, () => signIn(email, device.wrong(NOON)));
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

    it("lets fifty wrong codes through in a day, and counts no right one", async () => {
      const { email, device } = await guarded();
      let wrong = 0;
      for (let round = 0; round < 11; round++) {
        service.setClock(NOON + round * QUARTER_MS);
        const nowMs = NOON + round * QUARTER_MS;
        const answers = await askInGroups(5, () => signIn(email, device.wrong(nowMs)));
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

    it("lets fifty wrong codes through in a day, however often the password changes meanwhile", async () => {
      const { email, device, visitor } = await guarded();
      const { person } = await visitor.get<SessionState>("/account/session");
      let [password, wrong] = [PASSWORD, 0];
      for (let round = 0; round < 12; round++) {
        const answers = await askInGroups(5, () => signIn(email, device.wrong(NOON), password));
        wrong += answers.filter(({ status }) => status === 400).length;
        const newPassword = `een ander woord ${round}`;
        if (round === 0) {
          await visitor.post("/account/password", { oldPassword: password, newPassword });
        } else {
          const { people } = service.state;
          const { token } = await makeReset(people, service.accounts, person?.accountId ?? "", NOON);
          const reset = { token, password: newPassword };
          expect((await browser().ask("POST", "/account/password/reset", reset)).status).toBe(204);
        }
        password = newPassword;
      }
      expect(wrong).toBe(50);
      expectError(await signIn(email, device.code(NOON, 1), password), "RATE_LIMIT_EXCEEDED");
    });

    it("takes each recovery code once, as it is typed, and shows how many are left", async () => {
      const { email, codes, visitor } = await guarded();
      const [first = "", second = "", third = ""] = codes;
      const answers = await askInGroups(4, () => signIn(email, first));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await signIn(email, ` ${second.toLowerCase().replaceAll("-", " ")} `)).status).toBe(200);
      expect((await stateOf(visitor)).recoveryCodesLeft).toBe(8);
      const other = await guarded();
      expectError(await signIn(other.email, third), "INVALID_REQUEST");
      expectError(await signIn(email, third.slice(0, -1)), "INVALID_REQUEST");
    });
  });

  describe("changing it", () => {
    it("takes password and code, for new recovery codes and for turning it off", async () => {
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

    it("is an operator's for who has lost both, once", async () => {
      const { email, visitor } = await guarded();
      const { person } = await visitor.get<SessionState>("/account/session");
      const id = person?.accountId ?? "";
      await service.accounts.resetTwoFactor(id);
      expect(jsonOf(await signIn(email))).toHaveProperty("person");
      await expect(service.accounts.resetTwoFactor(id)).rejects.toThrow("not on");
      await expect(service.accounts.resetTwoFactor("acc_none")).rejects.toThrow("no account");
    });
  });
}

function fail(): never {
  throw new Error("there was no answer");
}
