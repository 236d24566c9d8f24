/** Deletes accounts: effective at once, and on disk in steps if there is much data. See docs/decisions/0015-suppression-and-deletion.md. */
import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { Tables } from "../schema/tables.ts";
import { lockAccount, retainSuspension } from "./accountRows.ts";
import { preserveUsage } from "./departed.ts";
import { deleteRows, findRow, isPostgres, skipLocked, updateRows, upsertRow } from "./rows.ts";
import { deleteSome, deleteStep, ROWS_PER_STEP, type SteppedTable } from "./sweeping.ts";

type TableOfAccounts = {
  [Name in keyof Tables]: "account_id" extends keyof Tables[Name] ? Name : never;
}[keyof Tables];
type OwnTable = Exclude<TableOfAccounts, SteppedTable>;

/**
 * Every table with an `account_id` column except those with large rows ({@link SteppedTable}); the type makes the list
 * complete. Tables marked `at once` have few rows per account, or give access. The others grow with calls and years, and
 * are deleted in steps, in this order.
 */
const OF_AN_ACCOUNT: Readonly<Record<OwnTable, "at once" | "in steps">> = {
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
  stored_response_totals: "at once",
  calls: "at once",
  account_months: "at once",
  typing_sessions: "in steps",
  reservations: "in steps",
  consultations: "in steps",
  known_addresses: "in steps",
  allowance_notices: "in steps",
  failed_calls: "in steps",
  ledger: "in steps",
  keys: "in steps",
};
export const ACCOUNT_TABLES = Object.keys(OF_AN_ACCOUNT) as readonly OwnTable[];
const AT_ONCE = ACCOUNT_TABLES.filter((table) => OF_AN_ACCOUNT[table] === "at once");
const IN_STEPS = ACCOUNT_TABLES.filter((table) => OF_AN_ACCOUNT[table] === "in steps");

/** The account to delete, and the data that remains. */
interface AccountDeletion {
  readonly accountId: string;
  readonly emailHash: string;
  readonly suspendedUntilMs: number;
  readonly storeNowMs: number;
}

/**
 * Deletes an account. If it has more rows than a step, `sweepDeleted` deletes the others later, and the row in `accounts`
 * last, because they refer to it. By then that row has no address, person or working key, so it identifies no one.
 * @returns false if it does not exist
 */
export async function deleteAccount(
  transaction: Transaction<Tables>,
  { accountId, emailHash, suspendedUntilMs, storeNowMs }: AccountDeletion,
): Promise<boolean> {
  if (!(await lockAccount(transaction, accountId))) return false;
  await retainSuspension(transaction, accountId, emailHash, suspendedUntilMs);
  await preserveUsage(transaction, accountId, emailHash, storeNowMs);
  await deleteAtOnce(transaction, accountId);
  await upsertRow(transaction, "owners", { id: accountId, present_id: null }, { present_id: null });
  if ((await deleteStepOf(transaction, accountId)) < ROWS_PER_STEP) {
    await deleteRemaining(transaction, accountId);
    return true;
  }
  if (isPostgres(transaction)) {
    await blockInserts(transaction, accountId);
    await deleteAtOnce(transaction, accountId);
  }
  await updateRows(transaction, "accounts", { id: accountId }, { email: accountId });
  return true;
}

/**
 * Deletes some rows of a deleted account.
 * @returns the number of rows; fewer than a step if only locked rows are left
 */
async function deleteStepOf(transaction: Transaction<Tables>, accountId: string): Promise<number> {
  const rows = IN_STEPS.map((table) => ({ table, isDue: sql<SqlBool>`account_id = ${accountId}` }));
  return ROWS_PER_STEP - (await deleteStep(transaction, rows));
}

/**
 * Deletes rows added since the last step, then the account's row. Locks that row first, as calls do before they write.
 * @returns false if it is gone, so that no rows can be added
 */
async function deleteRest(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  // A no-op update, to lock the row.
  const unchanged = { suspended: sql.ref("suspended") };
  if ((await updateRows(transaction, "accounts", { id: accountId }, unchanged)) === 0) return false;
  await deleteRemaining(transaction, accountId);
  return true;
}

async function deleteRemaining(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await deleteRowsOf(transaction, accountId, ACCOUNT_TABLES);
  if (isPostgres(transaction)) {
    await blockInserts(transaction, accountId);
    await deleteRowsOf(transaction, accountId, ACCOUNT_TABLES);
  }
  await deleteRows(transaction, "accounts", { id: accountId });
}

/** Deletes live keys, other rows that give access, and small tables. Revoked keys are already refused and go in steps. */
async function deleteAtOnce(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await deleteRows(transaction, "keys", { account_id: accountId, revoked_at: null });
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

/**
 * Blocks inserts that refer to the account from other transactions: some take no lock and may arrive after their table was
 * cleared. It runs after the tables were cleared, because an inserting transaction may have locked rows that their deletion
 * waits for, which would deadlock.
 */
async function blockInserts(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await transaction.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
}

/** Records that an account has rows that are deleted in steps. */
export async function addOwner(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await upsertRow(transaction, "owners", { id: accountId, present_id: accountId });
}

/** Whether a row's account still exists. */
export function isNotDeleted(table: keyof Tables) {
  return sql<SqlBool>`not exists (
    select 1 from owners where owners.id = ${sql.ref(`${table}.account_id`)} and present_id is null)`;
}

/** Deletes the remaining rows of deleted accounts, one step per call. */
export function ownerQueries(db: Kysely<Tables>): Pick<PeopleStore, "sweepDeleted"> {
  const unlocked = skipLocked(db);
  return {
    sweepDeleted() {
      return db.transaction().execute(async (transaction) => {
        const gone = await findRow(transaction, "owners", { present_id: null }, sql`limit 1 ${unlocked}`);
        if (gone === undefined) return false;
        if (await deleteSome(transaction, "stored_responses", gone.id)) return true;
        for (const table of ["job_results", "job_blocks"] as const) {
          const row = await transaction
            .selectFrom(table)
            .select("job_id")
            .where("account_id", "=", gone.id)
            .limit(1)
            .executeTakeFirst();
          if (row === undefined) continue;
          // True even if another node deleted the last rows of that list: there may be other lists.
          await deleteSome(transaction, table, row.job_id);
          return true;
        }
        if ((await deleteStepOf(transaction, gone.id)) > 0) return true;
        // The step deleted nothing, so this transaction has no row locks yet. It locks the account first, in the same order as
        // settling a call, so the two cannot deadlock.
        if (await deleteRest(transaction, gone.id)) return true;
        await deleteRows(transaction, "owners", { id: gone.id });
        return true;
      });
    },
  };
}
