import { type Kysely, sql, type Transaction } from "kysely";
import { isKvkNumber } from "../../contract/numbers.ts";
import type { SuppressedCompany, SuppressionStore } from "../../lookup/suppression/store.ts";
import { endMonitors } from "../../monitors/queries/hiding.ts";
import type { StoreClock } from "../clock.ts";
import { retryCollisions } from "../collisions.ts";
import {
  deleteRows,
  findRow,
  findRows,
  isPostgres,
  takeRows,
  textsIn,
  updateRows,
  upsertRow,
} from "../rows.ts";
import type { Tables } from "../schema/tables.ts";
import { deleteSignals } from "./monitorSources.ts";

/** Times closer than this were assigned consecutively, because a clock was behind those on the list. */
const CONSECUTIVE_MS = 1_000;

/** The suppression list, in SQL for every store. */
export function suppressionQueries(db: Kysely<Tables>, now: StoreClock): SuppressionStore {
  return {
    async suppressedCompanies() {
      const rows = await db.selectFrom("forgotten").selectAll().execute();
      return rows
        .map((row) => ({
          kvkNumber: row.kvk_number,
          vatNumbers: textsIn(row.vat_numbers),
          forgottenAtMs: row.forgotten_at_ms,
        }))
        .sort((a, b) => (a.kvkNumber < b.kvkNumber ? -1 : 1));
    },

    async suppressionMark() {
      const { rows } = await sql<{ mark: string }>`
        select count(*) || ' ' || coalesce(max(forgotten_at_ms), 0) as mark from forgotten`.execute(db);
      return rows[0]?.mark ?? "";
    },

    async endedCompanies() {
      const rows = await findRows(db, "insolvencies", { is_active: 0, is_monitored: 1 });
      return rows.map(({ kvk_number }) => kvk_number);
    },

    async forget(company) {
      const nowMs = await now();
      return retryCollisions(() =>
        db.transaction().execute(async (transaction) => {
          if (isPostgres(transaction)) await lockList(transaction);
          return forget(transaction, company, nowMs);
        }),
      );
    },

    undoForget(kvkNumber) {
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
  nowMs: number,
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
  if (!isKvkNumber(kvkNumber)) return all;
  await endMonitors(transaction, kvkNumber, nowMs);
  await deleteSignals(transaction, kvkNumber);
  return all;
}
