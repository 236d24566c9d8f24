import { type Kysely, type Selectable, sql } from "kysely";
import type { LiveNews, LiveStore, StoredCompany, TooOld } from "../../kvk/store.ts";
import type { Tables } from "../schema/tables.ts";
import { isPostgres } from "./isPostgres.ts";
import { LAST_MARK, type MarkedStatement, marked, saveMark } from "./marks.ts";
import { paidCallQueries } from "./paidCalls.ts";
import { findRow, findRows } from "./rows.ts";
import { changeSome, type Swept } from "./sweeping.ts";

/** Answers of a live registry, in SQL that every store understands. */
export function liveQueries(db: Kysely<Tables>): LiveStore {
  return {
    ...paidCallQueries(db),
    ...searchQueries(db),
    clearLive: (tooOld) =>
      db.transaction().execute(async (transaction) => {
        if (!isPostgres(transaction)) await saveMark(transaction);
        await clearLive(transaction, tooOld);
      }),

    async findCompanies(kvkNumbers) {
      if (kvkNumbers.length === 0) return [];
      const rows = await findRows(db, "live_companies", { kvk_number: kvkNumbers });
      const held = new Map(rows.map((row) => [row.kvk_number, asHeld(row)]));
      return kvkNumbers.map((kvkNumber) => held.get(kvkNumber) ?? null);
    },

    newsAfter: (mark, most) => newsAfter(db, mark, most),

    keepCompany: (kvkNumber, facts, toldAtMs) => marked(db, keepCompany(kvkNumber, facts, toldAtMs)),

    keepBranches: (kvkNumber, toldAtMs, { facts, branches, branchesAtMs }) =>
      marked(
        db,
        (next, mark) => sql`${next} update live_companies
          set facts = ${facts}, branches = ${branches}, branches_at_ms = ${branchesAtMs}, told_mark = ${mark}
          where kvk_number = ${kvkNumber} and told_at_ms = ${toldAtMs}`,
      ),

    async mostTold(most) {
      const rows = await db
        .selectFrom("live_companies")
        .select("kvk_number")
        .where("facts", "is not", null)
        .orderBy("times_told", "desc")
        .orderBy("kvk_number")
        .limit(most)
        .execute();
      return rows.map(({ kvk_number }) => kvk_number);
    },

    async toldSince(sinceMs, after, most) {
      const isNext = sql`and told_at_ms >= ${sinceMs} and facts is not null and kvk_number > ${after}`;
      const rows = await findRows(db, "live_companies", {}, sql`${isNext} order by kvk_number limit ${most}`);
      return rows.map((row) => ({ kvkNumber: row.kvk_number, ...asHeld(row) }));
    },
  };
}

interface NewsRow {
  readonly mark: number;
  readonly kvk_number: string | null;
  readonly told: string;
  readonly at_ms: number;
  readonly branches: string | null;
  readonly branches_at_ms: number | null;
}

/** In one statement, so that both tables are read as they were at one moment. */
async function newsAfter(db: Kysely<Tables>, after: number, most: number): Promise<LiveNews> {
  const { rows } = await sql<NewsRow>`
    select told_mark as mark, kvk_number, facts as told, told_at_ms as at_ms, branches, branches_at_ms
    from live_companies where told_mark > ${after} and facts is not null
    union all
    select told_mark, cast(null as text), page, found_at_ms, cast(null as text), cast(null as bigint)
    from live_searches where told_mark > ${after}
    order by 1 limit ${most}`.execute(db);
  const latest = await sql<{ latest: number }>`select ${LAST_MARK} as latest`.execute(db);
  return {
    companies: rows.flatMap(({ kvk_number, told, at_ms, branches, branches_at_ms }) =>
      kvk_number === null
        ? []
        : [{ kvkNumber: kvk_number, facts: told, toldAtMs: at_ms, branches, branchesAtMs: branches_at_ms }],
    ),
    searches: rows.flatMap(({ kvk_number, told, at_ms }) =>
      kvk_number === null ? [{ page: told, foundAtMs: at_ms }] : [],
    ),
    mark: rows.at(-1)?.mark ?? after,
    latest: latest.rows[0]?.latest ?? 0,
  };
}

function keepCompany(kvkNumber: string, facts: string | null, toldAtMs: number): MarkedStatement {
  const branches = facts === null ? sql`, branches = null, branches_at_ms = null` : sql``;
  return (next, mark) => sql`${next}
    insert into live_companies (kvk_number, facts, told_at_ms, times_told, told_mark)
    select cast(${kvkNumber} as text), cast(${facts} as text), cast(${toldAtMs} as bigint), 1, cast(${mark} as bigint)
    where not exists (select 1 from forgotten where kvk_number = ${kvkNumber})
    on conflict (kvk_number) do update set
      facts = excluded.facts, told_at_ms = excluded.told_at_ms, told_mark = excluded.told_mark,
      times_told = live_companies.times_told + 1 ${branches}
    where live_companies.told_at_ms <= excluded.told_at_ms`;
}

/** Pages of searches. */
function searchQueries(db: Kysely<Tables>): Pick<LiveStore, "heldSearch" | "keepSearch"> {
  return {
    async heldSearch(criteria) {
      const row = await findRow(db, "live_searches", { criteria });
      return row === undefined ? null : { page: row.page, foundAtMs: row.found_at_ms };
    },

    keepSearch: (criteria, { page, foundAtMs }) =>
      marked(
        db,
        (next, mark) => sql`${next} insert into live_searches (criteria, page, found_at_ms, told_mark)
          values (${criteria}, ${page}, ${foundAtMs}, ${mark})
          on conflict (criteria) do update set
            page = excluded.page, found_at_ms = excluded.found_at_ms, told_mark = excluded.told_mark
          where live_searches.found_at_ms <= excluded.found_at_ms`,
      ),
  };
}

async function clearLive(
  db: Kysely<Tables>,
  { companiesBeforeMs, searchesBeforeMs, beforeDay, mostRows }: TooOld,
): Promise<void> {
  // What was kept while it was being forgotten comes first.
  const toClear: readonly Swept[] = [
    { table: "live_companies", isOver: sql`kvk_number in (select kvk_number from forgotten)` },
    { table: "live_companies", isOver: sql`told_at_ms < ${companiesBeforeMs}`, age: "told_at_ms" },
    { table: "live_searches", isOver: sql`found_at_ms < ${searchesBeforeMs}`, age: "found_at_ms" },
    { table: "live_places", isOver: sql`day < ${beforeDay}`, age: "day" },
  ];
  for (const rows of toClear) await changeSome(db, rows, mostRows);
  await db.deleteFrom("live_days").where("day", "<", beforeDay).execute();
}

function asHeld(row: Selectable<Tables["live_companies"]>): StoredCompany {
  const { facts, told_at_ms, branches, branches_at_ms } = row;
  return { facts, toldAtMs: told_at_ms, branches, branchesAtMs: branches_at_ms };
}
