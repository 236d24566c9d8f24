import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SessionState } from "../../../src/contract/accountResources.ts";
import type { NewAccountKey } from "../../../src/contract/keyResources.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../../kit/browser.ts";
import { BAKERY } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import { type MailServer, startMailServer, tokenIn } from "../../kit/mailServer.ts";
import type { MakeWorld, World } from "../../kit/world.ts";

const LOOK_EVERY_MS = 50;
let server: MailServer;
let world: World;
let service: InProcess;
let count = 0;

const compose = () => composeInProcess(world, { allowanceCheckIntervalMs: LOOK_EVERY_MS });

async function enter(language: "en" | "nl"): Promise<{ browser: Browser; email: string; key: string }> {
  const browser = new Browser(service.app, { origin: PUBLIC });
  const email = `allowance-${++count}@fabel.example`;
  await browser.post("/account/sign-up", { email, password: PASSWORD, language });
  const [mail] = await server.to(email);
  expect(mail?.text).toMatch(language === "en" ? /turn that off under Settings/ : /uitzetten onder Inst/);
  await browser.post("/account/confirm", { token: mail && tokenIn(mail), password: PASSWORD });
  const { key } = await browser.post<NewAccountKey>("/account/keys", { name: "web" });
  return { browser, email, key };
}

/** Spends five tokens for each call. */
async function spend(browser: Browser, key: string, calls: number): Promise<void> {
  for (let index = 0; index < calls; index++) {
    const path = `/v1/lookup/${BAKERY}?enrich=true`;
    const answer = await browser.ask("GET", path, undefined, { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(200);
  }
}

/** Mails go out in order: when a person who signed up later has mail, the check has passed everyone before. */
async function nextAllowanceCheck(): Promise<void> {
  const { browser, email, key } = await enter("en");
  await spend(browser, key, 10);
  await server.to(email, 2);
}

/** Opt-in mails at 80 % and 100 % of the monthly allowance, once each. */
export function allowanceMails(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    server = await startMailServer();
    const environment = { SIGNUP: "open", SMTP_URL: server.url, ...BEHIND_PROXY };
    world = await makeWorld({
      tiers: { free: { monthlyTokens: 50, ratePerMinute: 1_000 } },
      environment,
    });
    service = await compose();
  });
  beforeEach(() => service.setClock(NOON));

  describe("mails about an allowance", () => {
    it("are sent once at 80 % and once at 100 %, in the account's language, across restarts, and again after a new plan or month", async () => {
      const { browser, email, key } = await enter("nl");
      const id = (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";
      await spend(browser, key, 7);
      await nextAllowanceCheck();
      expect(await server.to(email)).toHaveLength(1);
      await spend(browser, key, 1);
      const [, near] = await server.to(email, 2);
      expect(near?.subject).toBe("Opzoek: 80% van de tokens van deze maand is gebruikt");
      expect(near?.text).toContain(`Uw account bij ${PUBLIC} heeft deze maand 50 tokens.`);
      expect(near?.text).toContain("1 april 2026 om 00:00 UTC");
      expect(near?.text).toMatch(/U kunt het daar uitzetten onder Instellingen\.\s*$/);
      await spend(browser, key, 2);
      const [, , spent] = await server.to(email, 3);
      expect(spent?.subject).toBe("Opzoek: De tokens van deze maand zijn op");

      await service.close();
      service = await compose();
      await nextAllowanceCheck();
      expect(await server.to(email)).toHaveLength(3);
      await service.accounts.setTier(id, "starter");
      await nextAllowanceCheck();
      expect(await server.to(email)).toHaveLength(3);
      await service.accounts.setTier(id, "free");
      await nextAllowanceCheck();
      expect(await server.to(email)).toHaveLength(3);
      service.setClock(Date.UTC(2026, 3, 1));
      const again = new Browser(service.app, { origin: PUBLIC });
      await spend(again, key, 9);
      const mails = await server.to(email, 4);
      expect(mails.at(-1)?.text).toContain("1 mei 2026");
    });

    it("can be switched off and on, and the session shows the setting", async () => {
      const { browser, email, key } = await enter("en");
      const isEnabled = async () =>
        (await browser.get<SessionState>("/account/session")).person?.allowanceMails;
      expect(await isEnabled()).toBe(true);
      const set = (areWanted: unknown) => browser.ask("POST", "/account/allowance-mails", { areWanted });
      expect((await set(false)).status).toBe(204);
      expect(await isEnabled()).toBe(false);
      for (const wrong of ["no", undefined, 0]) expectError(await set(wrong), "INVALID_REQUEST");
      const file = await browser.ask("GET", "/account/export");
      expect(JSON.parse(file.text)).toMatchObject({ account: { allowanceMails: false } });
      await spend(browser, key, 10);
      await nextAllowanceCheck();
      expect(await server.to(email)).toHaveLength(1);
      await set(true);
      const [, mail] = await server.to(email, 2);
      expect(mail?.subject).toBe("Opzoek: This month's tokens are used up");
      expect(mail?.text).toContain("1 April 2026 at 00:00 UTC");
    });
  });
}
