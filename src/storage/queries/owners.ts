import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import type { PeopleStore } from "../../accounts/peopleStore.ts";
import type { Tables } from "../schema/tables.ts";
import { deleteRest, deleteStepOf } from "./deletion.ts";
import { deleteSome } from "./inSteps.ts";
import { skipLocked } from "./isPostgres.ts";
import { deleteRows, findRow, upsertRow } from "./rows.ts";

/** Notes that an account has rows that are deleted in steps. */
export async function addOwner(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await upsertRow(transaction, "owners", { id: accountId, present_id: accountId });
}

/** Whether a row of a table belongs to no deleted account, whose rows are on their way out. */
export function isNotLeft(table: keyof Tables) {
  return sql<SqlBool>`not exists (
    select 1 from owners where owners.id = ${sql.ref(`${table}.account_id`)} and present_id is null)`;
}

/** The rows that deleted accounts leave. */
export function ownerQueries(db: Kysely<Tables>): Pick<PeopleStore, "sweepDeleted"> {
  const free = skipLocked(db);
  return {
    sweepDeleted() {
      return db.transaction().execute(async (transaction) => {
        const gone = await findRow(transaction, "owners", { present_id: null }, sql`limit 1 ${free}`);
        if (gone === undefined) return false;
        if (await deleteSome(transaction, "kept_answers", gone.id)) return true;
        for (const table of ["job_results", "job_blocks"] as const) {
          const left = await transaction
            .selectFrom(table)
            .select("job_id")
            .where("account_id", "=", gone.id)
            .limit(1)
            .executeTakeFirst();
          if (left === undefined) continue;
          // Also where another node took the last of that list: there may be other lists.
          await deleteSome(transaction, table, left.job_id);
          return true;
        }
        // Not in one transaction with the rest: it locks the account before any row, as a call does that is settled.
        if ((await deleteStepOf(transaction, gone.id)) > 0) return true;
        if (await deleteRest(transaction, gone.id)) return true;
        await deleteRows(transaction, "owners", { id: gone.id });
        return true;
      });
    },
  };
}
