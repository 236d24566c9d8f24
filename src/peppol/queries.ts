import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { ChangeType } from "../contract/eventTypes.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Peppol } from "../contract/peppol.ts";
import { toObject } from "../database/objects.ts";
import { deleteRows, findRows } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { shareSuppressions } from "../database/suppressions.ts";

/** The last answer of the network about a company. */
export interface StoredPeppol extends Omit<Peppol, "checkedAt" | "ageSeconds"> {
  /** Unix milliseconds */
  readonly checkedAtMs: number;
}

export type PeppolQueries = ReturnType<typeof peppolQueries>;

/** Answers of the Peppol network, in SQL for every store. */
export function peppolQueries(db: Kysely<Tables>) {
  return {
    /** In the order of the numbers; null where there is none. */
    async findPeppol(kvkNumbers: readonly string[]): Promise<readonly (StoredPeppol | null)[]> {
      if (kvkNumbers.length === 0) return [];
      const rows = await findRows(db, "peppol_verdicts", { kvk_number: kvkNumbers });
      const stored = new Map(rows.map((row) => [row.kvk_number, asStored(row)]));
      return kvkNumbers.map((kvkNumber) => stored.get(kvkNumber) ?? null);
    },

    /** Stores an answer, unless a newer one is stored or the company is suppressed. */
    async storePeppol(kvkNumber: KvkNumber, { checkedAtMs, ...answer }: StoredPeppol): Promise<void> {
      const data = JSON.stringify(answer);
      await db.transaction().execute(async (transaction) => {
        await shareSuppressions(transaction);
        await sql`
          insert into peppol_verdicts (kvk_number, data, checked_at_ms)
          select cast(${kvkNumber} as text), cast(${data} as text), cast(${checkedAtMs} as bigint)
          where not exists (select 1 from forgotten where kvk_number = ${kvkNumber})
          on conflict (kvk_number) do update set data = excluded.data, checked_at_ms = excluded.checked_at_ms
          where peppol_verdicts.checked_at_ms <= excluded.checked_at_ms`.execute(transaction);
      });
    },

    /** Companies after a number, by number, with a monitor of this type and no answer since a time. */
    async peppolDue(
      type: ChangeType,
      beforeMs: number,
      after: string,
      limit: number,
    ): Promise<readonly KvkNumber[]> {
      const { rows } = await sql<{ kvkNumber: KvkNumber }>`
        select due.kvk_number as "kvkNumber" from (
          select distinct kvk_number from monitors
          where is_test = 0 and events like ${`%"${type}"%`} and kvk_number > ${after}
        ) as due
        left join peppol_verdicts v on v.kvk_number = due.kvk_number
        where coalesce(v.checked_at_ms, 0) < ${beforeMs}
        order by due.kvk_number limit ${limit}`.execute(db);
      return rows.map(({ kvkNumber }) => kvkNumber);
    },
  };
}

/** Deletes the answer about a company. */
export async function forgetPeppol(transaction: Transaction<Tables>, kvkNumber: KvkNumber): Promise<void> {
  await deleteRows(transaction, "peppol_verdicts", { kvk_number: kvkNumber });
}

function asStored(row: Selectable<Tables["peppol_verdicts"]>): StoredPeppol {
  const { data, checkedAtMs } = toObject("peppol_verdicts", row);
  return { ...data, checkedAtMs };
}
