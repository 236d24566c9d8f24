/** The stored replica of the court's register, in SQL for every store. */
import { type Kysely, sql, type Transaction } from "kysely";
import type { KvkNumber } from "../contract/numbers.ts";
import type { StoreClock } from "../database/clock.ts";
import { retryCollisions } from "../database/collisions.ts";
import { toObject } from "../database/objects.ts";
import {
  countRows,
  deleteRows,
  findRow,
  findRows,
  lockRows,
  type Row,
  rowsOf,
  updateRows,
  upsertRow,
} from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { columnsOf } from "../database/sql.ts";
import { shareSuppressions, suppressedAmong } from "../database/suppressions.ts";
import { dueAfter, putDue } from "./due.ts";
import { areTooMany, removedRows } from "./removals.ts";
import { noteRemoved } from "./removed.ts";
import { caseNumberOf, dayOf, isOf, isOverdue, keptOf, momentMs } from "./rules.ts";
import { type CourtProgress, caseOf, EMPTY, inParts, REPLICA_ID, type StoredCase } from "./stored.ts";
import type { CourtCase, CourtList, RemovedCase } from "./types.ts";

/** Changed numbers are compared within a day. */
const KEEP_CHANGES_MS = 60 * 86_400_000;

export type CourtQueries = ReturnType<typeof courtQueries>;

