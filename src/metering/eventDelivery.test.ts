import { expect, it } from "vitest";
import { monthOf } from "../lib/periods.ts";
import { affordable, BatchEvents } from "./eventDelivery.ts";
import { BatchLedger } from "./ledger.ts";

const NOW_MS = Date.UTC(2026, 4, 5, 12);
const MONTH = monthOf(NOW_MS);
const ACCOUNT = { accountId: "acc", tierName: "t", isSuspended: false, month: MONTH, used: 4, reserved: 1 };
const TIER = { monthlyTokens: 8, ratePerMinute: 1 };
const pending = (...prices: readonly number[]) =>
  prices.map((price, nth) => ({ id: `${nth}`, keyId: `key ${nth % 2}`, price }));
const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id).join();

it.each([
  [0, "1"],
  [1, "0,1"],
  [2, "0,1,2"],
  [100, "0,1,2,3"],
  [-5, "1"],
])("covers with %i tokens the free changes and the oldest others: %s", (tokens, expected) => {
  expect(ids(affordable(pending(1, 0, 1, 1), tokens))).toBe(expected);
});

it("covers no later change once one is too expensive", () => {
  expect(ids(affordable(pending(1, 5, 1, 0), 3))).toBe("0,3");
});

it("charges each change once to its own key, within what calls and earlier events of the month leave", () => {
  const ledger = new BatchLedger(NOW_MS);
  const rows = pending(1, 1, 1, 1, 1);
  const events = new BatchEvents(
    {
      pendingEvents: (_, requested) => rows.filter(({ id }) => requested.includes(id)),
      eventAccount: () => ({ lastSequence: 7, month: MONTH, spent: 2, maxTokens: 4 }),
    },
    ledger,
  );
  const request = { kind: "events", keyId: "key 0", operation: "monitors.change" } as const;
  const first = events.deliver(ACCOUNT, TIER, { ...request, pendingIds: ["0"] });
  expect(first).toEqual({ charged: 1, delivered: 1, left: 0 });
  const all = { ...request, pendingIds: ["0", "1", "2", "3", "4", "unknown"] };
  expect(events.deliver({ ...ACCOUNT, used: 5 }, TIER, all)).toEqual({ charged: 1, delivered: 1, left: 3 });
  expect(events.deliver({ ...ACCOUNT, used: 6 }, TIER, all)).toEqual({ charged: 0, delivered: 0, left: 3 });
  expect(events.changes()).toEqual({
    events: [
      { accountId: "acc", id: "0", sequence: 8 },
      { accountId: "acc", id: "1", sequence: 9 },
    ],
    eventAccounts: [{ accountId: "acc", lastSequence: 9, month: MONTH, spent: 4 }],
  });
  expect(ledger.changes()).toMatchObject([
    { keyId: "key 0", tokens: 1, requests: 0 },
    { keyId: "key 1", tokens: 1, requests: 0 },
  ]);
});

it("counts towards the cap only what was spent in the same month", () => {
  const events = new BatchEvents(
    {
      pendingEvents: () => pending(1, 1),
      eventAccount: () => ({ lastSequence: 0, month: MONTH - 1, spent: 4, maxTokens: 1 }),
    },
    new BatchLedger(NOW_MS),
  );
  const request = { kind: "events", keyId: "k", operation: "monitors.change", pendingIds: ["0"] } as const;
  expect(events.deliver(ACCOUNT, TIER, request)).toEqual({ charged: 1, delivered: 1, left: 1 });
  expect(events.changes().eventAccounts).toMatchObject([{ month: MONTH, spent: 1 }]);
});
