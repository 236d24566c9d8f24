/**
 * If the snapshot has too few hits for a search by words alone, KVK's Zoeken is queried too; its outage removes no hit.
 */
import { expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { type Answer, codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { kvkNumber } from "../kit/companies.ts";
import { expectBalance, expectDocumented } from "../kit/contractAnswer.ts";
import { serveOverKvkHere } from "../kit/kvk.ts";
import { opzoek } from "../kit/opzoek.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";

const SEARCH = { method: "GET", path: "/v1/search" } as const;
const AS_OF = "2026-03-01T00:00:00.000Z";

function company(digits: string, name: string): CompanyFacts {
  return { kvkNumber: kvkNumber(digits), name, isActive: true };
}

const HERE = company("60000001", "Zilverreiger Here B.V.");
const BOTH = company("60000002", "Zilverreiger Both B.V.");
const THERE = company("60000003", "Zilverreiger There B.V.");
const OTHER = company("60000004", "Zilverreiger Other B.V.");

const inSnapshot = (facts: CompanyFacts) => ({ origin: "import:list", asOf: AS_OF, facts });

function overBoth(environment: Record<string, string> = {}, known: readonly CompanyFacts[] = [HERE, BOTH]) {
  return serveOverKvkHere({
    companies: known.map(inSnapshot),
    kvk: { companies: [BOTH, THERE, OTHER] },
    environment,
  });
}

interface Row {
  readonly kvkNumber: string;
  readonly origin?: string;
}

const rowsIn = (answer: { readonly text: string }) =>
  (JSON.parse(answer.text) as { results: readonly Row[] }).results.map(({ kvkNumber: number, origin }) => [
    number,
    origin,
  ]);

/** The response once it includes KVK's rows: on a busy machine that may take longer than the service waits. */
function whenAll(count: number, ask: () => Promise<Answer>): Promise<Answer> {
  return until(`there are ${count} rows`, async () => {
    const answer = await ask();
    return rowsIn(answer).length === count ? answer : undefined;
  });
}

it("a search appends KVK's rows to the snapshot's, each company once, with its origin", async () => {
  const { kvk, get } = await overBoth();
  const answer = await whenAll(4, () => get("/v1/search?q=zilverreiger"));
  expectDocumented(SEARCH, answer);
  const rows = rowsIn(answer);
  expect(rows.slice(0, 2).sort()).toEqual([
    [HERE.kvkNumber, "snapshot"],
    [BOTH.kvkNumber, "snapshot"],
  ]);
  expect(rows.slice(2).sort()).toEqual([
    [THERE.kvkNumber, "kvk-api"],
    [OTHER.kvkNumber, "kvk-api"],
  ]);
  expect(jsonOf(answer)).toMatchObject({ total: 4, totalIsExact: false });
  expect(numberIn(answer, "x-tokens-charged")).toBe(1);
  expectBalance(answer);
  expect(kvk.counts.products.basisprofiel.requests).toBe(0);
  // KVK's answer is cached for the next caller.
  const requestsBefore = kvk.counts.all.requests;
  expect((await get("/v1/search?q=zilverreiger")).text).toBe(answer.text);
  expect(kvk.counts.all.requests).toBe(requestsBefore);
});

it("a search does not query KVK for a full page, for a later page, or with criteria other than words", async () => {
  const { kvk, get } = await overBoth();
  for (const more of [
    "&pageSize=2",
    "&page=2",
    "&city=Utrecht",
    "&isActive=true",
    "&legalForm=BV",
    "&sbiCode=62",
  ]) {
    const answer = await get(`/v1/search?q=zilverreiger${more}`);
    expect([more, answer.status]).toEqual([more, 200]);
    expect(rowsIn(answer).every(([, origin]) => origin === undefined)).toBe(true);
    expect(jsonOf(answer)).not.toHaveProperty("totalIsExact");
  }
  expect(jsonOf(await get("/v1/search?city=Utrecht"))).toMatchObject({ total: 0 });
  expect(kvk.counts.all.requests).toBe(0);
});

it.each(
  variants(
    [
      ["is down", { kind: "reset" }],
      ["hangs", { kind: "hang" }],
      ["refuses the key", { kind: "gateway", status: 401 }],
      ["answers nonsense", { kind: "html" }],
    ] as const,
    { ordinary: 1 },
  ),
)("a search returns the snapshot's rows, and that there may be more, while KVK %s", async (_name, fault) => {
  const { kvk, get } = await overBoth();
  kvk.setFault("*", fault);
  const answer = await get("/v1/search?q=zilverreiger");
  expect(answer.status).toBe(200);
  expect(
    rowsIn(answer)
      .map(([number]) => number)
      .sort(),
  ).toEqual([HERE.kvkNumber, BOTH.kvkNumber]);
  expect(jsonOf(answer)).toMatchObject({ total: 2, totalIsExact: false });
  expect(numberIn(answer, "x-tokens-charged")).toBe(1);
});

it("a search caches an answer that came too late for its caller, for the next one", async () => {
  const { kvk, get } = await overBoth();
  kvk.setFault("*", { kind: "latency", ms: 1_000 });
  expect(rowsIn(await get("/v1/search?q=zilverreiger"))).toHaveLength(2);
  await whenAll(4, () => get("/v1/search?q=zilverreiger"));
  expect(kvk.counts.all.requests).toBe(1);
});

it("a search returns no suppressed company", async () => {
  const { world, get } = await overBoth();
  const { code } = await opzoek(["forget", THERE.kvkNumber], world.environment);
  expect(code).toBe(0);
  await until("the service has the list", async () => {
    const { status } = await get(`/v1/lookup/${THERE.kvkNumber}`);
    return status === 404;
  });
  const answer = await whenAll(3, () => get("/v1/search?q=zilverreiger"));
  const numbers = rowsIn(answer).map(([number]) => number);
  expect([...numbers].sort()).toEqual([HERE.kvkNumber, BOTH.kvkNumber, OTHER.kvkNumber]);
});

it("a search uses at most the account's share of KVK searches", async () => {
  const { kvk, world, get } = await overBoth({ KVK_SEARCHES_PER_MINUTE: "2" });
  const search = (q: string, by?: string) => get(`/v1/search?q=${encodeURIComponent(q)}`, by);
  for (const q of ["zilverreiger there", "zilverreiger other"]) await search(q);
  await until("KVK was queried twice", () => kvk.counts.all.requests === 2);
  expect(rowsIn(await search("zilverreiger both"))).toEqual([[BOTH.kvkNumber, undefined]]);
  expect(kvk.counts.all.requests).toBe(2);
  const { key } = await world.account("plenty");
  await search("zilverreiger", key);
  await until("KVK was queried for the other account", () => kvk.counts.all.requests === 3);
});

it("a search does not query KVK if the operator disables that, and its validation is unchanged", async () => {
  const { kvk, get } = await overBoth({ KVK_SEARCHES_PER_MINUTE: "0" });
  const answer = await get("/v1/search?q=zilverreiger");
  expect(jsonOf(answer)).toMatchObject({ total: 2 });
  expect(jsonOf(answer)).not.toHaveProperty("totalIsExact");
  expect(kvk.counts.all.requests).toBe(0);
  expect(codeOf(await get("/v1/search?q=z"))).toBe("INVALID_REQUEST");
});

it("a search by an account without tokens charges nothing and does not query KVK", async () => {
  const { kvk, world, get } = await serveOverKvkHere({
    companies: [HERE].map(inSnapshot),
    kvk: { companies: [THERE] },
    tiers: { one: { monthlyTokens: 1, ratePerMinute: 1_000 } },
  });
  const { key } = await world.account("one");
  expect((await get("/v1/search?q=zilverreiger", key)).status).toBe(200);
  // On a busy machine the response may arrive before KVK is queried.
  await until("KVK is queried", () => kvk.counts.all.requests === 1);
  const refused = await get("/v1/search?q=zilverreiger%20here", key);
  expect([refused.status, codeOf(refused)]).toEqual([429, "QUOTA_EXCEEDED"]);
  expect(kvk.counts.all.requests).toBe(1);
});
