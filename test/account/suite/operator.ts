import { beforeAll, describe, expect, it } from "vitest";
import { createInvite } from "../../../src/accounts/links.ts";
import type { Plans, SessionState } from "../../../src/contract/accountResources.ts";
import type {
  AdminAccounts,
  AdminPlanRequests,
  AdminRegistry,
  AdminSuspensions,
  AdminTraffic,
  AdminUpstreams,
} from "../../../src/contract/operatorResources.ts";
import { BEHIND_PROXY, Browser, PASSWORD, PUBLIC } from "../../kit/browser.ts";
import { BAKERY } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import type { MakeWorld } from "../../kit/world.ts";

let service: InProcess;
let boss: Browser;
let operatorId: string;

async function idOf(browser: Browser): Promise<string> {
  return (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";
}

async function person(email: string): Promise<{ browser: Browser; id: string }> {
  const browser = new Browser(service.app, { origin: PUBLIC });
  await browser.enter(email);
  return { browser, id: await idOf(browser) };
}

/** The operator's views and actions on the account page. */
export function operator(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    service = await composeInProcess(await makeWorld({ environment: { SIGNUP: "open", ...BEHIND_PROXY } }));
    boss = new Browser(service.app, { origin: PUBLIC });
    await boss.enter("operator@fabel.example");
    operatorId = await idOf(boss);
    await service.accounts.setAdmin(operatorId, true);
  });

  describe("an operator", () => {
    it("gains access with the next request, and loses it as soon as it is revoked", async () => {
      const { browser, id } = await person("soon@fabel.example");
      expectError(await browser.ask("GET", "/account/admin/traffic"), "FORBIDDEN");
      await service.accounts.setAdmin(id, true);
      expect((await browser.get<SessionState>("/account/session")).person?.isAdmin).toBe(true);
      expect((await browser.ask("GET", "/account/admin/traffic")).status).toBe(200);
      await service.accounts.setAdmin(id, false);
      expectError(await browser.ask("GET", "/account/admin/traffic"), "FORBIDDEN");
    });

    it("cannot suspend itself", async () => {
      expectError(await boss.ask("POST", `/account/admin/accounts/${operatorId}/suspend`, {}), "FORBIDDEN");
      expect((await boss.get<SessionState>("/account/session")).person?.isSuspended).toBe(false);
      expect((await boss.ask("POST", `/account/admin/accounts/${operatorId}/resume`, {})).status).toBe(204);
    });

    it("finds accounts with their usage by a part of the address or id", async () => {
      const { browser, id } = await person("zoek_mij@fabel.example");
      await person("zoekXmij@fabel.example");
      const { key } = await browser.post<{ key: string }>("/account/first-key");
      await browser.ask("GET", `/v1/lookup/${BAKERY}`, undefined, { authorization: `Bearer ${key}` });
      const found = await boss.get<AdminAccounts>("/account/admin/accounts?q=ZOEK_m");
      expect(found).toEqual({
        total: 1,
        page: 1,
        pageSize: 25,
        results: [
          {
            id,
            email: "zoek_mij@fabel.example",
            tier: "free",
            isSuspended: false,
            isAdmin: false,
            createdAt: new Date(NOON).toISOString(),
            liveKeys: 1,
            used: 1,
            limit: 50,
          },
        ],
      });
      expect(
        (await boss.get<AdminAccounts>(`/account/admin/accounts?q=${id.toLowerCase()}`)).results,
      ).toHaveLength(1);
      expect((await boss.get<AdminAccounts>("/account/admin/accounts?q=nobody-here")).results).toEqual([]);
      expectError(await boss.ask("GET", "/account/admin/accounts?page=0"), "INVALID_REQUEST");
      const text = (await boss.ask("GET", "/account/admin/accounts")).text;
      for (const secret of ["argon2", "password", "hash", key]) expect(text).not.toContain(secret);
    });

    it("pages through all accounts, each once", async () => {
      for (let index = 0; index < 60; index++)
        await service.accounts.create(`many-${index}@fabel.example`, "free");
      const seen: string[] = [];
      for (let page = 1; page <= 4; page++) {
        const { results, total } = await boss.get<AdminAccounts>(
          `/account/admin/accounts?q=many-&page=${page}`,
        );
        expect(total).toBe(60);
        seen.push(...results.map(({ id }) => id));
      }
      expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
    });

    it("assigns a plan, which closes the request, and suspends; both apply from the next call", async () => {
      const { browser, id } = await person("waits@fabel.example");
      await browser.post("/account/plans/request", { tier: "pro" });
      const { requests } = await boss.get<AdminPlanRequests>("/account/admin/plan-requests");
      expect(requests).toMatchObject([{ id, email: "waits@fabel.example", tier: "free", asked: "pro" }]);
      await boss.post(`/account/admin/accounts/${id}/tier`, { tier: "pro" });
      expect((await boss.get<AdminPlanRequests>("/account/admin/plan-requests")).requests).toEqual([]);
      expect((await browser.get<Plans>("/account/plans")).tier).toBe("pro");

      const { key } = await browser.post<{ key: string }>("/account/first-key");
      const call = () =>
        browser.ask("GET", `/v1/lookup/${BAKERY}`, undefined, { authorization: `Bearer ${key}` });
      expect((await call()).headers["x-ratelimit-limit"]).toBe("300");
      await boss.post(`/account/admin/accounts/${id}/suspend`);
      expectError(await call(), "FORBIDDEN");
      expect((await browser.get<SessionState>("/account/session")).person?.isSuspended).toBe(true);
      await boss.post(`/account/admin/accounts/${id}/resume`);
      expect((await call()).status).toBe(200);
      expectError(
        await boss.ask("POST", `/account/admin/accounts/${id}/tier`, { tier: "gold" }),
        "INVALID_REQUEST",
      );
      for (const word of ["suspend", "resume"]) {
        expectError(await boss.ask("POST", `/account/admin/accounts/acc_nobody/${word}`), "NOT_FOUND");
      }
      expectError(
        await boss.ask("POST", "/account/admin/accounts/acc_nobody/tier", { tier: "pro" }),
        "NOT_FOUND",
      );
      // The log has the changes, and nothing of the refused attempts.
      const { entries } = await service.state.people.audit({ offset: 0, limit: 9, accountId: id });
      const changes = entries.map(({ by, what, from, to }) => [by, what, from, to].join(" "));
      expect(changes.sort()).toEqual([
        `${operatorId} plan request pro `,
        `${operatorId} suspended false true`,
        `${operatorId} suspended true false`,
        `${operatorId} tier free pro`,
      ]);
      expect(new Set(entries.map(({ atMs }) => atMs))).toEqual(new Set([NOON]));
    });

    it("suspends an address, not only an account: deleting and recreating it changes nothing, and only dates are shown", async () => {
      const email = "comes-back@fabel.example";
      const { browser, id } = await person(email);
      await boss.post(`/account/admin/accounts/${id}/suspend`);
      const suspendedAt = new Date(NOON).toISOString();
      expect((await browser.ask("POST", "/account/delete", { password: PASSWORD })).status).toBe(204);
      const suspensions = await boss.get<AdminSuspensions>("/account/admin/suspensions");
      const keptUntil = new Date(NOON + 365 * 24 * 3_600_000).toISOString();
      expect(suspensions).toEqual({ suspensions: [{ suspendedAt, keptUntil }] });

      await browser.enter(email.toUpperCase());
      expect((await browser.get<SessionState>("/account/session")).person?.isSuspended).toBe(true);
      const { key } = await browser.post<{ key: string }>("/account/first-key");
      const call = () =>
        browser.ask("GET", `/v1/lookup/${BAKERY}`, undefined, { authorization: `Bearer ${key}` });
      expectError(await call(), "FORBIDDEN");
      const { results } = await boss.get<AdminAccounts>(`/account/admin/accounts?q=${email}`);
      expect(results).toMatchObject([{ email, isSuspended: true, suspendedAt }]);

      await service.accounts.remove(results[0]?.id ?? "");
      const { id: made, isSuspended } = await service.accounts.create(email, "pro");
      expect(isSuspended).toBe(true);
      await service.accounts.remove(made);
      const { token: invite } = await createInvite(service.state.people, service.accounts, { email }, NOON);
      await browser.enter(email, PASSWORD, { invite });
      expect((await browser.get<SessionState>("/account/session")).person?.isSuspended).toBe(true);
      expect((await browser.ask("POST", "/account/delete", { password: PASSWORD })).status).toBe(204);

      await service.accounts.resumeAddress(` ${email.toUpperCase()} `);
      await browser.enter(email);
      expect((await browser.get<SessionState>("/account/session")).person?.isSuspended).toBe(false);
      expect(await boss.get<AdminSuspensions>("/account/admin/suspensions")).toEqual({ suspensions: [] });
      await expect(service.accounts.resumeAddress(email)).rejects.toThrow("is not suspended");
    });

    it("sees the traffic of thirty days, equal to the ledgers", async () => {
      const { days } = await boss.get<AdminTraffic>("/account/admin/traffic");
      expect(days).toHaveLength(30);
      expect([days[0]?.day, days.at(-1)?.day]).toEqual(["2026-02-14", "2026-03-15"]);
      let tokens = 0;
      for (const { id } of await service.accounts.list()) {
        for (const line of await service.state.ledger.lines(id, "2026-03-15", "2026-03-15"))
          tokens += line.tokens;
      }
      expect(tokens).toBeGreaterThan(0);
      expect(days.at(-1)).toMatchObject({ tokens });
      expect(days[0]).toEqual({ day: "2026-02-14", requests: 0, tokens: 0, refusals: 0, accounts: 0 });
    });

    it("sees the service's dependencies and the current registry", async () => {
      const upstreams = await boss.get<AdminUpstreams>("/account/admin/upstreams");
      expect(upstreams).toMatchObject({ service: "degraded", registry: "up", vies: "down" });
      expect(upstreams.breakers.map(({ what }) => what)).toEqual(["address", "vies"]);
      const { snapshot } = await boss.get<AdminRegistry>("/account/admin/registry");
      expect(snapshot).toMatchObject({ file: "snapshot-1.sqlite", ageSeconds: expect.any(Number) });
      expect(snapshot?.companies).toBeGreaterThan(0);
      expect(snapshot?.origins.length).toBeGreaterThan(0);
      expect(snapshot?.layers).toEqual([
        {
          file: "snapshot-1.sqlite",
          kind: "base",
          builtAt: snapshot?.builtAt,
          companies: snapshot?.companies,
          bytes: snapshot?.bytes,
        },
      ]);
      const live = { KVK_API_KEY: "a-key-that-nobody-sees", KVK_API_URL: "http://127.0.0.1:1" };
      const empty = await composeInProcess(
        await makeWorld({ companies: [], environment: { SIGNUP: "open", ...live, ...BEHIND_PROXY } }),
      );
      const first = new Browser(empty.app, { origin: PUBLIC });
      await first.enter("first@fabel.example");
      await empty.accounts.setAdmin(await idOf(first), true);
      expect(await first.get<AdminRegistry>("/account/admin/registry")).toEqual({});
      const { breakers, paidCalls } = await first.get<AdminUpstreams>("/account/admin/upstreams");
      expect(breakers).toEqual(["address", "vies", "key", "kvk"].map((what) => ({ what, isOpen: false })));
      expect(paidCalls).toMatchObject({ made: 0, left: paidCalls?.most });
      const untilMs = Date.parse(paidCalls?.renewsAt ?? "") - Date.now();
      // A day in the Netherlands has at most 25 hours.
      expect(untilMs > 0 && untilMs <= 25 * 3_600_000).toBe(true);
    });
  });
}
