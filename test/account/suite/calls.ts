import { beforeAll, describe, expect, it } from "vitest";
import type { AccountCalls, AccountUsage, SessionState } from "../../../src/contract/accountResources.ts";
import type { NewAccountKey } from "../../../src/contract/keyResources.ts";
import { BEHIND_PROXY, Browser, PUBLIC } from "../../kit/browser.ts";
import { BAKERY, UNKNOWN } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../../kit/inProcess.ts";
import { until } from "../../kit/until.ts";
import type { MakeWorld } from "../../kit/world.ts";

/** Nothing listens on this port. */
const NO_VIES = "http://127.0.0.1:9/rest";
let service: InProcess;
let count = 0;

async function enter(of = service): Promise<Browser> {
  const browser = new Browser(of.app, { origin: PUBLIC });
  await browser.enter(`calls-${++count}@fabel.example`);
  return browser;
}

/** The recent calls of an account: the outcome of each, never its input. */
export function calls(makeWorld: MakeWorld): void {
  const environment = { SIGNUP: "open", VIES_URL: NO_VIES, ...BEHIND_PROXY };
  beforeAll(async () => {
    service = await composeInProcess(await makeWorld({ environment }));
  });

  describe("calls", () => {
    it("show status, code, tokens and key, also for 404, 502 and calls from the page, and nothing of the input", async () => {
      const browser = await enter();
      const { key, id } = await browser.post<NewAccountKey>("/account/keys", { name: "web" });
      const expectedCalls: [string, number, string | undefined, number][] = [
        [`/v1/lookup/${BAKERY}`, 200, undefined, 1],
        [`/v1/lookup/${UNKNOWN}`, 404, "NOT_FOUND", 0],
        ["/v1/validate/vat/DE123456789", 502, "UPSTREAM_ERROR", 0],
        ["/v1/lookup/5", 400, "INVALID_KVK_NUMBER", 0],
        ["/v1/nowhere", 404, "ROUTE_NOT_FOUND", 0],
      ];
      const requestIds: (string | undefined)[] = [];
      for (const [path, status] of expectedCalls) {
        const answer = await browser.ask("GET", path, undefined, { authorization: `Bearer ${key}` });
        expect(answer.status, path).toBe(status);
        requestIds.push(answer.headers["x-request-id"]);
      }
      await browser.post("/account/try", { method: "GET", path: `/v1/lookup/${BAKERY}` });
      const read = (query = "") => browser.get<AccountCalls>(`/account/calls${query}`);
      const accountId = (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";
      const noted = () => service.state.calls.calls(accountId, 0, {}, { offset: 0, limit: 1 });
      await until("all calls are recorded", async () => (await noted()).total === 6);
      const listed = await read();
      expect(listed).toMatchObject({ isOn: true, maxCalls: 1_000, days: 7, page: 1 });
      const own = listed.calls.filter((call) => call.keyId === id).reverse();
      expect(own.map(({ status, code, tokens, requestId }) => [status, code, tokens, requestId])).toEqual(
        expectedCalls.map(([, status, code, tokens], index) => [status, code, tokens, requestIds[index]]),
      );
      expect(own.map(({ operation }) => operation)).toEqual([
        "lookup",
        "lookup",
        "validate",
        "lookup",
        "other",
      ]);
      for (const call of own) {
        expect(call).toMatchObject({ name: "web", lastFour: key.slice(-4) });
        expect(call.at).toMatch(/^2026-03-15T12:00:10/);
        expect(call.durationMs).toBeGreaterThan(0);
      }
      expect(listed.calls.filter(({ isPage }) => isPage)).toMatchObject([
        { status: 200, tokens: 1, name: "this page" },
      ]);
      const { text } = await browser.ask("GET", "/account/calls");
      for (const secret of [BAKERY, UNKNOWN, "DE123456789", "nowhere", "apikey", key.slice(9, 40)]) {
        expect(text).not.toContain(secret);
      }
      expect((await read("?status=4xx")).total).toBe(3);
      expect((await read(`?status=404&operation=lookup&key=${id}`)).total).toBe(1);
      expect((await read("?operation=validate")).calls).toMatchObject([
        { status: 502, code: "UPSTREAM_ERROR" },
      ]);
      expect((await read("?key=key_none")).total).toBe(0);
      for (const query of ["?status=600", "?status=ok", "?operation=none", "?page=21", "?page=0", "?q=1"]) {
        expectError(await browser.ask("GET", `/account/calls${query}`), "INVALID_REQUEST");
      }
      expect((await (await enter()).get<AccountCalls>("/account/calls")).total).toBe(0);

      const failed = async () => {
        const { failedByCaller, failedByService, ...usage } =
          await browser.get<AccountUsage>("/account/usage");
        return { total: [failedByCaller, failedByService], ...usage };
      };
      await until("all failures are counted", async () => String((await failed()).total) === "3,1");
      const { byDay, byKey } = await failed();
      expect(
        byDay.map(({ operation, requests, failedByCaller, failedByService }) => [
          operation,
          requests,
          failedByCaller,
          failedByService,
        ]),
      ).toEqual([
        ["lookup", 4, 2, 0],
        ["other", 1, 1, 0],
        ["validate", 1, 0, 1],
      ]);
      expect(byKey).toMatchObject([
        { keyId: id, failedByCaller: 3, failedByService: 1 },
        { isPage: true, failedByCaller: 0, failedByService: 0 },
      ]);
    });

    it("of a suspended account count as failed, not as refused", async () => {
      const browser = await enter();
      const { key } = await browser.post<NewAccountKey>("/account/keys", { name: "web" });
      const accountId = (await browser.get<SessionState>("/account/session")).person?.accountId ?? "";
      await service.accounts.setSuspended(accountId, true);
      const path = `/v1/lookup/${BAKERY}`;
      const answer = await browser.ask("GET", path, undefined, { authorization: `Bearer ${key}` });
      expectError(answer, "FORBIDDEN");
      const usage = () => browser.get<AccountUsage>("/account/usage");
      await until("the failure is counted", async () => (await usage()).failedByCaller === 1);
      expect(await usage()).toMatchObject({ failedByService: 0, refusedByRate: 0, refusedByAllowance: 0 });
      expect((await usage()).byKey).toMatchObject([{ requests: 1, tokens: 0, failedByCaller: 1 }]);
    });

    it("report the number that could not be recorded", async () => {
      const busy = await composeInProcess(await makeWorld({ environment }), {
        replace: ({ state }) => ({
          state: {
            ...state,
            calls: { ...state.calls, addCalls: () => Promise.reject(new Error("the state is away")) },
          },
        }),
      });
      const [one, other] = [await enter(busy), await enter(busy)];
      for (let time = 0; time < 3; time++)
        await one.post("/account/try", { method: "GET", path: `/v1/lookup/${BAKERY}` });
      const read = (browser: Browser) => browser.get<AccountCalls>("/account/calls");
      await until("all three are reported as not recorded", async () => (await read(one)).leftOut === 3);
      expect(await read(one)).toMatchObject({ total: 0, isOn: true });
      expect((await read(other)).leftOut).toBe(0);
    });

    it("are not recorded when the operator disables it, which the page shows; failures are still counted", async () => {
      const off = await composeInProcess(
        await makeWorld({ environment: { ...environment, RECENT_CALLS: "off" } }),
      );
      const browser = await enter(off);
      await browser.post("/account/try", { method: "GET", path: `/v1/lookup/${BAKERY}` });
      await browser.post("/account/try", { method: "GET", path: `/v1/lookup/${UNKNOWN}` });
      expect(await browser.get<AccountCalls>("/account/calls")).toMatchObject({ isOn: false, total: 0 });
      const person = await off.state.people.personByEmail(`calls-${count}@fabel.example`);
      // By now everything recorded would be written.
      await off.app.close();
      const stored = await off.state.calls.calls(person?.account.id ?? "", 0, {}, { offset: 0, limit: 9 });
      expect(stored.total).toBe(0);
      const lines = await off.state.ledger.lines(person?.account.id ?? "", "2026-03-01", "2026-03-31");
      expect(lines).toMatchObject([{ requests: 2, tokens: 1, failedByCaller: 1, failedByService: 0 }]);
    });
  });
}
