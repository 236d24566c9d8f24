/** How an account goes: at once for everybody, and from the disk in steps where it has much. See docs/decisions/0086. */
import { sql, type Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import { keepSuspension, lockAccount } from "./accountRows.ts";
import { keepUsed } from "./departed.ts";
import type { SteppedTable } from "./inSteps.ts";
import { isPostgres } from "./isPostgres.ts";
import { changeSome, ROWS_IN_A_STEP, type Swept, swept } from "./sweeping.ts";

type TableOfAccounts = {
  [Name in keyof Tables]: "account_id" extends keyof Tables[Name] ? Name : never;
}[keyof Tables];
type OwnTable = Exclude<TableOfAccounts, SteppedTable>;

/** Columns of a primary key: rows of this table are many, and nobody is told of them once the account is gone. */
type Key<Name extends OwnTable> = readonly (keyof Tables[Name] & string)[];
const LINE = ["account_id", "day", "key_id", "operation"] as const;

/**
 * Every table whose rows refer to an account: the type sees to it. Of those marked `at once` an account has few, or they let somebody in; the others, which
 * grow with its calls and its years, are deleted in steps, in this order.
 */
const OF_AN_ACCOUNT: { readonly [Name in OwnTable]: "at once" | Key<Name> } = {
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
  webhook_messages: "at once",
  kept_totals: "at once",
  calls: "at once",
  account_months: "at once",
  typing_sessions: ["key_id", "session"],
  reservations: ["id"],
  consultations: ["account_id", "vat_number", "requester"],
  known_addresses: ["account_id", "address_hash"],
  allowance_notices: ["account_id", "month", "tokens", "percent"],
  live_misses: ["account_id", "day"],
  failed_calls: LINE,
  ledger: ["account_id", "is_test", "day", "key_id", "operation"],
  keys: ["id"],
};
export const TABLES_OF_AN_ACCOUNT = Object.keys(OF_AN_ACCOUNT) as readonly OwnTable[];
const AT_ONCE = TABLES_OF_AN_ACCOUNT.filter((table) => OF_AN_ACCOUNT[table] === "at once");

/** Whom to delete, and what stays of it. */
interface Leaving {
  readonly accountId: string;
  readonly emailHash: string;
  readonly suspendedUntilMs: number;
  readonly storeNowMs: number;
}

/**
 * Deletes an account. One that has more than a step of rows leaves them to {@link deleteStepOf}, and with them its own row, which they refer to: without an
 * address, a person or a key that works it is nobody's.
 * @returns false when there is none
 */
export async function deleteAccount(
  transaction: Transaction<Tables>,
  { accountId, emailHash, suspendedUntilMs, storeNowMs }: Leaving,
): Promise<boolean> {
  if (!(await lockAccount(transaction, accountId))) return false;
  await keepSuspension(transaction, accountId, emailHash, suspendedUntilMs);
  await keepUsed(transaction, accountId, emailHash, storeNowMs);
  await deleteAtOnce(transaction, accountId);
  await leaveToSweep(transaction, accountId);
  if ((await deleteStepOf(transaction, accountId)) < ROWS_IN_A_STEP) {
    await deleteWhole(transaction, accountId);
    return true;
  }
  if (isPostgres(transaction)) {
    await blockInserts(transaction, accountId);
    await deleteAtOnce(transaction, accountId);
  }
  await transaction.updateTable("accounts").set({ email: accountId }).where("id", "=", accountId).execute();
  return true;
}

/**
 * Deletes some of what a deleted account left.
 * @returns how many rows; fewer than a step has where no more are left but those that somebody holds
 */
export async function deleteStepOf(transaction: Transaction<Tables>, accountId: string): Promise<number> {
  let deleted = 0;
  for (const table of TABLES_OF_AN_ACCOUNT) {
    const rows = sweptOf(table, accountId);
    if (rows === undefined) continue;
    const change = sql`delete from ${sql.table(table)}`;
    deleted += await changeSome(transaction, { rows, change, most: ROWS_IN_A_STEP - deleted });
    if (deleted === ROWS_IN_A_STEP) break;
  }
  return deleted;
}

/**
 * Deletes the row of an account of which nothing is left, with what was added behind the steps. It is locked first, as calls lock it before they write.
 * @returns false where it is gone already, so that nothing more is added
 */
export async function deleteRest(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  const locked = await transaction
    .updateTable("accounts")
    .set((set) => ({ suspended: set.ref("suspended") }))
    .where("id", "=", accountId)
    .returning("id")
    .execute();
  if (locked.length === 0) return false;
  await deleteWhole(transaction, accountId);
  return true;
}

/** Has what an account had deleted in steps. */
async function leaveToSweep(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await transaction
    .insertInto("owners")
    .values({ id: accountId, present_id: null })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ present_id: null }))
    .execute();
}

async function deleteWhole(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await deleteRowsOf(transaction, accountId, TABLES_OF_AN_ACCOUNT);
  if (isPostgres(transaction)) {
    await blockInserts(transaction, accountId);
    await deleteRowsOf(transaction, accountId, TABLES_OF_AN_ACCOUNT);
  }
  await transaction.deleteFrom("accounts").where("id", "=", accountId).execute();
}

/** What lets somebody in, and what an account has little of. Keys that still work are few; the others are refused already. */
async function deleteAtOnce(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await transaction
    .deleteFrom("keys")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .execute();
  await deleteRowsOf(transaction, accountId, AT_ONCE);
}

async function deleteRowsOf(
  transaction: Transaction<Tables>,
  accountId: string,
  tables: readonly OwnTable[],
): Promise<void> {
  for (const table of tables) {
    await transaction.deleteFrom(table).where("account_id", "=", accountId).execute();
  }
}

function sweptOf<Name extends OwnTable>(table: Name, accountId: string): Swept | undefined {
  const key: "at once" | Key<Name> = OF_AN_ACCOUNT[table];
  return key === "at once" ? undefined : swept(table, key, sql`account_id = ${accountId}`);
}

/**
 * From now on no other transaction adds a row that refers to the account: under the account's lock alone, some that need no
 * lock were added behind the deletion of their table. It comes after that deletion, as who adds rows may hold some that the
 * deletion waits for, and would wait here for the deletion.
 */
async function blockInserts(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await transaction.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
}
