/**
 * Deletes accounts in two phases, so that a large one delays no charge; see
 * docs/decisions/0015-suppression-and-deletion.md. `deleteAccount` removes all access in one transaction, and every row
 * if there are few. Otherwise `sweepDeleted` deletes the rest in small steps. The row in `accounts` goes last, because
 * the others refer to it. Until then it has no address, person or working key, so it identifies no one.
 */

import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import { lockAccount } from "../../database/accountLock.ts";
import { retryCollisions } from "../../database/collisions.ts";
import {
  deleteRows,
  findRow,
  isPostgres,
  lockRows,
  skipLocked,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import {
  ACCOUNT_TABLES,
  AT_ONCE,
  IN_STEPS,
  type OwnTable,
  type Tables,
} from "../../database/schema/tables.ts";
import { deleteSome, deleteStep, ROWS_PER_STEP } from "../../database/sweeping.ts";
import { deleteAccountTurn } from "../../database/turns.ts";
import { retainSuspension } from "./accountRows.ts";
import { preserveUsage } from "./departed.ts";

/** The account to delete, and the data that remains. */
interface AccountDeletion {
  readonly accountId: string;
  readonly emailHash: string;
  readonly suspendedUntilMs: number;
  readonly storeNowMs: number;
}

/** Deletes an account; a large one is left to `sweepDeleted`. @returns false if it does not exist */
export async function deleteAccount(
  transaction: Transaction<Tables>,
  { accountId, emailHash, suspendedUntilMs, storeNowMs }: AccountDeletion,
): Promise<boolean> {
  if (!(await lockAccount(transaction, accountId))) return false;
  await retainSuspension(transaction, accountId, emailHash, suspendedUntilMs);
  await preserveUsage(transaction, accountId, emailHash, storeNowMs);
  await deleteAtOnce(transaction, accountId);
  await upsertRow(transaction, "owners", { id: accountId, present_id: null }, { present_id: null });
  if ((await deleteOneStep(transaction, accountId)) < ROWS_PER_STEP) {
    await deleteRest(transaction, accountId);
    return true;
  }
  await deleteLateRows(transaction, accountId, deleteAtOnce);
  await updateRows(transaction, "accounts", { id: accountId }, { email: accountId });
  return true;
}

/** The deletion of the remaining rows of deleted accounts, one step per call. */
export function ownerQueries(db: Kysely<Tables>) {
  const unlocked = skipLocked(db);
  return {
    /** Deletes some data of deleted accounts. @returns whether there may be more */
    sweepDeleted(): Promise<boolean> {
      return retryCollisions(() =>
        db.transaction().execute(async (transaction) => {
          const deleted = await findRow(
            transaction,
            "owners",
            { present_id: null },
            sql`limit 1 ${unlocked}`,
          );
          if (deleted === undefined) return false;
          await sweep(transaction, deleted.id);
          return true;
        }),
      );
    },
  };
}

/**
 * Does the next step for a deleted account: large rows first, then rows in steps, the rest, and at last its mark in
 * `owners`.
 */
async function sweep(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  if (await deleteLargeRows(transaction, accountId)) return;
  if ((await deleteOneStep(transaction, accountId)) > 0) return;
  // No row is locked yet. Lock the account first, as calls do when they settle, so that the two cannot deadlock.
  const locked = await lockRows(transaction, "accounts", { id: accountId });
  if (locked.length > 0) await deleteRest(transaction, accountId);
  else await deleteRows(transaction, "owners", { id: accountId });
}

/** Deletes some stored responses, or some results and numbers of one list. @returns false if none are left */
async function deleteLargeRows(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  if (await deleteSome(transaction, "stored_responses", accountId)) return true;
  for (const table of ["job_results", "job_blocks"] as const) {
    const row = await transaction
      .selectFrom(table)
      .select("job_id")
      .where("account_id", "=", accountId)
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) continue;
    // True even if another node deleted the last rows of that list: there may be other lists.
    await deleteSome(transaction, table, row.job_id);
    return true;
  }
  return false;
}

/** Deletes up to {@link ROWS_PER_STEP} rows, except rows that other transactions have locked. @returns how many */
async function deleteOneStep(transaction: Transaction<Tables>, accountId: string): Promise<number> {
  const rows = IN_STEPS.map((table) => ({ table, isDue: sql<SqlBool>`account_id = ${accountId}` }));
  return ROWS_PER_STEP - (await deleteStep(transaction, rows));
}

/** Deletes all rows, the account's own last. */
async function deleteRest(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  const deleteAll = () => deleteRowsOf(transaction, accountId, ACCOUNT_TABLES);
  await deleteAll();
  await deleteLateRows(transaction, accountId, deleteAll);
  await deleteRows(transaction, "accounts", { id: accountId });
}

/**
 * Deletes live keys, other rows that give access, and small tables. Revoked keys are already refused and go in steps.
 */
async function deleteAtOnce(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await deleteRows(transaction, "keys", { account_id: accountId, revoked_at: null });
  await deleteAccountTurn(transaction, accountId);
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
 * Repeats a deletion on PostgreSQL, where transactions that take no lock may have added rows since. A lock on the
 * account first blocks further ones. It is not taken before the first deletion, which may wait for rows that such a
 * transaction has locked: the two would deadlock.
 */
async function deleteLateRows(
  transaction: Transaction<Tables>,
  accountId: string,
  deleteAgain: (transaction: Transaction<Tables>, accountId: string) => Promise<void>,
): Promise<void> {
  if (!isPostgres(transaction)) return;
  await transaction.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
  await deleteAgain(transaction, accountId);
}
