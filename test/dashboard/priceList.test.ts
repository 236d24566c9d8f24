/** The page's price list leaves out the calls that cost the same as others; this holds them to it. */
import { expect, it } from "vitest";
import { PRICES } from "../../src/contract/prices.ts";

it.each([
  ["jobs.lookup", "lookup"],
  ["jobs.lookup.enriched", "lookup.enriched"],
  ["jobs.vat", "validate"],
  ["jobs.match", "match"],
  ["reconcile", "match"],
  ["reconcile.suggest", "autocomplete"],
  ["reconcile.preview", "lookup"],
  ["reconcile.extend", "lookup"],
  ["reconcile.extend.enriched", "lookup.enriched"],
] as const)("%s costs the same as %s", (one, other) => {
  expect(PRICES[one]).toBe(PRICES[other]);
});

it.each(["usage", "tokens", "jobs", "monitors", "reconcile.properties"] as const)(
  "%s is free",
  (operation) => {
    expect(PRICES[operation]).toBe(0);
  },
);
