import { beforeAll, describe, expect, it } from "vitest";
import { createInvite } from "../../../src/accounts/links.ts";
import type { SessionState } from "../../../src/contract/accountResources.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC, sendInGroups } from "../../kit/browser.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import type { MakeWorld } from "../../kit/world.ts";

let open: InProcess;
let count = 0;
const newEmail = () => `person-${++count}@fabel.example`;
const browser = (service: InProcess, address?: string) =>
  new Browser(service.app, { origin: PUBLIC, ...(address !== undefined && { address }) });

/** Creating accounts, without revealing which ones exist. */
export function signingUp(makeWorld: MakeWorld): void {
  const compose = async (environment: Record<string, string>) =>
    composeInProcess(await makeWorld({ environment: { ...BEHIND_PROXY, ...environment } }));

  beforeAll(async () => {
    open = await compose({ SIGNUP: "open" });
  });

  describe("signing up", () => {
    it("answers the same for a taken address, and changes nothing for its owner", async () => {
      const email = newEmail();
      const answers = [];
      for (const password of [PASSWORD, "heel iets anders dan dat", PASSWORD]) {
        answers.push(await browser(open).ask("POST", "/account/sign-up", { email, password }));
      }
      const comparable = answers.map(({ status, text, headers }) => ({
        status,
        text,
        names: Object.keys(headers).sort(),
      }));
      expect(comparable[0]).toMatchObject({ status: 202, text: '{"next":"sign-in"}' });
      expect(comparable[1]).toEqual(comparable[0]);
      expect(comparable[2]).toEqual(comparable[0]);
      expectError(
        await browser(open).ask("POST", "/account/sign-in", { email, password: "heel iets anders dan dat" }),
        "UNAUTHORIZED",
      );
      await browser(open).post("/account/sign-in", { email: ` ${email.toUpperCase()} `, password: PASSWORD });
    });

    it("rejects short, long and common passwords, and never repeats them", async () => {
      const email = newEmail();
      for (const password of [
        "kort",
        "elf tekens!",
        "x".repeat(129),
        "password12345",
        "Qwerty123456!!",
        "aaaaaaaaaaaaaa",
        "121212121212",
        "abcabcabcabcabc",
        "iloveyouiloveyou",
        "123456789012345",
        email,
        `${email.split("@")[0]}!!2026`,
        "Handelsregister2026",
      ]) {
        const answer = await browser(open).ask("POST", "/account/sign-up", { email, password });
        expectError(answer, "INVALID_REQUEST");
        expect(answer.headers["x-error-field"]).toBe("password");
        expect(answer.text).not.toContain(password);
      }
      for (const password of [
        "twaalf teken",
        "korenmolen-2026",
        "пароль для мельницы",
        "🌾🌾🌾🌾🥖🥖🥖🥐🥐🥨🥯🍞",
        "x".repeat(5) + " y".repeat(30),
      ]) {
        expect(
          (await browser(open).ask("POST", "/account/sign-up", { email: newEmail(), password })).status,
        ).toBe(202);
      }
    });

    it("names the address as the invalid field", async () => {
      const answer = await browser(open).ask("POST", "/account/sign-up", {
        email: "josé@fabel.example",
        password: PASSWORD,
      });
      expectError(answer, "INVALID_REQUEST");
      expect(answer.headers["x-error-field"]).toBe("email");
    });

    it("accepts a password in any Unicode normalisation form", async () => {
      const email = newEmail();
      await browser(open).post("/account/sign-up", { email, password: "caf\u00e9 met een \ufb01ets" });
      await browser(open).post("/account/sign-in", { email, password: "cafe\u0301 met een fiets" });
    });

    it.each([
      {},
      { email: "a@b.example" },
      { email: 1, password: PASSWORD },
      { email: "a@b.example", password: ["x"] },
      [],
      "x",
      { email: "a@b.example", password: PASSWORD, tier: "pro" },
      { email: "no address", password: PASSWORD },
      { email: "a@b.example", password: PASSWORD, language: "fr" },
    ])("refuses %j without repeating a password", async (body) => {
      const answer = await browser(open).ask("POST", "/account/sign-up", body);
      expectError(answer, "INVALID_REQUEST");
      expect(answer.text).not.toContain(PASSWORD);
    });

    it("is limited per client address over all accounts", async () => {
      const address = "10.99.0.1";
      const answers = await sendInGroups(30, () =>
        browser(open, address).ask("POST", "/account/sign-up", { email: newEmail(), password: PASSWORD }),
      );
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    });

    it("is open, by invite or closed, as the operator configures", async () => {
      const closed = await compose({ SIGNUP: "closed" });
      expectError(
        await browser(closed).ask("POST", "/account/sign-up", { email: newEmail(), password: PASSWORD }),
        "FORBIDDEN",
      );
      expect((await browser(closed).get<SessionState>("/account/session")).signup).toBe("closed");
      const invited = await compose({});
      const { people } = invited.state;
      const invite = async (options: Parameters<typeof createInvite>[2], nowMs = NOON) =>
        (await createInvite(people, invited.accounts, options, nowMs)).token;
      const signUp = (email: string, token?: string) =>
        browser(invited).ask("POST", "/account/sign-up", {
          email,
          password: PASSWORD,
          ...(token !== undefined && { invite: token }),
        });
      const [email, other] = [newEmail(), newEmail()];
      const named = await invite({ email: email.toUpperCase(), tierName: "starter" });
      const late = await invite({}, NOON - 15 * 24 * 3_600_000);
      for (const wrong of [undefined, "", "x".repeat(43), late])
        expect([400, 403]).toContain((await signUp(email, wrong)).status);
      expectError(await signUp(other, named), "FORBIDDEN");
      expect((await signUp(email, named)).status).toBe(202);
      expectError(await signUp(email, named), "FORBIDDEN");
      const visitor = browser(invited);
      const state = await visitor.post<SessionState>("/account/sign-in", { email, password: PASSWORD });
      expect(state.person?.tier).toBe("starter");
      const shared = await invite({});
      const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(newEmail(), shared)));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
      const again = await invite({});
      expect((await signUp(email, again)).status).toBe(202);
      expectError(await signUp(newEmail(), again), "FORBIDDEN");
    });
  });
}