export function courtQueries(db: Kysely<Tables>, now: StoreClock) {
  /** Changes the replica in one transaction, in which no other process changes it. */
  async function change<T>(
    work: (transaction: Transaction<Tables>, at: CourtProgress) => Promise<T>,
  ): Promise<T> {
    return retryCollisions(() =>
      db.transaction().execute(async (transaction) => {
        await shareSuppressions(transaction);
        await upsertRow(transaction, "court_replica", EMPTY);
        const [row = EMPTY] = await lockRows(transaction, "court_replica", { id: REPLICA_ID });
        return work(transaction, toObject("court_replica", row, "id"));
      }),
    );
  }

  /** Stores how far the replica is, and what changed: the numbers of companies whose cases did. */
  async function advance(
    transaction: Transaction<Tables>,
    changes: Partial<Omit<Tables["court_replica"], "id" | "version">>,
    kvkNumbers: Iterable<KvkNumber> = [],
  ): Promise<void> {
    const changedAtMs = await now();
    const rows = [...new Set(kvkNumbers)].sort().map((kvkNumber) => ({ kvkNumber, changedAtMs }));
    for (const some of inParts(rows)) {
      await sql`insert into court_numbers (kvk_number, changed_at_ms)
        select kvk_number, changed_at_ms from ${rowsOf(transaction, some, "n", columnsOf("court_numbers"))} where true
        on conflict (kvk_number) do update set changed_at_ms = excluded.changed_at_ms`.execute(transaction);
    }
    await updateRows(
      transaction,
      "court_replica",
      { id: REPLICA_ID },
      { ...changes, version: sql`version + 1` },
    );
  }

  /** Deletes cases, or holds them if they are too many. */
  async function remove(
    transaction: Transaction<Tables>,
    { held }: CourtProgress,
    rows: readonly Row<"court_cases">[],
    mayBeMany: boolean,
  ): Promise<{ readonly held: readonly string[]; readonly kvkNumbers: readonly KvkNumber[] }> {
    const ids = rows.map(({ id }) => id);
    const kvkNumbers = rows.flatMap((row) => caseOf(row).kvkNumbers);
    if (!mayBeMany && (await areTooMany(transaction, rows))) {
      return { held: [...new Set([...held, ...ids])], kvkNumbers };
    }
    for (const some of inParts(ids)) await deleteRows(transaction, "court_cases", { id: some });
    await noteRemoved(transaction, rows.map(caseOf), await now());
    const gone = new Set(ids);
    return { held: held.filter((id) => !gone.has(id)), kvkNumbers };
  }

  /** Notes the companies that a changed case no longer names. */
  async function noteLost(
    transaction: Transaction<Tables>,
    before: readonly CourtCase[],
    kept: CourtCase | undefined,
  ): Promise<void> {
    const lost = before.flatMap(({ caseNumber, kvkNumbers }) => {
      if (caseNumber !== kept?.caseNumber) return [{ caseNumber, kvkNumbers }];
      const gone = kvkNumbers.filter((kvkNumber) => !kept.kvkNumbers.includes(kvkNumber));
      return gone.length === 0 ? [] : [{ caseNumber, kvkNumbers: gone }];
    });
    await noteRemoved(transaction, lost, await now());
    if (before.length > 0 || kept === undefined) return;
    // Published again.
    const { caseNumber: case_number, kvkNumbers: kvk_number } = kept;
    await deleteRows(transaction, "court_removed", { case_number, kvk_number });
  }

  return {
    /** Undefined before the first load. */
    async courtProgress(): Promise<CourtProgress | undefined> {
      const row = await findRow(db, "court_replica", { id: REPLICA_ID });
      return row === undefined ? undefined : toObject("court_replica", row, "id");
    },

    courtDue: (): Promise<number> => countRows(db, "court_due", {}),

    /** Publications whose cases must be fetched, after one of them. */
    async courtDueAfter(publication: string, limit: number): Promise<readonly string[]> {
      return (await findRows(db, "court_due", {}, dueAfter(publication, limit))).map(
        (row) => row.publication,
      );
    },

    /** Stores a list of changes. @param isFull whether it lists every case */
    storeModified({ items, extractedAt }: CourtList<string>, isFull: boolean): Promise<void> {
      return change(async (transaction, at) => {
        await putDue(transaction, items, 0);
        const listMs = momentMs(extractedAt);
        const full = { load_ms: listMs, removed_from: extractedAt };
        await advance(transaction, {
          modified_from: extractedAt,
          needs_removals: 1,
          // The court may repeat the date of the last list.
          complete_at_ms: Math.min(at.completeAtMs, listMs - 1),
          ...(isFull && full),
        });
      });
    },

    /**
     * Replaces a case that was due.
     * @param found `none` if the court has no such case, which counts only if it has removed it
     */
    storeCase(publication: string, found: CourtCase | "private" | "none"): Promise<boolean> {
      return change(async (transaction, at) => {
        const condition = found === "none" ? sql`and is_removed = 1` : sql``;
        if ((await deleteRows(transaction, "court_due", { publication }, condition)) === 0) return false;
        const number = typeof found === "object" ? found.caseNumber : caseNumberOf(publication);
        const same = await findRows(transaction, "court_cases", { case_number: number ?? "" });
        const before = same.filter((row) =>
          typeof found === "object" && row.id === found.id ? true : isOf(caseOf(row), publication),
        );
        const [old] = before;
        const allowed = typeof found === "object" ? await withoutSuppressed(transaction, found) : undefined;
        const kept = allowed && keptOf(allowed, dayOf(at.modifiedFrom), old !== undefined);
        const data = kept && JSON.stringify(kept);
        const wasEnded = old !== undefined && caseOf(old).endedOn !== undefined;
        const isStill = wasEnded && kept?.isLegalPerson === false;
        const listMs = isStill ? old.list_ms : Math.max(momentMs(at.modifiedFrom), at.loadMs);
        const gone = before.map(({ id }) => id).filter((id) => id !== kept?.id);
        if (gone.length > 0) await deleteRows(transaction, "court_cases", { id: gone });
        if (kept !== undefined && data !== undefined) {
          const row = { case_number: kept.caseNumber, list_ms: listMs, data };
          await upsertRow(transaction, "court_cases", { id: kept.id, ...row }, row);
        }
        await noteLost(transaction, before.map(caseOf), kept);
        const released = new Set([...gone, kept?.id]);
        const held = at.held.filter((id) => !released.has(id));
        if (before.length === 1 && old?.data === data && held.length === at.held.length) return true;
        const numbers = [...before.map(caseOf), ...(kept === undefined ? [] : [kept])];
        await advance(
          transaction,
          { held: JSON.stringify(held) },
          numbers.flatMap(({ kvkNumbers }) => kvkNumbers),
        );
        return true;
      });
    },

    /** Deletes removed cases; too many are held. @returns how many are held */
    storeRemoved({ items, extractedAt }: CourtList<RemovedCase>): Promise<number> {
      return change(async (transaction, at) => {
        const removed = await removedRows(transaction, at, items);
        const { held, kvkNumbers } = await remove(transaction, at, removed, false);
        const changes = { removed_from: extractedAt, needs_removals: 0, held: JSON.stringify(held) };
        await advance(transaction, changes, kvkNumbers);
        return held.length;
      });
    },

    /** Cases by id, after one of them. */
    async courtCases(afterId: string, limit: number): Promise<readonly StoredCase[]> {
      const rows = await findRows(db, "court_cases", {}, sql`and id > ${afterId} order by id limit ${limit}`);
      return rows.map((row) => ({ listMs: row.list_ms, found: caseOf(row) }));
    },

    /**
     * Deletes cases whose time after the end is over. If every case of the list is stored, ends its run, and after a
     * full load deletes the cases that it did not list.
     * @param ids cases that may have to be deleted
     * @returns how many are held
     */
    finishRun(ids: readonly string[]): Promise<number> {
      return change(async (transaction, at) => {
        const listMs = momentMs(at.modifiedFrom);
        if (listMs === 0 || at.needsRemovals) return at.held.length;
        const isWhole = (await countRows(transaction, "court_due", {})) === 0;
        const rows: Row<"court_cases">[] = [];
        for (const some of inParts(ids))
          rows.push(...(await findRows(transaction, "court_cases", { id: some })));
        const overdue = rows.filter((row) =>
          isOverdue(caseOf(row), dayOf(at.modifiedFrom), row.list_ms <= at.completeAtMs),
        );
        const unlisted = rows.filter((row) => isWhole && row.list_ms < at.loadMs && !overdue.includes(row));
        const ended = await remove(transaction, at, overdue, true);
        const { held, kvkNumbers } = await remove(transaction, { ...at, held: ended.held }, unlisted, false);
        await deleteRows(
          transaction,
          "court_numbers",
          {},
          sql`and changed_at_ms < ${(await now()) - KEEP_CHANGES_MS}`,
        );
        const ending = isWhole ? { complete_at_ms: listMs, load_ms: 0 } : {};
        const changes = { ...ending, held: JSON.stringify(held) };
        await advance(transaction, changes, [...ended.kvkNumbers, ...kvkNumbers]);
        return held.length;
      });
    },

    /** The next run loads every case again; until then the replica cannot say that there is no case. */
    forgetHistory: (): Promise<void> => change((transaction) => advance(transaction, { modified_from: "" })),

    /** Deletes the held cases. @returns how many */
    deleteHeld(): Promise<number> {
      return change(async (transaction, at) => {
        const rows: Row<"court_cases">[] = [];
        for (const some of inParts(at.held))
          rows.push(...(await findRows(transaction, "court_cases", { id: some })));
        const { kvkNumbers } = await remove(transaction, at, rows, true);
        await advance(transaction, { held: "[]" }, kvkNumbers);
        return rows.length;
      });
    },
  };
}

/** A case without its suppressed companies; undefined if it has no others. */
async function withoutSuppressed(
  transaction: Transaction<Tables>,
  found: CourtCase,
): Promise<CourtCase | undefined> {
  const suppressed = await suppressedAmong(transaction, found.kvkNumbers);
  if (suppressed.size === 0) return found;
  const kvkNumbers = found.kvkNumbers.filter((kvkNumber) => !suppressed.has(kvkNumber));
  return kvkNumbers.length === 0 ? undefined : { ...found, kvkNumbers };
}
