import { expect, it } from "vitest";
import type { Figures } from "./ledger.ts";
import { monthNamed, NO_FIGURES, usageByOperation, usageOf } from "./usage.ts";

const day = (operation: "lookup" | "search", more: Partial<Figures>) => ({
  day: "2026-05-05",
  operation,
  ...NO_FIGURES,
  ...more,
});

it("sums the ledger by operation, without operations that have only failed calls", () => {
  const lines = [
    day("search", { failedByService: 3 }),
    day("lookup", { requests: 2, tokens: 1, failedByCaller: 1 }),
    day("lookup", { refusedByRate: 4, refusedByAllowance: 1 }),
  ];
  expect(usageByOperation(lines)).toEqual([
    { operation: "lookup", requests: 2, tokens: 1, refusals: 5, sessions: 0, sessionCalls: 0 },
  ]);
});

it.each([
  [27, undefined],
  [28, 80],
  [34, 80],
  [35, 100],
  [36, 100],
])("reports %i of 35 tokens at %s percent", (tokens, notice) => {
  const month = monthNamed(2026 * 12 + 4);
  const days = [day("lookup", { requests: 1, tokens })];
  const usage = usageOf({ tierName: "odd", limit: 35, month, days, keys: [], names: new Map() });
  expect(usage.notice).toBe(notice);
});

it("returns usage of test keys separately, and omits it if there is none", () => {
  const month = monthNamed(2026 * 12 + 4);
  const days = [day("lookup", { requests: 1, tokens: 1 })];
  const tested = [day("lookup", { requests: 4, tokens: 3 }), day("search", { requests: 2, tokens: 2 })];
  const asked = { tierName: "odd", limit: 35, month, days, keys: [], names: new Map() };
  expect(usageOf({ ...asked, tested })).toMatchObject({
    used: 1,
    remaining: 34,
    test: { requests: 6, tokens: 5 },
  });
  expect(usageOf(asked)).not.toHaveProperty("test");
});
