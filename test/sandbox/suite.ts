import { beforeAll, describe, expect, it } from "vitest";
import type { VatStatus } from "../../src/contract/vatResources.ts";
import type { KvkSimulator } from "../../src/demo/kvk/server.ts";
import type { ViesSimulator } from "../../src/demo/vies/server.ts";
import { TEST_COMPANIES } from "../../src/lookup/sandbox/companies.ts";
import {
  NO_COMPANY,
  REFUSED_REQUESTER,
  SLOW,
  SLOW_MS,
  TEST_CONSULTATION,
  TEST_MATCHES,
  TEST_OUTCOMES,
  TEST_QUERIES,
  TEST_VAT_NUMBERS,
  UNCOUNTED,
} from "../../src/lookup/sandbox/outcomes.ts";
import { jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectBalance, expectError } from "../kit/contractAnswer.ts";
import { startKvk } from "../kit/kvk.ts";
import { type Service, startService } from "../kit/service.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { startVies } from "../kit/vies.ts";
import { type MakeWorld, PLENTY, type World } from "../kit/world.ts";
import { countsOfTestKeys, type Keys, LEFT } from "./counting.ts";
import { expectSimulated } from "./simulated.ts";

/** Responses to test keys and their isolation, on the state of `makeWorld`. */
export function testKeySuite(name: string, makeWorld: MakeWorld): void {
  describe(`test keys, ${name}`, () => {
    let world: World;
    let service: Service;
    let kvk: KvkSimulator;
    let vies: ViesSimulator;
    let plenty: Keys;
    let count = 0;

    async function account(tierName: string): Promise<Keys> {
      return world.withAccounts(async (accounts) => {
        const { id } = await accounts.create(`tester-${++count}@fabel.example`, tierName);
        const [live, test, other] = [
          await accounts.createKey(id, "live"),
          await accounts.createKey(id, "test", "test"),
          await accounts.createKey(id, "other", "test"),
        ];
        return { accountId: id, live: live.key, test: test.key, tests: [test.key, other.key] };
      });
    }
    const get = (path: string, key = plenty.test) => ask(service, { path, key });
    const batch = (kvkNumbers: readonly string[], more = {}) =>
      ask(service, {
        method: "POST",
        path: "/v1/lookup/batch",
        key: plenty.test,
        body: { kvkNumbers, ...more },
      });

    const match = (queries: readonly object[], key = plenty.test) =>
      ask(service, { method: "POST", path: "/v1/match", key, body: { queries } });

    const restart = async (signal: NodeJS.Signals) => {
      await service.end(signal);
      service = await startService(world);
    };

    beforeAll(async () => {
      [kvk, vies] = await Promise.all([startKvk(), startVies()]);
      world = await makeWorld({
        tiers: { few: { ...PLENTY, monthlyTokens: LEFT }, slow: { monthlyTokens: 50, ratePerMinute: 3 } },
        environment: { KVK_API_URL: kvk.url, KVK_API_KEY: kvk.apiKey, VIES_URL: vies.url },
      });
      await awayFromMonthEnd();
      plenty = await account("plenty");
      service = await startService(world);
    });

    it("return each company of the table, basic and enriched, with its number and name", async () => {
      for (const { facts } of TEST_COMPANIES) {
        const { kvkNumber, name: shownName, isActive } = facts;
        const [basic, enriched] = [
          await get(`/v1/lookup/${kvkNumber}`),
          await get(`/v1/lookup/${kvkNumber}?enrich=true`),
        ];
        expect([basic.status, enriched.status]).toEqual([200, 200]);
        expectBalance(basic);
        for (const answer of [basic, enriched])
          expect(jsonOf(answer)).toMatchObject({ kvkNumber, name: shownName, isActive });
        expect(numberIn(basic, "x-tokens-charged")).toBe(1);
        expect(numberIn(enriched, "x-tokens-charged")).toBe(kvkNumber === "99990014" ? 1 : 5);
      }
    });

    it("show every state of a VAT number, of an address and of missing data", async () => {
      const enriched = async (kvkNumber: string) => jsonOf(await get(`/v1/lookup/${kvkNumber}?enrich=true`));
      const states: readonly [string, VatStatus | undefined, boolean | undefined][] = [
        ["99990001", "validated", true],
        ["99990002", "validated", false],
        ["99990003", "stale", true],
        ["99990004", "unvalidated", undefined],
        ["99990005", "malformed", false],
        ["99990006", "validated", true],
        ["99990009", undefined, undefined],
      ];
      for (const [kvkNumber, status, valid] of states) {
        const { vat, source } = (await enriched(kvkNumber)) as Record<
          string,
          Record<string, unknown> | undefined
        >;
        expect([vat?.["status"], vat?.["valid"], source?.["vies"]]).toEqual([status, valid, status]);
        expect(vat?.["ageSeconds"]).toBe(status === "stale" ? 172_800 : undefined);
      }
      expect(await enriched("99990009")).toHaveProperty("address", {
        city: "Teststad",
        country: "NL",
        isShielded: true,
      });
      expect(await enriched("99990010")).toMatchObject({
        address: { street: "Postbus", houseNumber: "9999" },
      });
      expect(await enriched("99990011")).toHaveProperty("address", {
        street: "Musterstraße 12",
        city: "Musterstadt",
        country: "DE",
      });
      expect(await enriched("99990012")).toMatchObject({ isActive: false, deregistrationDate: "2024-12-31" });
      expect(await enriched("99990013")).toHaveProperty("tradingNames.11");
      expect(await enriched("99990014")).toHaveProperty("address", {});
      expect(await enriched("99990015")).toHaveProperty("source.openData.fields.1", "startDate");
      expect(await enriched("99990017")).toMatchObject({
        source: { kvk: "kvk-api", cachedAt: "2024-01-01T00:00:00.000Z" },
      });
    });

    it("return branches, no branches, NOT_HELD and an outage", async () => {
      const branchesOf = (kvkNumber: string) => get(`/v1/lookup/${kvkNumber}/branches`);
      const three = await branchesOf("99990001");
      expect(jsonOf(three)).toMatchObject({
        branches: [{ isMain: true }, { isMain: false }, { isActive: false }],
      });
      expect(numberIn(three, "x-tokens-charged")).toBe(5);
      expect(jsonOf(await branchesOf("99990010"))).toMatchObject({ branches: [] });
      expect(jsonOf(await branchesOf("99990013"))).toHaveProperty("branches.24");
      for (const [kvkNumber, code] of [
        ["99990014", "NOT_HELD"],
        ["99990018", "UPSTREAM_ERROR"],
        [NO_COMPANY, "NOT_FOUND"],
      ] as const) {
        const answer = await branchesOf(kvkNumber);
        expectError(answer, code);
        expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      }
    });

    it("return each error for its number, in every place for a number, and charge nothing", async () => {
      for (const { kvkNumber, vatNumber, code } of TEST_OUTCOMES) {
        const before = numberIn(await get("/v1/usage"), "x-tokens-remaining");
        const answers = [
          await get(`/v1/lookup/${kvkNumber}`),
          await get(`/v1/lookup/${kvkNumber}?enrich=true`),
          await get(`/v1/lookup/${kvkNumber}/branches`),
          await get(`/v1/autocomplete?q=${kvkNumber}`),
          await get(`/v1/search?q=${kvkNumber}`),
          await get(`/v1/validate/vat/${vatNumber}`),
        ];
        for (const answer of answers) expectSimulated(answer, code);
        expect(numberIn(await get("/v1/usage"), "x-tokens-remaining")).toBe(before);
      }
      const unknown = await get(`/v1/lookup/${BAKERY}`);
      expectError(unknown, "NOT_FOUND");
      expect(unknown.text).toContain("test key");
      expectError(await get("/v1/lookup/1234567"), "INVALID_KVK_NUMBER");
      expectError(await get("/v1/validate/vat/GB123456789"), "INVALID_VAT_NUMBER");
      expectError(await get("/v1/autocomplete?q=a"), "INVALID_REQUEST");
    });

    it("return a batch with results and failed items, and an error for the whole batch for its number", async () => {
      const mixed = await batch(["99990001", NO_COMPANY, "12", "99990502", "99990014"], { enrich: true });
      expect(jsonOf(mixed)).toMatchObject({
        results: [{ kvkNumber: "99990001" }, { kvkNumber: "99990014" }],
        failed: [
          { kvkNumber: NO_COMPANY, error: { code: "NOT_FOUND" } },
          { kvkNumber: "12", error: { code: "INVALID_KVK_NUMBER" } },
          { kvkNumber: "99990502", error: { code: "UPSTREAM_ERROR" } },
        ],
        tokensUsed: 6,
      });
      for (const { kvkNumber, code } of TEST_OUTCOMES) {
        if (code !== "UPSTREAM_ERROR") expectSimulated(await batch(["99990001", kvkNumber]), code);
      }
    });

    it("match the names of the table, and return an error for the whole call for its number", async () => {
      const answer = await match(TEST_MATCHES.map(({ name: sent }) => ({ name: sent })));
      expect(jsonOf(answer)).toMatchObject({
        results: TEST_MATCHES.map(({ decision }) => ({ decision })),
        tokensUsed: TEST_MATCHES.length,
      });
      expect(jsonOf(answer)).toMatchObject({
        results: [
          { candidates: [{ kvkNumber: "99990001", matchedName: "Proefdeeg Catering" }] },
          { candidates: [{ match: false }, { match: false }] },
          { candidates: [] },
        ],
      });
      expect(numberIn(answer, "x-tokens-charged")).toBe(TEST_MATCHES.length);
      expect(jsonOf(await match([{ kvkNumber: NO_COMPANY }, { kvkNumber: BAKERY }]))).toMatchObject({
        results: [{ decision: "none" }, { decision: "none" }],
      });
      for (const { kvkNumber, vatNumber, code } of TEST_OUTCOMES) {
        for (const failing of [{ kvkNumber }, { vatNumber }])
          expectSimulated(await match([{ name: "proefdeeg" }, failing]), code);
      }
    });

    it("validate each VAT number of the table, and any other as not valid", async () => {
      for (const { vatNumber, answer: says, staleDays, shows } of TEST_VAT_NUMBERS) {
        if (vatNumber === SLOW.vatNumber) continue;
        const answer = await get(`/v1/validate/vat/${vatNumber}`);
        if (shows.startsWith("malformed")) {
          expect(jsonOf(answer)).toEqual({
            vatNumber,
            valid: false,
            status: "malformed",
            checksumValid: false,
          });
        } else if (says === undefined) expectError(answer, "UPSTREAM_ERROR");
        else {
          const status = staleDays === undefined ? "validated" : "stale";
          expect(jsonOf(answer)).toMatchObject({ vatNumber, ...says, status });
        }
      }
      expect(jsonOf(await get("/v1/validate/vat/DE999999999"))).toMatchObject({
        valid: false,
        status: "validated",
      });
      const path = "/v1/validate/vat/NL999990007B01?requester=";
      expect(jsonOf(await get(`${path}DE999999100`))).toMatchObject({
        consultationNumber: TEST_CONSULTATION,
      });
      expectError(await get(path + REFUSED_REQUESTER), "INVALID_REQUEST");
    });

    it("find companies by autocomplete, with a typo, by a trading name, and none", async () => {
      const found = async (q: string) =>
        (jsonOf(await get(`/v1/autocomplete?q=${encodeURIComponent(q)}&limit=20`)) as { results: object[] })
          .results;
      const [many = "", trading = "", misspelled = "", none = ""] = TEST_QUERIES.map(({ q }) => q);
      expect((await found(many)).length).toBeGreaterThan(10);
      expect((await found(trading))[0]).toMatchObject({
        kvkNumber: "99990001",
        matchedName: "Proefdeeg Catering",
      });
      expect((await found(misspelled))[0]).toMatchObject({ kvkNumber: "99990001", isFuzzy: true });
      expect(await found(none)).toEqual([]);
      expect(jsonOf(await get(`/v1/search?q=${UNCOUNTED}&pageSize=100&page=10`))).toMatchObject({
        total: 10_000,
        totalIsExact: false,
      });
      const bvs = jsonOf(await get("/v1/search?legalForm=BV&pageSize=3&page=2")) as {
        results: object[];
        total: number;
      };
      expect([bvs.results.length, bvs.total]).toEqual([
        3,
        TEST_COMPANIES.filter(({ facts }) => facts.legalForm === "BV").length,
      ]);
    });

    it("respond slowly where requested, with the price reserved meanwhile, and delay no other call", async () => {
      const beganMs = performance.now();
      const slow = Promise.all([
        get(`/v1/lookup/${SLOW.kvkNumber}`),
        get(`/v1/search?q=${SLOW.kvkNumber}`),
        get(`/v1/validate/vat/${SLOW.vatNumber}`),
        batch([SLOW.kvkNumber, "99990001"]),
        match([{ kvkNumber: SLOW.kvkNumber }]),
      ]);
      expect((await get("/v1/lookup/99990001")).status).toBe(200);
      for (const { status } of await slow) expect(status).toBe(200);
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual(SLOW_MS - 50);
    });

    it("query no upstream, whatever is requested", () => {
      expect(vies.log).toEqual([]);
      expect(kvk.log).toEqual([]);
    });

    it("refuse a test key with a changed letter", async () => {
      const wrong = plenty.test.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
      expectError(await get("/v1/lookup/99990001", wrong), "UNAUTHORIZED");
    });

    countsOfTestKeys(() => ({ world, service, account, get, restart }));
  });
}
