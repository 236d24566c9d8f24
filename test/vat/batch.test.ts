/** An enriched batch queries VIES concurrently, and returns every company it has in time. */
import { beforeAll, expect, it } from "vitest";
import { type Answer, inject, jsonOf, numberIn } from "../kit/answer.ts";
import { expectBalance, expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { until } from "../kit/until.ts";
import { composeOverVies, type OverVies } from "../kit/vat.ts";
import { queriedNumbers, requestsFor } from "../kit/vies.ts";
import * as companies from "./companies.ts";

const endpoint = { method: "POST", path: "/v1/lookup/batch" } as const;
const PER_STATE = 5;

interface Result {
  readonly kvkNumber: string;
  readonly vat?: { readonly status: string; readonly valid?: boolean };
  readonly source: { readonly vies?: string };
}

interface Batch {
  readonly results: readonly Result[];
  readonly failed: readonly unknown[];
  readonly tokensUsed: number;
}

/** Nothing stays fresh, so every batch queries VIES. */
const compose = (environment: Readonly<Record<string, string>>) =>
  composeOverVies({
    companies: companies.VAT_COMPANIES,
    vies: { companyOf: companies.knownToVies },
    tiers: { "has-20": { monthlyTokens: 20, ratePerMinute: 1_000 } },
    environment: {
      VIES_FRESH_FOR: "0",
      VIES_REFUSAL_FRESH_FOR: "0",
      VIES_PER_STATE: String(PER_STATE),
      ...environment,
    },
  });

let over: OverVies;
beforeAll(async () => {
  over = await compose({ VIES_BATCH_DEADLINE_MS: "60000" });
});

function send(of: OverVies, kvkNumbers: readonly string[], key = of.account.key): Promise<Answer> {
  const body = { kvkNumbers, enrich: true };
  return inject(of.service.app, { method: "POST", path: "/v1/lookup/batch", key, body });
}

async function batch(kvkNumbers: readonly string[], of = over): Promise<Batch> {
  const answer = await send(of, kvkNumbers);
  expect(answer.status).toBe(200);
  expectDocumented(endpoint, answer);
  expectBalance(answer);
  const body = jsonOf(answer) as Batch;
  expect(body.tokensUsed).toBe(numberIn(answer, "x-tokens-charged"));
  expect(body.results.map(({ kvkNumber }) => kvkNumber)).toEqual(kvkNumbers);
  expect(body.failed).toEqual([]);
  return body;
}

const statusesOf = ({ results }: Batch) => results.map(({ vat }) => vat?.status);

it("a batch returns each company's own enriched lookup, for the sum of their prices", async () => {
  const all = companies.VAT_COMPANIES.slice(0, 16).map(({ facts }) => facts.kvkNumber);
  const { results, tokensUsed } = await batch(all);
  let price = 0;
  for (const [index, kvkNumber] of all.entries()) {
    const alone = await inject(over.service.app, {
      path: `/v1/lookup/${kvkNumber}?enrich=true`,
      key: over.account.key,
    });
    price += numberIn(alone, "x-tokens-charged");
    const { vat, ...rest } = jsonOf(alone) as Result;
    const { vat: batchVat, ...batchRest } = results[index] ?? { kvkNumber: "", source: {} };
    expect(batchRest).toEqual(rest);
    if (vat === undefined) expect(batchVat).toBeUndefined();
    else expect({ ...batchVat, validatedAt: "" }).toEqual({ ...vat, validatedAt: "" });
  }
  expect(tokensUsed).toBe(price);
});

it("a batch queries a number shared by two companies once", async () => {
  const before = requestsFor(over.vies, companies.UNITED_NUMBER);
  expect(statusesOf(await batch(companies.UNITED))).toEqual(["validated", "validated"]);
  expect(requestsFor(over.vies, companies.UNITED_NUMBER) - before).toBe(1);
});

it("a batch of a hundred queries each number once, within the limit of concurrent calls per state", async () => {
  const before = queriedNumbers(over.vies).length;
  over.vies.setFault("NL", { kind: "latency", ms: 10 });
  const { results, tokensUsed } = await batch(companies.PLAIN_DERIVED);
  over.vies.clearFaults();
  const statuses = new Set(results.map(({ vat }) => vat?.status));
  expect([...statuses]).toEqual(["validated"]);
  expect(tokensUsed).toBe(500);
  const queried = queriedNumbers(over.vies).slice(before);
  expect([queried.length, new Set(queried).size]).toEqual([100, 100]);
  expect(over.vies.counts.states.NL?.maxInFlight).toBe(PER_STATE);
});

it("a batch of a hundred while a state hangs returns the others' verdicts, cached ones as stale, the rest unvalidated", async () => {
  const hanging = await compose({ VIES_BATCH_DEADLINE_MS: "3000", VIES_DEADLINE_MS: "3000" });
  const [cached, fresh] = [companies.PLAIN_DERIVED.slice(0, 50), companies.PLAIN_DERIVED.slice(50, 94)];
  await until("half of them are cached", async () =>
    statusesOf(await batch(cached, hanging)).every((status) => status === "validated"),
  );
  hanging.vies.setFault("NL", { kind: "hang" });
  const others = [companies.MALFORMED, companies.NUMBERLESS, companies.IDLE_DERIVED];
  const body = await batch([...cached, ...companies.BELGIAN, ...fresh, ...others], hanging);
  expect(statusesOf(body)).toEqual([
    ...cached.map(() => "stale"),
    ...companies.BELGIAN.map(() => "validated"),
    ...fresh.map(() => "unvalidated"),
    "malformed",
    undefined,
    "unvalidated",
  ]);
  for (const { vat, source } of body.results) {
    expect(source.vies).toBe(vat?.status);
    if (vat?.status === "unvalidated") expect(vat).not.toHaveProperty("valid");
    else if (vat !== undefined) expect(vat.valid).toBe(vat.status !== "malformed");
  }
  // Nothing is added to the last one.
  expect(body.tokensUsed).toBe(5 * 99 + 1);
  expect(hanging.vies.counts.states.NL?.maxInFlight).toBe(PER_STATE);
  await until("nothing is in progress at VIES", () => hanging.vies.counts.all.inFlight === 0);
});

it("a batch must be covered at its full price before VIES is queried, and is settled to what was delivered", async () => {
  const { key } = await over.service.account("has-20");
  const requestsBefore = over.vies.counts.all.requests;
  expectError(await send(over, companies.PLAIN_DERIVED.slice(0, 5), key), "QUOTA_EXCEEDED");
  expect(over.vies.counts.all.requests).toBe(requestsBefore);
  const answer = await send(
    over,
    [companies.IDLE_REFUSED, companies.IDLE_NUMBERLESS, companies.DERIVED, "59999999"],
    key,
  );
  expect([numberIn(answer, "x-tokens-charged"), numberIn(answer, "x-tokens-remaining")]).toEqual([11, 9]);
  expect(jsonOf(answer)).toMatchObject({ failed: [{ error: { code: "NOT_FOUND" } }], tokensUsed: 11 });
});
