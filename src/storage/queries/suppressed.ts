import { type Kysely, sql, type Transaction } from "kysely";
import type { SuppressedCompany, SuppressionStore } from "../../lookup/suppression/store.ts";
import type { Tables } from "../schema/tables.ts";
import { isPostgres } from "./isPostgres.ts";
import { saveMark } from "./marks.ts";

/** Moments that lie closer were given one after the other, as a clock was behind those on the list. */
const GIVEN_IN_TURN_MS = 1_000;

/** The suppression list, in SQL that every store understands. */
export function suppressionQueries(db: Kysely<Tables>): SuppressionStore {
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
        if (isPostgres(transaction)) await lockList(transaction);
        else await saveMark(transaction);
        return forget(transaction, company);
      });
    },

    undoForget(kvkNumber) {
      return db.transaction().execute(async (transaction) => {
        if (isPostgres(transaction)) await lockList(transaction);
        return undoForget(transaction, kvkNumber);
      });
    },
  };
}

/** Who else changes the list waits for the end of this transaction; it is read as before. */
async function lockList(transaction: Transaction<Tables>): Promise<void> {
  await sql`lock table forgotten in share row exclusive mode`.execute(transaction);
}

/** The company that was put on the list last. */
async function lastOf(transaction: Transaction<Tables>) {
  const row = await transaction
    .selectFrom("forgotten")
    .select(["kvk_number", "forgotten_at_ms"])
    .orderBy("forgotten_at_ms", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { kvkNumber: row.kvk_number, forgottenAtMs: Number(row.forgotten_at_ms) };
}

async function undoForget(transaction: Transaction<Tables>, kvkNumber: string): Promise<boolean> {
  const [removed] = await transaction
    .deleteFrom("forgotten")
    .where("kvk_number", "=", kvkNumber)
    .returning("forgotten_at_ms")
    .execute();
  if (removed === undefined) return false;
  const last = await lastOf(transaction);
  const aboveMs = Number(removed.forgotten_at_ms) - (last?.forgottenAtMs ?? 0);
  if (last === undefined || aboveMs <= 0 || aboveMs > GIVEN_IN_TURN_MS) return true;
  // Else the next company would be given the moment of this one, and the list have the mark that it had with it.
  await transaction
    .updateTable("forgotten")
    .set({ forgotten_at_ms: removed.forgotten_at_ms })
    .where("kvk_number", "=", last.kvkNumber)
    .execute();
  return true;
}

async function forget(
  transaction: Transaction<Tables>,
  { kvkNumber, vatNumbers, forgottenAtMs }: SuppressedCompany,
): Promise<readonly string[]> {
  // The mark must change, also where a clock was ahead when another was put on the list.
  const last = await lastOf(transaction);
  const atMs = Math.max(forgottenAtMs, (last?.forgottenAtMs ?? 0) + 1);
  const [before] = await transaction
    .insertInto("forgotten")
    .values({ kvk_number: kvkNumber, vat_numbers: "[]", forgotten_at_ms: atMs })
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
    .set({ vat_numbers: JSON.stringify(all), forgotten_at_ms: atMs })
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
