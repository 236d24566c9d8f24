import { type Kysely, sql, type Transaction } from "kysely";
import { isKvkNumber, type KvkNumber } from "../../contract/numbers.ts";
import type { StoreClock } from "../../database/clock.ts";
import { retryCollisions } from "../../database/collisions.ts";
import { toObject } from "../../database/objects.ts";
import {
  deleteRows,
  findRow,
  findRows,
  isPostgres,
  takeRows,
  textsIn,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { missCases } from "../../insolvency/stored.ts";

/** A company that must be neither returned nor stored. */
export interface SuppressedCompany {
  readonly kvkNumber: string;
  /** Its known VAT numbers, whose verdicts must not contain name and address. */
  readonly vatNumbers: readonly string[];
  /** Unix milliseconds; always later than the previous entry of the list, even if a clock is behind. */
  readonly forgottenAtMs: number;
}

/** Times closer than this were assigned consecutively, because a clock was behind those on the list. */
const CONSECUTIVE_MS = 1_000;

/** Deletes what else is stored about a company that is now suppressed, in the same transaction. */
type OnForgotten = (transaction: Transaction<Tables>, kvkNumber: KvkNumber, nowMs: number) => Promise<void>;

/** The suppression list, in SQL for every store. */
export function suppressionQueries(db: Kysely<Tables>, now: StoreClock, onForgotten: OnForgotten) {
  return {
    /** All entries, in the order of their numbers. */
    async suppressedCompanies(): Promise<readonly SuppressedCompany[]> {
      const rows = await db.selectFrom("forgotten").selectAll().execute();
      return rows
        .map((row) => toObject("forgotten", row))
        .sort((a, b) => (a.kvkNumber < b.kvkNumber ? -1 : 1));
    },

    /** A text that changes whenever the list does. */
    async suppressionMark(): Promise<string> {
      const { rows } = await sql<{ mark: string }>`
        select count(*) || ' ' || coalesce(max(forgotten_at_ms), 0) as mark from forgotten`.execute(db);
      return rows[0]?.mark ?? "";
    },

    /** The monitored companies that have ended by KVK's open data. */
    async endedCompanies(): Promise<readonly string[]> {
      const rows = await findRows(db, "insolvencies", { is_active: 0, is_monitored: 1 });
      return rows.map(({ kvk_number }) => kvk_number);
    },

    /**
     * Adds a company to the list, or adds VAT numbers to its entry, and deletes its stored data: answers of a live
     * source, searches and verdicts on its VAT numbers. Responses stored for repeated calls are no longer returned from
     * now on, and deleted separately.
     * @returns all VAT numbers of its entry
     */
    async forget(company: SuppressedCompany): Promise<readonly string[]> {
      const nowMs = await now();
      return retryCollisions(() =>
        db.transaction().execute(async (transaction) => {
          if (isPostgres(transaction)) await lockList(transaction);
          const vatNumbers = await forget(transaction, company);
          if (isKvkNumber(company.kvkNumber)) await onForgotten(transaction, company.kvkNumber, nowMs);
          return vatNumbers;
        }),
      );
    },

    /** Removes a company from the list; false when it was not on it. */
    undoForget(kvkNumber: string): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (isPostgres(transaction)) await lockList(transaction);
        return undoForget(transaction, kvkNumber);
      });
    },
  };
}

/** Other writers of the list wait for the end of this transaction; readers do not. */
async function lockList(transaction: Transaction<Tables>): Promise<void> {
  await sql`lock table forgotten in share row exclusive mode`.execute(transaction);
}

/** The latest company on the list. */
function lastOf(transaction: Transaction<Tables>) {
  return findRow(transaction, "forgotten", {}, sql`order by forgotten_at_ms desc limit 1`);
}

async function undoForget(transaction: Transaction<Tables>, kvkNumber: string): Promise<boolean> {
  const [removed] = await takeRows(transaction, "forgotten", { kvk_number: kvkNumber });
  if (removed === undefined) return false;
  await missCases(transaction);
  const last = await lastOf(transaction);
  const aboveMs = removed.forgotten_at_ms - (last?.forgotten_at_ms ?? 0);
  if (last === undefined || aboveMs <= 0 || aboveMs > CONSECUTIVE_MS) return true;
  // Otherwise the next company would get this one's time, and the list its earlier mark.
  const { forgotten_at_ms } = removed;
  await updateRows(transaction, "forgotten", { kvk_number: last.kvk_number }, { forgotten_at_ms });
  return true;
}

async function forget(
  transaction: Transaction<Tables>,
  { kvkNumber, vatNumbers, forgottenAtMs }: SuppressedCompany,
): Promise<readonly string[]> {
  // The mark must change even if a clock was ahead at an earlier change.
  const last = await lastOf(transaction);
  const atMs = Math.max(forgottenAtMs, (last?.forgotten_at_ms ?? 0) + 1);
  // The list is locked.
  const before = await findRow(transaction, "forgotten", { kvk_number: kvkNumber });
  const all = [...new Set([...textsIn(before?.vat_numbers ?? "[]"), ...vatNumbers])].sort();
  const changed = { vat_numbers: JSON.stringify(all), forgotten_at_ms: atMs };
  await upsertRow(transaction, "forgotten", { kvk_number: kvkNumber, ...changed }, changed);
  await deleteRows(transaction, "live_companies", { kvk_number: kvkNumber });
  await transaction.deleteFrom("live_searches").execute();
  await deleteRows(transaction, "verdicts", { vat_number: all });
  await deleteRows(transaction, "consultations", { vat_number: all });
  return all;
}

export type SuppressionQueries = ReturnType<typeof suppressionQueries>;
