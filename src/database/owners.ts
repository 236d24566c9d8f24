import { type SqlBool, sql, type Transaction } from "kysely";
import { upsertRow } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";
import type { SteppedTable } from "./sweeping.ts";

type TableOfAccounts = {
  [Name in keyof Tables]: "account_id" extends keyof Tables[Name] ? Name : never;
}[keyof Tables];

export type OwnTable = Exclude<TableOfAccounts, SteppedTable>;

/**
 * When the rows of an account are deleted. Tables marked `at once` have few rows per account, or give access. The others grow
 * with calls and years, and are deleted in this order. Tables with large rows ({@link SteppedTable}) have their own steps.
 * The type makes the list complete.
 */
const WHEN_DELETED: Readonly<Record<OwnTable, "at once" | "in steps">> = {
  people: "at once",
  sessions: "at once",
  two_factors: "at once",
  recovery_codes: "at once",
  one_time_tokens: "at once",
  waiting_mails: "at once",
  plan_requests: "at once",
  operator_notes: "at once",
  jobs: "at once",
  webhook_secrets: "at once",
  stored_response_totals: "at once",
  calls: "at once",
  account_months: "at once",
  monitor_accounts: "at once",
  webhook_endpoints: "at once",
  webhook_messages: "in steps",
  pending_changes: "in steps",
  monitors: "in steps",
  shown_companies: "in steps",
  events: "in steps",
  typing_sessions: "in steps",
  reservations: "in steps",
  consultations: "in steps",
  known_addresses: "in steps",
  allowance_notices: "in steps",
  failed_calls: "in steps",
  ledger: "in steps",
  keys: "in steps",
};

export const ACCOUNT_TABLES = Object.keys(WHEN_DELETED) as readonly OwnTable[];

export const AT_ONCE = ACCOUNT_TABLES.filter((table) => WHEN_DELETED[table] === "at once");

export const IN_STEPS = ACCOUNT_TABLES.filter((table) => WHEN_DELETED[table] === "in steps");

/** Records that an account has rows that are deleted in steps. */
export async function addOwner(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await upsertRow(transaction, "owners", { id: accountId, present_id: accountId });
}

/** Whether a row's account still exists. */
export function isNotDeleted(table: keyof Tables) {
  return sql<SqlBool>`not exists (
    select 1 from owners where owners.id = ${sql.ref(`${table}.account_id`)} and present_id is null)`;
}
