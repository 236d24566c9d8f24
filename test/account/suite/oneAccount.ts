import { beforeAll, describe, expect, it } from "vitest";
import type { AccountCalls, SessionState } from "../../../src/contract/accountResources.ts";
import type { AccountKeys, NewAccountKey } from "../../../src/contract/keyResources.ts";
import type {
  AdminAccount,
  AdminAudit,
  AdminLink,
  AdminUsage,
} from "../../../src/contract/oneAccountResources.ts";
import type { AdminPlanRequests } from "../../../src/contract/operatorResources.ts";
import type { TwoFactorSecret } from "../../../src/contract/twoFactorResources.ts";
import { jsonOf } from "../../kit/answer.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../../kit/browser.ts";
import { BAKERY, UNKNOWN } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { Device } from "../../kit/device.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import { until } from "../../kit/until.ts";
import type { MakeWorld } from "../../kit/world.ts";

const TWO_FACTOR_KEY = Buffer.alloc(32, 7).toString("base64");
const OTHER_PASSWORD = "windmolen staat heel stil";
const NOON_TEXT = new Date(NOON).toISOString();

let service: InProcess;
let boss: Browser;
let bossId: string;
let count = 0;

const idOf = async (browser: Browser) =>
  (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";

async function person(): Promise<{ browser: Browser; id: string; email: string; path: string }> {
  const browser = new Browser(service.app, { origin: PUBLIC });
  const email = `one-${++count}@fabel.example`;
  await browser.enter(email);
  const id = await idOf(browser);
  return { browser, id, email, path: `/account/admin/accounts/${id}` };
}

const audit = (query: string) => boss.get<AdminAudit>(`/account/admin/audit${query}`);
const tokenOf = ({ link }: AdminLink) => link.split("=")[1] ?? "";

/** The operator's view of one account, and the operator's actions on it. */
export function oneAccount(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    const environment = { SIGNUP: "open", TWO_FACTOR_KEY, ...BEHIND_PROXY };
    service = await composeInProcess(await makeWorld({ environment }));
    boss = new Browser(service.app, { origin: PUBLIC });
    await boss.enter("boss@fabel.example");
    bossId = await idOf(boss);
    await service.accounts.setAdmin(bossId, true);
  });

  describe("an operator", () => {
    it("sees the account's data, keys, calls and usage, and none of its secrets", async () => {
      const { browser, id, email, path } = await person();
      const { key, id: keyId } = await browser.post<NewAccountKey>("/account/keys", { name: "web" });
      for (const number of [BAKERY, UNKNOWN]) {
        await browser.ask("GET", `/v1/lookup/${number}`, undefined, { authorization: `Bearer ${key}` });
      }
      await browser.post("/account/plans/request", { tier: "pro" });
      expect(await boss.get<AdminAccount>(path)).toEqual({
        id,
        email,
        tier: "free",
        isSuspended: false,
        isAdmin: false,
        createdAt: NOON_TEXT,
        hasPassword: true,
        used: 1,
        limit: 50,
        asked: { tier: "pro", askedAt: NOON_TEXT },
        twoFactor: { isOn: false },
        sessions: { count: 1, lastSeenAt: NOON_TEXT },
        note: { text: "", version: 0 },
      });
      const keys = await boss.get<AccountKeys>(`${path}/keys`);
      expect(keys).toEqual(await browser.get<AccountKeys>("/account/keys"));
      expect(keys.keys).toMatchObject([{ id: keyId, name: "web", state: "live", requests: 2, tokens: 1 }]);
      const calls = (query = "") => boss.get<AccountCalls>(`${path}/calls${query}`);
      await until("both calls are recorded", async () => (await calls()).total === 2);
      expect(await calls("?status=404")).toMatchObject({
        calls: [{ status: 404, code: "NOT_FOUND", keyId, name: "web" }],
        leftOut: 0,
        isOn: true,
      });
      const usage = await boss.get<AdminUsage>(`${path}/usage`);
      expect(usage.month).toBe("2026-03");
      expect(usage.months).toHaveLength(12);
      expect(usage.months.at(-1)).toMatchObject({ month: "2026-03", tokens: 1, requests: 2 });
      expect(usage.byOperation).toMatchObject([{ operation: "lookup", tokens: 1, requests: 2 }]);
      expect((await boss.get<AdminUsage>(`${path}/usage?month=2026-02`)).byOperation).toEqual([]);
      for (const part of ["", "/keys", "/calls", "/usage"]) {
        const { text } = await boss.ask("GET", path + part);
        for (const secret of ["argon2", "hash", key, key.slice(9, 40), BAKERY, "sealed"])
          expect(text).not.toContain(secret);
        expectError(await boss.ask("GET", `/account/admin/accounts/acc_nobody${part}`), "NOT_FOUND");
        expectError(await browser.ask("GET", path + part), "FORBIDDEN");
      }
      expectError(await boss.ask("GET", `${path}/usage?month=2026-13`), "INVALID_REQUEST");
      expectError(await boss.ask("GET", `${path}/keys?page=0`), "INVALID_REQUEST");
    });

    it("keeps notes on an account that only operators see, and cannot overwrite a note it has not read", async () => {
      const { browser, id, email, path } = await person();
      const note = (text: string, basedOn: number) => boss.ask("POST", `${path}/note`, { text, basedOn });
      const first = await note("Betaalt per factuur.\r\n\tBelt liever. 🏢", 0);
      expect((jsonOf(first) as AdminAccount).note).toEqual({
        text: "Betaalt per factuur.\n\tBelt liever. 🏢",
        version: 1,
        changedAt: NOON_TEXT,
        changedBy: "boss@fabel.example",
      });
      const answers = await Promise.all(["a", "b", "c"].map((text) => note(text, 1)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      const late = await note("geheime notitie", 1);
      expectError(late, "INVALID_REQUEST");
      expect(late.text).not.toContain("geheime notitie");
      expectError(await note("x".repeat(4_001), 2), "INVALID_REQUEST");
      expect((await note("x".repeat(4_000), 2)).status).toBe(200);
      const { entries, total } = await audit(`?account=${id}`);
      expect(total).toBe(3);
      expect(entries.map(({ at: _at, id: _id, ...entry }) => entry)).toEqual(
        Array.from({ length: 3 }, () => ({
          by: bossId,
          byEmail: "boss@fabel.example",
          what: "note",
          accountId: id,
          email,
        })),
      );
      expect((await browser.ask("GET", "/account/export")).text).not.toContain("xxxx");
      expectError(
        await boss.ask("POST", "/account/admin/accounts/acc_nobody/note", { text: "", basedOn: 0 }),
        "NOT_FOUND",
      );
      await service.accounts.remove(id);
      expect(await service.state.people.note(id)).toBeUndefined();
    });

    it("ends all sessions of an account at once, and of its own account all but the current one", async () => {
      const { browser, id, email, path } = await person();
      const elsewhere = new Browser(service.app, { origin: PUBLIC });
      await elsewhere.post("/account/sign-in", { email, password: PASSWORD });
      expect((await boss.get<AdminAccount>(path)).sessions.count).toBe(2);
      expect((await boss.post<AdminAccount>(`${path}/sign-out`, {})).sessions).toEqual({ count: 0 });
      for (const one of [browser, elsewhere])
        expectError(await one.ask("GET", "/account/keys"), "UNAUTHORIZED");
      expect((await boss.post<AdminAccount>(`${path}/sign-out`, {})).sessions).toEqual({ count: 0 });
      // An action that ends nothing is not a change.
      expect((await audit(`?account=${id}`)).entries).toMatchObject([
        { by: bossId, what: "sessions ended", from: "2" },
      ]);
      const second = new Browser(service.app, { origin: PUBLIC });
      await second.post("/account/sign-in", { email: "boss@fabel.example", password: PASSWORD });
      const own = await boss.post<AdminAccount>(`/account/admin/accounts/${bossId}/sign-out`, {});
      expect(own.sessions.count).toBe(1);
      expectError(await second.ask("GET", "/account/keys"), "UNAUTHORIZED");
    });

    it("creates single-use invites, and the log holds neither address nor link", async () => {
      const made = await boss.post<AdminLink>("/account/admin/invites", {
        email: "guest@fabel.example",
        tier: "starter",
      });
      expect(made.link).toMatch(new RegExp(`^${PUBLIC}/#invite=[A-Za-z0-9_-]{40,}$`));
      expect(made.expiresAt).toBe(new Date(NOON + 14 * 86_400_000).toISOString());
      const guest = new Browser(service.app, { origin: PUBLIC });
      await guest.enter("guest@fabel.example", PASSWORD, { invite: tokenOf(made) });
      expect((await guest.get<SessionState>("/account/session")).person?.tier).toBe("starter");
      const again = { email: "guest-2@fabel.example", password: PASSWORD, invite: tokenOf(made) };
      expectError(await guest.ask("POST", "/account/sign-up", again), "FORBIDDEN");
      const { entries } = await audit("?kind=invite");
      expect(entries[0]).toMatchObject({ by: bossId, what: "invite", to: "starter" });
      for (const secret of [tokenOf(made), "guest@"]) expect(JSON.stringify(entries)).not.toContain(secret);
      for (const body of [{ tier: "gold" }, { email: "no address" }])
        expectError(await boss.ask("POST", "/account/admin/invites", body), "INVALID_REQUEST");
    });

    it("creates password links and removes two-factor sign-in only with the operator's own password", async () => {
      const { browser, id, email, path } = await person();
      const begun = await browser.post<TwoFactorSecret>("/account/two-factor/begin", { password: PASSWORD });
      await browser.post("/account/two-factor/turn-on", { code: new Device(begun.secret).code(NOON) });
      expect((await boss.get<AdminAccount>(path)).twoFactor).toEqual({
        isOn: true,
        since: NOON_TEXT,
        recoveryCodesLeft: 10,
      });
      for (const word of ["password-link", "reset-two-factor"]) {
        for (const body of [{ password: OTHER_PASSWORD }, {}]) {
          const answer = await boss.ask("POST", `${path}/${word}`, body);
          expectError(answer, body.password === undefined ? "INVALID_REQUEST" : "FORBIDDEN");
        }
        const unknownPath = `/account/admin/accounts/acc_nobody/${word}`;
        expectError(await boss.ask("POST", unknownPath, { password: PASSWORD }), "NOT_FOUND");
      }
      const made = await boss.post<AdminLink>(`${path}/password-link`, { password: PASSWORD });
      expect(made.link).toMatch(new RegExp(`^${PUBLIC}/#reset=[A-Za-z0-9_-]{40,}$`));
      expect(made.expiresAt).toBe(new Date(NOON + 3_600_000).toISOString());
      const reset = { token: tokenOf(made), password: OTHER_PASSWORD };
      expect((await browser.ask("POST", "/account/password/reset", reset)).status).toBe(204);
      expectError(await browser.ask("POST", "/account/password/reset", reset), "FORBIDDEN");
      expect((await boss.ask("POST", `${path}/reset-two-factor`, { password: PASSWORD })).status).toBe(204);
      expectError(
        await boss.ask("POST", `${path}/reset-two-factor`, { password: PASSWORD }),
        "INVALID_REQUEST",
      );
      await browser.post("/account/sign-in", { email, password: OTHER_PASSWORD });
      expect(await idOf(browser)).toBe(id);
      const { entries } = await audit(`?account=${email.toUpperCase()}`);
      expect(entries.map(({ what }) => what).sort()).toEqual(["password link", "two-factor"]);
      expect(JSON.stringify(entries)).not.toContain(reset.token);
    });

    it("creates at most sixty such links an hour", async () => {
      const admin = await person();
      await service.accounts.setAdmin(admin.id, true);
      const ask = () => admin.browser.ask("POST", "/account/admin/invites", {});
      const answers: Awaited<ReturnType<typeof ask>>[] = [];
      // As many at once as the database handles in parallel: more would queue, which takes too long on a busy machine.
      while (answers.length < 56) answers.push(...(await Promise.all(Array.from({ length: 8 }, ask))));
      answers.push(...(await Promise.all(Array.from({ length: 5 }, ask))));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
      const [refused] = answers.filter(({ status }) => status !== 201);
      if (refused !== undefined) expectError(refused, "RATE_LIMIT_EXCEEDED");
    });

    it("pages through the audit log, by account id, address or kind", async () => {
      const { browser, id, email, path } = await person();
      for (let time = 0; time < 14; time++) {
        await boss.post(`${path}/tier`, { tier: time % 2 === 0 ? "pro" : "starter" });
        await boss.post(`${path}/${time % 2 === 0 ? "suspend" : "resume"}`, {});
      }
      const all = await audit(`?account=${id}`);
      expect(all).toMatchObject({ total: 28, page: 1, pageSize: 25, maxListed: 10_000 });
      const rest = await audit(`?account=${id}&page=2`);
      expect([all.entries.length, rest.entries.length]).toEqual([25, 3]);
      expect(new Set([...all.entries, ...rest.entries].map((entry) => entry.id)).size).toBe(28);
      const tiers = await audit(`?account=${encodeURIComponent(` ${email} `)}&kind=tier`);
      expect(tiers.total).toBe(14);
      expect(tiers.entries.at(-1)).toMatchObject({ by: bossId, email, what: "tier" });
      expect(tiers.entries.filter(({ from, to }) => from === "free" && to === "pro")).toHaveLength(1);
      expect((await audit("?kind=deleted&account=acc_nobody")).entries).toEqual([]);
      const unknown = await boss.ask("GET", "/account/admin/audit?account=nobody@fabel.example");
      expectError(unknown, "NOT_FOUND");
      for (const query of ["?kind=other", "?page=0", "?page=401"])
        expectError(await boss.ask("GET", `/account/admin/audit${query}`), "INVALID_REQUEST");
      expectError(await browser.ask("GET", "/account/admin/audit"), "FORBIDDEN");
      await service.accounts.remove(id);
      const gone = (await audit(`?account=${id}&kind=deleted`)).entries;
      expect(gone).toMatchObject([{ by: "terminal", what: "deleted", accountId: id }]);
      expect(gone[0]).not.toHaveProperty("email");
    });

    it("pages through plan requests, and gets their total", async () => {
      const read = (page: number) => boss.get<AdminPlanRequests>(`/account/admin/plan-requests?page=${page}`);
      const { total: before } = await read(1);
      const { people } = service.state;
      for (let index = 0; index < 26; index++) {
        const { id } = await service.accounts.create(`waits-${index}@fabel.example`, "free");
        await people.askPlan(id, "starter", NOON_TEXT);
      }
      const pages = [await read(1), await read(2)];
      expect(pages.map(({ total }) => total)).toEqual([before + 26, before + 26]);
      const ids = pages.flatMap(({ requests }) => requests.map(({ id }) => id));
      expect(new Set(ids).size).toBe(before + 26);
    });
  });
}
