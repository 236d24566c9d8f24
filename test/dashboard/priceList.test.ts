/**
 * The price list has a row for each price to pay; lists and OpenRefine charge the same as the row that stands for them.
 */
import { expect, it } from "vitest";
import { OPERATIONS, PRICE_LIST, PRICES } from "../../src/contract/prices.ts";

/** Operations without a row of their own, and the row with their price. */
const SAME = {
  batch: "lookup",
  "batch.enriched": "lookup.enriched",
  "jobs.lookup": "lookup",
  "jobs.lookup.enriched": "lookup.enriched",
  "jobs.vat": "validate",
  "jobs.match": "match",
  "jobs.insolvency": "lookup",
  "jobs.peppol": "peppol",
  reconcile: "match",
  "reconcile.suggest": "autocomplete",
  "reconcile.preview": "lookup",
  "reconcile.extend": "lookup",
  "reconcile.extend.enriched": "lookup.enriched",
} as const;

it.each(Object.entries(SAME))("%s costs the same as %s", (one, other) => {
  const prices: Readonly<Record<string, number>> = PRICES;
  expect(prices[one]).toBe(prices[other]);
});

it("no other call costs anything", () => {
  const listed = [...Object.keys(PRICE_LIST), ...Object.keys(SAME)];
  expect(OPERATIONS.filter((operation) => PRICES[operation] > 0).toSorted()).toEqual(listed.toSorted());
});
