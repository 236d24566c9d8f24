import { describe, expect, it } from "vitest";
import { type BreakerOptions, Breakers, callOutcome } from "../../upstream/breakers.ts";
import { KVK_PARTS, kvkHealth } from "./breakers.ts";
import * as codes from "./codes.ts";
import { readKvkResponse } from "./readResponse.ts";
import { isPaid, type KvkResult, type KvkScope, PRODUCTS, type Product } from "./results.ts";

const AT = "2026-10-03T21:02:05.698Z";
const BODY: KvkResult = { kind: "found", value: {}, asOf: AT };
const NOT_FOUND: KvkResult = { kind: "not-found", reason: "IPD0005", asOf: AT };

function wordOf(code: string, status = 404): KvkResult {
  const text = JSON.stringify({ fout: [{ code }] });
  const headers = { "content-type": "application/json" };
  return readKvkResponse({ kind: "response", status, text, headers }, AT);
}

describe("the effect of a result on key, KVK and product", () => {
  const table: readonly (readonly [
    name: string,
    outcome: KvkResult | undefined,
    key: string,
    kvk: string,
    product: string,
  ])[] = [
    ["an answer", BODY, "worked", "worked", "worked"],
    ["nothing found", NOT_FOUND, "worked", "worked", "worked"],
    ["try later", wordOf("IPD1003"), "worked", "worked", "worked"],
    ["a wrong request", wordOf("IPD1999", 400), "worked", "worked", "worked"],
    ["a technical error", wordOf("IPD9999", 500), "unknown", "worked", "failed"],
    ["a refused key", codes.KEY_REFUSED, "failed", "worked", "unknown"],
    ["too many calls", codes.RATE_LIMITED, "unknown", "failed", "unknown"],
    ["unreachable", codes.UNREACHABLE, "unknown", "failed", "unknown"],
    ["an untrusted certificate", codes.UNTRUSTED, "unknown", "failed", "unknown"],
    ["HTML", codes.UNREADABLE, "unknown", "unknown", "failed"],
    ["a wrong address", codes.NO_SUCH_ADDRESS, "unknown", "unknown", "failed"],
    ["a time-out", codes.TIMED_OUT, "unknown", "unknown", "failed"],
    ["no time left", codes.CUT_SHORT, "unknown", "unknown", "unknown"],
    ["no budget left", codes.BUDGET_SPENT, "unknown", "unknown", "unknown"],
    ["a wait in vain", codes.QUEUED_TOO_LONG, "unknown", "unknown", "unknown"],
    ["a call that broke off", undefined, "unknown", "unknown", "unknown"],
  ];

  it.each(table)("%s", (_, outcome, key, kvk, product) => {
    expect(KVK_PARTS.map((part) => callOutcome(part, outcome))).toEqual([key, kvk, product]);
  });
});

describe("the breakers", () => {
  const kvkBreakers = (options: BreakerOptions) => new Breakers<Product, KvkScope>(KVK_PARTS, options);

  async function record(breakers: Breakers<Product, KvkScope>, outcome: KvkResult, times: number) {
    for (let time = 0; time < times; time++) await breakers.run("basisprofiel", async () => outcome);
  }

  it("list the key and KVK always, and a product while its breaker is open", async () => {
    const breakers = kvkBreakers({ now: () => 0 });
    const always = ["key", "kvk"].map((what) => ({ what, isOpen: false }));
    expect(breakers.shown).toEqual(always);
    await record(breakers, codes.TIMED_OUT, 5);
    expect(breakers.shown).toEqual([...always, { what: "basisprofiel", isOpen: true }]);
  });

  it("stop calls with a refused key for half a minute, then try once", async () => {
    let nowMs = 0;
    const breakers = kvkBreakers({ now: () => nowMs });
    await record(breakers, codes.KEY_REFUSED, 2);
    expect(breakers.permits("zoeken")).toBe(true);
    await record(breakers, codes.KEY_REFUSED, 1);
    expect([breakers.permits("zoeken"), kvkHealth(breakers)]).toEqual([false, "down"]);
    expect(await breakers.run("zoeken", async () => BODY)).toBeUndefined();
    nowMs += 30_000;
    expect(breakers.permits("zoeken")).toBe(true);
    await record(breakers, BODY, 1);
    expect([breakers.permits("zoeken"), kvkHealth(breakers)]).toEqual([true, "up"]);
  });

  it("report KVK as down without profiles, and degraded without another product of lookups", async () => {
    const expected: Readonly<Record<string, string>> = { basisprofiel: "down", abonnementen: "up" };
    for (const product of PRODUCTS) {
      const breakers = kvkBreakers({ now: () => 0 });
      for (let time = 0; time < 5; time++) await breakers.run(product, async () => codes.TIMED_OUT);
      expect(kvkHealth(breakers)).toBe(expected[product] ?? "degraded");
      expect(PRODUCTS.filter((one) => !breakers.permits(one))).toEqual([product]);
    }
  });

  it("report an outage for at most a minute after the last failure", async () => {
    let nowMs = 0;
    const breakers = kvkBreakers({ now: () => nowMs });
    await record(breakers, codes.UNREACHABLE, 5);
    const isOpen = () => breakers.shown.some((one) => one.isOpen);
    expect([isOpen(), kvkHealth(breakers)]).toEqual([true, "down"]);
    nowMs = 2_000;
    expect([isOpen(), kvkHealth(breakers)]).toEqual([false, "down"]);
    nowMs = 60_000;
    expect([isOpen(), kvkHealth(breakers)]).toEqual([false, "up"]);
    await record(breakers, codes.UNREACHABLE, 1);
    expect([isOpen(), kvkHealth(breakers)]).toEqual([true, "down"]);
  });

  it("stay closed when the budget is spent or callers time out", async () => {
    const breakers = kvkBreakers({ now: () => 0 });
    for (const outcome of [codes.BUDGET_SPENT, codes.CUT_SHORT, codes.QUEUED_TOO_LONG])
      await record(breakers, outcome, 20);
    expect(kvkHealth(breakers)).toBe("up");
  });
});

it("charges every product except Zoeken and the Mutatieservice", () => {
  expect(PRODUCTS.filter((product) => !isPaid(product))).toEqual(["zoeken", "abonnementen"]);
});
