import { type Kysely, type Selectable, sql } from "kysely";
import { findRow, findRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { changeSome, type ExpiredRows } from "../../database/sweeping.ts";
import type { NumberedCompany, RetentionCutoffs, StoredCompany, StoredSearch } from "../stored.ts";
import { paidCallQueries } from "./paidCalls.ts";

/** Responses of a live registry, in SQL for every store. */
export function liveQueries(db: Kysely<Tables>) {
  return {
    ...paidCallQueries(db),
    ...searchQueries(db),
    clearLive: (tooOld: RetentionCutoffs): Promise<void> =>
      db.transaction().execute((transaction) => clearLive(transaction, tooOld)),

    /** The stored answers in the order of the numbers; null where there is none. */
    async findCompanies(kvkNumbers: readonly string[]): Promise<readonly (StoredCompany | null)[]> {
      if (kvkNumbers.length === 0) return [];
      const rows = await findRows(db, "live_companies", { kvk_number: kvkNumbers });
      const byNumber = new Map(rows.map((row) => [row.kvk_number, asCached(row)]));
      return kvkNumbers.map((kvkNumber) => byNumber.get(kvkNumber) ?? null);
    },

    /**
     * Stores an answer, durable before the promise is fulfilled. An answer older than the stored one changes nothing.
     * Facts of null delete the branches. Suppressed companies are not stored.
     */
    async storeCompany(kvkNumber: string, facts: string | null, answeredAtMs: number): Promise<void> {
      const branches = facts === null ? sql`, branches = null, branches_at_ms = null` : sql``;
      await sql`
        insert into live_companies (kvk_number, facts, told_at_ms, times_told)
        select cast(${kvkNumber} as text), cast(${facts} as text), cast(${answeredAtMs} as bigint), 1
        where not exists (select 1 from forgotten where kvk_number = ${kvkNumber})
        on conflict (kvk_number) do update set
          facts = excluded.facts, told_at_ms = excluded.told_at_ms,
          times_told = live_companies.times_told + 1 ${branches}
        where live_companies.told_at_ms <= excluded.told_at_ms`.execute(db);
    },

    /** Adds branches, and the facts as updated by them, to the answer of `answeredAtMs`, if that is still stored. */
    async storeBranches(
      kvkNumber: string,
      answeredAtMs: number,
      {
        facts,
        branches,
        branchesAtMs,
      }: { readonly facts: string; readonly branches: string; readonly branchesAtMs: number },
    ): Promise<void> {
      await sql`
        update live_companies set facts = ${facts}, branches = ${branches}, branches_at_ms = ${branchesAtMs}
        where kvk_number = ${kvkNumber} and told_at_ms = ${answeredAtMs}`.execute(db);
    },

    /** The numbers that were renewed most often, so the most requested ones. */
    async mostRenewed(limit: number): Promise<readonly string[]> {
      const rows = await db
        .selectFrom("live_companies")
        .select("kvk_number")
        .where("facts", "is not", null)
        .orderBy("times_told", "desc")
        .orderBy("kvk_number")
        .limit(limit)
        .execute();
      return rows.map(({ kvk_number }) => kvk_number);
    },

    /** The answers from `sinceMs` on, in the order of their numbers, starting after `after`. */
    async answeredSince(sinceMs: number, after: string, limit: number): Promise<readonly NumberedCompany[]> {
      const isNext = sql`and told_at_ms >= ${sinceMs} and facts is not null and kvk_number > ${after}`;
      const rows = await findRows(
        db,
        "live_companies",
        {},
        sql`${isNext} order by kvk_number limit ${limit}`,
      );
      return rows.map((row) => ({ kvkNumber: row.kvk_number, ...asCached(row) }));
    },
  };
}

/** Pages of searches. */
function searchQueries(db: Kysely<Tables>) {
  return {
    async findSearch(criteria: string): Promise<StoredSearch | null> {
      const row = await findRow(db, "live_searches", { criteria });
      return row === undefined ? null : { page: row.page, foundAtMs: row.found_at_ms };
    },

    async storeSearch(criteria: string, { page, foundAtMs }: StoredSearch): Promise<void> {
      await sql`
        insert into live_searches (criteria, page, found_at_ms) values (${criteria}, ${page}, ${foundAtMs})
        on conflict (criteria) do update set page = excluded.page, found_at_ms = excluded.found_at_ms
        where live_searches.found_at_ms <= excluded.found_at_ms`.execute(db);
    },
  };
}

async function clearLive(
  db: Kysely<Tables>,
  { companiesBeforeMs, searchesBeforeMs, beforeDay, maxRows }: RetentionCutoffs,
): Promise<void> {
  // First the data of companies that are now suppressed.
  const toClear: readonly ExpiredRows[] = [
    { table: "live_companies", isDue: sql`kvk_number in (select kvk_number from forgotten)` },
    { table: "live_companies", isDue: sql`told_at_ms < ${companiesBeforeMs}`, age: "told_at_ms" },
    { table: "live_searches", isDue: sql`found_at_ms < ${searchesBeforeMs}`, age: "found_at_ms" },
    { table: "live_places", isDue: sql`day < ${beforeDay}`, age: "day" },
  ];
  for (const rows of toClear) await changeSome(db, rows, maxRows);
  await db.deleteFrom("live_days").where("day", "<", beforeDay).execute();
}

function asCached(row: Selectable<Tables["live_companies"]>): StoredCompany {
  const { facts, told_at_ms, branches, branches_at_ms } = row;
  return { facts, answeredAtMs: told_at_ms, branches, branchesAtMs: branches_at_ms };
}

export type LiveQueries = ReturnType<typeof liveQueries>;
