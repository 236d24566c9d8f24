import { describe, expect, it } from "vitest";
import type { AccountUsage, Plans, UsageMonths, UsageRange } from "../../../src/contract/accountResources.ts";
import type { AccountKeys } from "../../../src/contract/keyResources.ts";
import { BAKERY, UNKNOWN } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { NOON } from "../../kit/inProcess.ts";
import { until } from "../../kit/until.ts";
import type { MakeWorld } from "../../kit/world.ts";
import { call, make, Visitors } from "./visitors.ts";

/** Usage and plans: every view shows the same figures, equal to the ledger. */
export function usage(makeWorld: MakeWorld): void {
  const visitors = new Visitors(makeWorld);

  describe("usage", () => {
    it("equals the ledger to the token after a known load, in every view", async () => {
      const { browser, id } = await visitors.enter();
      await visitors.service.accounts.setTier(id, "tight");
      const [web, shop] = [await make(browser, "web"), await make(browser, '=cmd|"x"')];
      const days = ["2026-02-27", "2026-02-28", "2026-03-14", "2026-03-15"];
      for (const day of days) {
        visitors.service.setClock(Date.parse(`${day}T10:00:00.000Z`));
        for (const { key } of [web, shop]) {
          for (const path of [
            `/v1/lookup/${BAKERY}`,
            `/v1/lookup/${UNKNOWN}`,
            `/v1/autocomplete?q=fabelkorst`,
            "/v1/usage",
            "/v1/usage",
          ]) {
            await call(browser, key, path);
          }
        }
      }
      await call(browser, web.key, `/v1/lookup/${BAKERY}/branches`);
      visitors.service.setClock(NOON);
      const linesFrom = (day: string) => visitors.service.state.ledger.lines(id, day, "2026-03-31");
      const failures = async () =>
        (await linesFrom("2026-02-01")).reduce((total, line) => total + line.failedByCaller, 0);
      await until("all failures are counted", async () => (await failures()) === 8);
      const lines = await linesFrom("2026-03-01");
      const sum = (of: (line: (typeof lines)[number]) => number) =>
        lines.reduce((total, line) => total + of(line), 0);
      const tokens = sum((line) => line.tokens);
      const range = (query: string) => browser.get<UsageRange>(`/account/usage/range?${query}`);
      const march = await range("from=2026-03-01&to=2026-03-31");
      expect(march.total.tokens).toBe(tokens);
      expect(march.byKey.reduce((total, line) => total + line.tokens, 0)).toBe(tokens);
      expect(march.byOperation.reduce((total, line) => total + line.requests, 0)).toBe(march.total.requests);
      expect(march.byKey.map(({ name }) => name).sort()).toEqual(['=cmd|"x"', "web"]);
      const one = await range(`from=2026-02-28&to=2026-03-14&key=${web.id}`);
      const ofWeb = (await visitors.service.state.ledger.lines(id, "2026-02-28", "2026-03-14")).filter(
        ({ keyId }) => keyId === web.id,
      );
      expect(one.total.tokens).toBe(ofWeb.reduce((total, line) => total + line.tokens, 0));
      expect(one.byKey).toHaveLength(1);
      expect((await range("from=2026-03-01&to=2026-03-31&key=key_none")).total.requests).toBe(0);
      for (const wrong of [
        "",
        "from=2026-03-02&to=2026-03-01",
        "from=2025-01-01&to=2026-12-31",
        "from=x&to=2026-03-01",
      ]) {
        expectError(await browser.ask("GET", `/account/usage/range?${wrong}`), "INVALID_REQUEST");
      }
      expect((await visitors.service.state.ledger.spent(id))?.used).toBe(tokens);
      expect(tokens).toBe(8);

      const usage = await browser.get<AccountUsage>("/account/usage");
      expect(usage).toMatchObject({
        tier: "tight",
        limit: 10,
        used: tokens,
        remaining: 2,
        notice: 80,
        period: { start: "2026-03-01T00:00:00.000Z", end: "2026-04-01T00:00:00.000Z" },
        refusedByRate: sum((line) => line.refusedByRate),
        refusedByAllowance: sum((line) => line.refusedByAllowance),
        failedByCaller: 4,
        failedByService: 0,
      });
      expect(usage.refusedByRate).toBeGreaterThan(0);
      for (const list of [usage.byDay, usage.byKey]) {
        for (const figure of [
          "requests",
          "tokens",
          "refusedByRate",
          "refusedByAllowance",
          "failedByCaller",
        ] as const) {
          expect(list.reduce((total, row) => total + row[figure], 0)).toBe(sum((line) => line[figure]));
        }
      }
      const { months } = await browser.get<UsageMonths>("/account/usage/months");
      expect(months.map(({ month }) => month)).toEqual([
        "2025-04",
        "2025-05",
        "2025-06",
        "2025-07",
        "2025-08",
        "2025-09",
        "2025-10",
        "2025-11",
        "2025-12",
        "2026-01",
        "2026-02",
        "2026-03",
      ]);
      expect(months.at(-1)).toMatchObject({ tokens, requests: sum((line) => line.requests) });
      expect(months.at(-2)).toMatchObject({ tokens: 8 });

      const answer = await browser.ask("GET", "/account/usage.csv?month=2026-03");
      expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
      expect(answer.headers["content-disposition"]).toBe('attachment; filename="opzoek-usage-2026-03.csv"');
      const rows = answer.text.trim().split("\r\n");
      expect(rows).toHaveLength(lines.length + 1);
      expect(answer.text).toContain(`"'=cmd|""x"""`);
      expect(rows.slice(1).reduce((total, row) => total + Number(row.split(",").at(-13)), 0)).toBe(tokens);
      expect(rows.slice(1).reduce((total, row) => total + Number(row.split(",").at(-10)), 0)).toBe(4);
      expect((await browser.ask("GET", "/account/usage.csv")).text).toBe(answer.text);
      for (const month of ["2026-13", "2026", "x", "2026-3"]) {
        expectError(await browser.ask("GET", `/account/usage.csv?month=${month}`), "INVALID_REQUEST");
      }
      const keys = await browser.get<AccountKeys>("/account/keys");
      expect(keys.keys.reduce((total, key) => total + key.tokens, 0)).toBe(tokens);
    });

    it("of test keys is shown and marked in every view, and included in no paid figure", async () => {
      const { browser, id } = await visitors.enter();
      const [live, test] = [await make(browser, "live"), await make(browser, "proef", "test")];
      await call(browser, live.key, `/v1/lookup/${BAKERY}`);
      for (const path of ["/v1/lookup/99990001", "/v1/lookup/99990001/branches", "/v1/usage"]) {
        await call(browser, test.key, path);
      }
      const [paid, tested] = [
        { requests: 1, tokens: 1 },
        { requests: 3, tokens: 6 },
      ];
      expect(await browser.get("/account/usage")).toMatchObject({ used: 1, test: tested });
      const march = "from=2026-03-01&to=2026-03-31";
      const range = await browser.get<UsageRange>(`/account/usage/range?${march}`);
      expect(range).toMatchObject({
        total: paid,
        byOperation: [{ operation: "lookup", ...paid }],
        byKey: [{ keyId: live.id }],
        test: {
          total: tested,
          byOperation: [
            { operation: "branches", tokens: 5 },
            { operation: "lookup" },
            { operation: "usage" },
          ],
          byKey: [{ keyId: test.id, name: "proef", ...tested }],
        },
      });
      expect(await browser.get(`/account/usage/range?${march}&key=${test.id}`)).toMatchObject({
        total: { requests: 0, tokens: 0 },
        test: { total: tested },
      });
      expect(await browser.get(`/account/usage/range?${march}&key=${live.id}`)).not.toHaveProperty("test");
      const { months } = await browser.get<UsageMonths>("/account/usage/months");
      expect(months.at(-1)).toMatchObject({ month: "2026-03", ...paid, test: tested });
      expect(months.at(-2)).not.toHaveProperty("test");

      const csv = (await browser.ask("GET", "/account/usage.csv?month=2026-03")).text.replace("\ufeff", "");
      const [head = "", ...rows] = csv.trim().split("\r\n");
      const sum = (column: string) => {
        const at = head.split(",").indexOf(column);
        return rows.reduce((total, row) => total + Number(row.split(",")[at]), 0);
      };
      expect(["requests", "tokens", "test_requests", "test_tokens"].map(sum)).toEqual([1, 1, 3, 6]);
      expect(rows.filter((row) => row.includes(",proef,"))).toHaveLength(3);

      const { usage, testUsage } = await browser.get<{ usage: object[]; testUsage: object[] }>(
        "/account/export",
      );
      expect(usage).toMatchObject([{ keyId: live.id, tokens: 1 }]);
      expect(testUsage).toHaveLength(3);
      expect(testUsage).toContainEqual(
        expect.objectContaining({ keyId: test.id, operation: "branches", tokens: 5 }),
      );

      const operator = await visitors.enter();
      await visitors.service.accounts.setAdmin(operator.id, true);
      const seen = await operator.browser.get(`/account/admin/accounts/${id}/usage?month=2026-03`);
      expect(seen).toMatchObject({
        byOperation: [{ operation: "lookup", ...paid }],
        testByOperation: [
          { operation: "branches", tokens: 5 },
          { operation: "lookup" },
          { operation: "usage" },
        ],
      });
    });

    it("of an account without calls is empty, and a spent allowance is reported at 100 %", async () => {
      const { browser, id } = await visitors.enter();
      expect(await browser.get<AccountUsage>("/account/usage")).toMatchObject({
        used: 0,
        remaining: 50,
        byDay: [],
        byKey: [],
      });
      const { key } = await make(browser, "k");
      for (let time = 0; time < 10; time++) await call(browser, key, `/v1/lookup/${BAKERY}?enrich=true`);
      expect(await browser.get<AccountUsage>("/account/usage")).toMatchObject({
        used: 50,
        remaining: 0,
        notice: 100,
      });
      expect((await visitors.service.state.ledger.spent(id))?.used).toBe(50);
    });
  });

  describe("a plan", () => {
    it("is requested by a person and assigned by the operator; it applies at once", async () => {
      const { browser, id } = await visitors.enter();
      const plans = await browser.get<Plans>("/account/plans");
      expect(plans.tier).toBe("free");
      expect(plans.tiers).toContainEqual({ name: "pro", monthlyTokens: 5_000, ratePerMinute: 300 });
      expect(plans.prices).toContainEqual({ operation: "branches", tokens: 5 });
      expectError(await browser.ask("POST", "/account/plans/request", { tier: "gold" }), "INVALID_REQUEST");
      expectError(await browser.ask("POST", "/account/plans/request", { tier: "free" }), "INVALID_REQUEST");
      const planRequest = await browser.post<Plans>("/account/plans/request", { tier: "pro" });
      expect(planRequest).toMatchObject({ tier: "free", asked: { tier: "pro" } });
      expect((await browser.ask("DELETE", "/account/plans/request")).status).toBe(204);
      expect(await browser.get<Plans>("/account/plans")).not.toHaveProperty("asked");
      await browser.post("/account/plans/request", { tier: "starter" });
      await visitors.service.accounts.setTier(id, "starter");
      expect(await browser.get<Plans>("/account/plans")).toEqual({ ...plans, tier: "starter" });
      expect(await browser.get<AccountUsage>("/account/usage")).toMatchObject({
        tier: "starter",
        limit: 1_000,
      });
    });
  });
}
