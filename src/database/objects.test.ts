import type { Selectable } from "kysely";
import { describe, expect, it } from "vitest";
import { type NewObject, toObject, toRow } from "./objects.ts";
import type { Tables } from "./schema/tables.ts";

const ACCOUNT = { id: "acc_1", email: "e@example.test", tier: "free", created_at: "2026-01-01T00:00:00Z" };
const FIELDS = { id: "acc_1", email: "e@example.test", tierName: "free", createdAt: "2026-01-01T00:00:00Z" };
const SINCE = "2026-02-01T00:00:00Z";

const COUNTS = { sent: 3, duplicates: 0, estimated: 3, found: 1, failed: 0, charged: 1, step: 1, claim: 2 };
const LIST: Selectable<Tables["jobs"]> = {
  ...{ id: "job_1", account_id: "acc_1", key_id: "key_1", is_test: 0, kind: "match", status: "paused" },
  ...{ ...COUNTS, reason: null, max_tokens: null, webhook: null, columns: null, created_at_ms: 5 },
  ...{ started_at_ms: null, ended_at_ms: null, lease_until_ms: 0, due_at_ms: null, served_at_ms: 0 },
};
const LIST_FIELDS: NewObject<"jobs"> = {
  ...{ id: "job_1", accountId: "acc_1", keyId: "key_1", kind: "match", status: "paused" },
  ...{ ...COUNTS, createdAtMs: 5, leaseUntilMs: 0, servedAtMs: 0 },
};
const NAMES = { used: [{ column: "Bedrijfsnaam", field: "name" }], unused: [] };

describe("a row and its object", () => {
  it.each([
    ["a flag", { ...ACCOUNT, suspended: 0, suspended_at: null }, { ...FIELDS, isSuspended: false }],
    [
      "a set flag",
      { ...ACCOUNT, suspended: 1, suspended_at: SINCE },
      { ...FIELDS, isSuspended: true, suspendedAt: SINCE },
    ],
  ])("have %s, and the present names of older columns", (_, row, object) => {
    expect(toObject("accounts", row)).toEqual(object);
    expect(toRow("accounts", object)).toEqual(withoutNulls(row));
  });

  it.each<[string, Selectable<Tables["jobs"]>, NewObject<"jobs">]>([
    ["no nulls, and no mark of live keys", LIST, LIST_FIELDS],
    ["the mark of test keys", { ...LIST, is_test: 1 }, { ...LIST_FIELDS, isTest: true }],
    ["JSON", { ...LIST, columns: JSON.stringify(NAMES) }, { ...LIST_FIELDS, columns: NAMES }],
    ["a number of 0", { ...LIST, max_tokens: 0 }, { ...LIST_FIELDS, maxTokens: 0 }],
  ])("have %s", (_, row, object) => {
    expect(toObject("jobs", row)).toEqual(object);
    expect(toRow("jobs", object)).toEqual(withoutNulls(row));
  });

  it("have no omitted column, and no property that is no column", () => {
    const session = { id: "s", accountId: "acc_1", createdAtMs: 1, lastSeenAtMs: 2, endsAtMs: 3 };
    const other = { ...session, tokenHash: "hash", isOther: true };
    const row = { ...toRow("sessions", other), client: null };
    expect(Object.keys(row).sort()).toEqual([
      "account_id",
      "client",
      "created_at_ms",
      "ends_at_ms",
      "id",
      "last_seen_at_ms",
      "token_hash",
    ]);
    expect(toObject("sessions", row, "token_hash")).toEqual(session);
  });
});

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
