import { randomBytes } from "node:crypto";
import { base62, hashKey, keyHint, makeKey } from "../../src/contract/keyForm.ts";
import { monthOf } from "../../src/metering/periods.ts";
import type { Row } from "../../src/storage/moving/rawState.ts";
import type { Tables } from "../../src/storage/schema/tables.ts";

/** For each account: a key, this month, so many lines of the ledger, verdicts and consultations. */
const LINES = 8;
const MOMENT = new Date(Date.UTC(2026, 10, 21, 12, 34, 56, 789));
const OPERATIONS = ["lookup", "lookup.enriched", "autocomplete", "search"] as const;
const DAYS = LINES / OPERATIONS.length;

const digits = (count: number) => String(randomBytes(6).readUIntBE(0, 6)).padStart(count, "0").slice(-count);

/** Rows of so many accounts as the service makes them, table by table; ids are in no order, as in life. */
export function rowsOf(accounts: number): readonly (readonly [keyof Tables, Row[]])[] {
  const ids = Array.from({ length: accounts }, () => `acc_${base62(16, randomBytes)}`);
  const keys = ids.map((accountId) => ({ accountId, id: `key_${base62(16, randomBytes)}` }));
  const vatNumbers = ids.map((_, index) => vatNumber(index));
  return [
    ["accounts", ids.map(account)],
    ["keys", keys.map(key)],
    [
      "account_months",
      ids.map((id) => ({ account_id: id, month: monthOf(MOMENT.getTime()), used: 712, is_test: 0 })),
    ],
    ["ledger", keys.flatMap(({ accountId, id }) => ledgerLines(accountId, id))],
    ["verdicts", vatNumbers.map(verdict)],
    ["consultations", ids.map((id, index) => consultation(id, vatNumbers[index] ?? ""))],
  ];
}

/** Each another one, in no order: the step and the number of all nine digits share no factor. */
function vatNumber(index: number): string {
  return `NL${String((index * 7_654_321 + 123_456_789) % 1_000_000_000).padStart(9, "0")}B01`;
}

function account(id: string): Row {
  const email = `${base62(8, randomBytes)}@company-${digits(5)}.example`;
  return { id, email, tier: "starter", suspended: 0, created_at: MOMENT.toISOString() };
}

function key({ accountId, id }: { accountId: string; id: string }): Row {
  const made = makeKey("live", randomBytes);
  const { prefix, lastFour } = keyHint(made);
  return {
    id,
    account_id: accountId,
    name: "website",
    hash: hashKey(made),
    prefix,
    last_four: lastFour,
    created_at: MOMENT.toISOString(),
    revoked_at: null,
    minute: Math.floor(MOMENT.getTime() / 60_000),
    calls_in_minute: 17,
  };
}

function ledgerLines(accountId: string, keyId: string): Row[] {
  return Array.from({ length: DAYS }, (_, day) =>
    OPERATIONS.map((operation) => ({
      account_id: accountId,
      key_id: keyId,
      day: `2026-11-${String(day + 1).padStart(2, "0")}`,
      operation,
      requests: 89,
      tokens: 84,
      refused_rate: 0,
      refused_allowance: 0,
      sessions: 0,
      session_calls: 0,
      is_test: 0,
    })),
  ).flat();
}

function verdict(vatNumber: string): Row {
  const [validatedAt, receivedAtMs] = [MOMENT.toISOString(), MOMENT.getTime()];
  const [name, address] = [`BAKKERIJ ${digits(6)} B.V.`, `SPROOKJESLAAN ${digits(3)}, 1234 AB VERZINSTAD`];
  return {
    vat_number: vatNumber,
    valid: 1,
    validated_at: validatedAt,
    name,
    address,
    received_at_ms: receivedAtMs,
    positive_validated_at: validatedAt,
    positive_name: name,
    positive_address: address,
    positive_received_at_ms: receivedAtMs,
  };
}

function consultation(accountId: string, vatNumber: string): Row {
  return {
    account_id: accountId,
    vat_number: vatNumber,
    requester: `NL${digits(9)}B01`,
    validated_at: MOMENT.toISOString(),
    consultation_number: `WAPIAAAA${base62(8, randomBytes)}`,
    received_at_ms: MOMENT.getTime(),
  };
}
