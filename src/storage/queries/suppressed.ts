import { type Kysely, sql, type Transaction } from "kysely";
import type { SuppressedCompany, SuppressionStore } from "../../lookup/suppression/store.ts";
import type { Tables } from "../tables.ts";
import { saveMark } from "./marks.ts";

/**
 * What must be forgotten, in SQL that every store understands.
 * @param isOneStatement whether the store can write two tables in one statement
 */
export function suppressionQueries(db: Kysely<Tables>, isOneStatement: boolean): SuppressionStore {
  return {
    async suppressedCompanies() {
      const rows = await db.selectFrom("forgotten").selectAll().execute();
      return rows
        .map((row) => ({
          kvkNumber: row.kvk_number,
          vatNumbers: vatNumbersIn(row.vat_numbers),
          forgottenAtMs: Number(row.forgotten_at_ms),
        }))
        .sort((a, b) => (a.kvkNumber < b.kvkNumber ? -1 : 1));
    },

    async suppressionMark() {
      const { count, last } = await db
        .selectFrom("forgotten")
        .select((select) => [
          select.fn.countAll<number>().as("count"),
          sql<number>`coalesce(max(forgotten_at_ms), 0)`.as("last"),
        ])
        .executeTakeFirstOrThrow();
      return `${Number(count)} ${Number(last)}`;
    },

    forget(company) {
      return db.transaction().execute(async (transaction) => {
        if (!isOneStatement) await saveMark(transaction);
        return forget(transaction, company);
      });
    },

    async undoForget(kvkNumber) {
      const removed = await db
        .deleteFrom("forgotten")
        .where("kvk_number", "=", kvkNumber)
        .returning("kvk_number")
        .execute();
      return removed.length === 1;
    },
  };
}

async function forget(
  transaction: Transaction<Tables>,
  { kvkNumber, vatNumbers, forgottenAtMs }: SuppressedCompany,
): Promise<readonly string[]> {
  const [before] = await transaction
    .insertInto("forgotten")
    .values({ kvk_number: kvkNumber, vat_numbers: "[]", forgotten_at_ms: forgottenAtMs })
    // An update that sets what is there: it locks the row, and gives it back.
    .onConflict((conflict) =>
      conflict.column("kvk_number").doUpdateSet((set) => ({
        vat_numbers: set.ref("forgotten.vat_numbers"),
      })),
    )
    .returning("vat_numbers")
    .execute();
  const all = [...new Set([...vatNumbersIn(before?.vat_numbers ?? "[]"), ...vatNumbers])].sort();
  await transaction
    .updateTable("forgotten")
    .set({ vat_numbers: JSON.stringify(all), forgotten_at_ms: forgottenAtMs })
    .where("kvk_number", "=", kvkNumber)
    .execute();
  await transaction.deleteFrom("live_companies").where("kvk_number", "=", kvkNumber).execute();
  await transaction.deleteFrom("live_searches").execute();
  if (all.length === 0) return all;
  await transaction.deleteFrom("verdicts").where("vat_number", "in", all).execute();
  await transaction.deleteFrom("consultations").where("vat_number", "in", all).execute();
  return all;
}

/** A list that this program wrote. */
function vatNumbersIn(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}
