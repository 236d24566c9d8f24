import { expect, it } from "vitest";
import { OPERATIONS, PRICE_WITHOUT_ENRICHMENT, PRICES } from "./prices.ts";
import { DEFAULT_TIERS, freeTiers } from "./tiers.ts";

it("the tiers and prices match the contract", () => {
  expect(DEFAULT_TIERS).toEqual({
    free: { monthlyTokens: 50, ratePerMinute: 10 },
    starter: { monthlyTokens: 1_000, ratePerMinute: 60 },
    pro: { monthlyTokens: 5_000, ratePerMinute: 300 },
  });
  expect(OPERATIONS.map((operation) => [operation, PRICES[operation]])).toEqual([
    ["lookup", 1],
    ["lookup.enriched", 5],
    ["branches", 5],
    ["batch", 1],
    ["batch.enriched", 5],
    ["autocomplete", 1],
    ["search", 1],
    ["match", 1],
    ["reconcile", 1],
    ["reconcile.suggest", 1],
    ["reconcile.properties", 0],
    ["reconcile.preview", 1],
    ["reconcile.extend", 1],
    ["reconcile.extend.enriched", 5],
    ["validate", 1],
    ["peppol", 1],
    ["usage", 0],
    ["tokens", 0],
    ["jobs", 0],
    ["jobs.lookup", 1],
    ["jobs.lookup.enriched", 5],
    ["jobs.vat", 1],
    ["jobs.match", 1],
    ["jobs.insolvency", 1],
    ["jobs.peppol", 1],
    ["monitors", 0],
    ["monitors.change", 1],
  ]);
  expect(PRICE_WITHOUT_ENRICHMENT).toBe(PRICES.lookup);
});

it("the tier free is always free, and so are tiers marked as free", () => {
  const plain = { monthlyTokens: 1, ratePerMinute: 1 };
  expect(
    freeTiers({ ...DEFAULT_TIERS, trial: { ...plain, isFree: true }, gift: { ...plain, isFree: false } }),
  ).toEqual(["free", "trial"]);
});
