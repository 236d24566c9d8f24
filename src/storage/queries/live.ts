import { type Kysely, type Selectable, sql } from "kysely";
import type { LiveStore, StoredCompany, TooOld } from "../../kvk/store.ts";
import type { Tables } from "../tables.ts";
import { paidCallQueries } from "./paidCalls.ts";

/** What a live registry told, in SQL that every store understands. */
export function liveQueries(db: Kysely<Tables>): LiveStore {
  return {
    ...paidCallQueries(db),
    ...searchQueries(db),
    clearLive: (tooOld) => clearLive(db, tooOld),

    async findCompanies(kvkNumbers) {
      if (kvkNumbers.length === 0) return [];
      const rows = await db
        .selectFrom("live_companies")
        .selectAll()
        .where("kvk_number", "in", kvkNumbers)
        .execute();
      const held = new Map(rows.map((row) => [row.kvk_number, asHeld(row)]));
      return kvkNumbers.map((kvkNumber) => held.get(kvkNumber) ?? null);
    },

    keepCompany: (kvkNumber, facts, toldAtMs) => keepCompany(db, kvkNumber, facts, toldAtMs),

    async keepBranches(kvkNumber, toldAtMs, { facts, branches, branchesAtMs }) {
      await db
        .updateTable("live_companies")
        .set({ facts, branches, branches_at_ms: branchesAtMs })
        .where("kvk_number", "=", kvkNumber)
        .where("told_at_ms", "=", toldAtMs)
        .execute();
    },

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
      const rows = await db
        .selectFrom("live_companies")
        .selectAll()
        .where("told_at_ms", ">=", sinceMs)
        .where("facts", "is not", null)
        .where("kvk_number", ">", after)
        .orderBy("kvk_number")
        .limit(most)
        .execute();
      return rows.map((row) => ({ kvkNumber: row.kvk_number, ...asHeld(row) }));
    },
  };
}

async function keepCompany(
  db: Kysely<Tables>,
  kvkNumber: string,
  facts: string | null,
  toldAtMs: number,
): Promise<void> {
  const branches = facts === null ? sql`, branches = null, branches_at_ms = null` : sql``;
  await sql`
    insert into live_companies (kvk_number, facts, told_at_ms, times_told)
    select cast(${kvkNumber} as text), cast(${facts} as text), cast(${toldAtMs} as bigint), 1
    where not exists (select 1 from forgotten where kvk_number = ${kvkNumber})
    on conflict (kvk_number) do update set
      facts = excluded.facts, told_at_ms = excluded.told_at_ms,
      times_told = live_companies.times_told + 1 ${branches}
    where live_companies.told_at_ms <= excluded.told_at_ms`.execute(db);
}

/** Pages of searches. */
function searchQueries(db: Kysely<Tables>): Pick<LiveStore, "heldSearch" | "keepSearch"> {
  return {
    async heldSearch(criteria) {
      const row = await db
        .selectFrom("live_searches")
        .selectAll()
        .where("criteria", "=", criteria)
        .executeTakeFirst();
      return row === undefined ? null : { page: row.page, foundAtMs: Number(row.found_at_ms) };
    },

    async keepSearch(criteria, { page, foundAtMs }) {
      const found = { page, found_at_ms: foundAtMs };
      await db
        .insertInto("live_searches")
        .values({ criteria, ...found })
        .onConflict((conflict) =>
          conflict.column("criteria").doUpdateSet(found).where("live_searches.found_at_ms", "<=", foundAtMs),
        )
        .execute();
    },
  };
}

async function clearLive(
  db: Kysely<Tables>,
  { companiesBeforeMs, searchesBeforeMs, beforeDay, mostRows }: TooOld,
): Promise<void> {
  // What was kept while it was being forgotten.
  await db
    .deleteFrom("live_companies")
    .where("kvk_number", "in", (from) => from.selectFrom("forgotten").select("kvk_number"))
    .execute();
  await deleteOldest("live_companies", "kvk_number", "told_at_ms", companiesBeforeMs);
  await deleteOldest("live_searches", "criteria", "found_at_ms", searchesBeforeMs);
  await db.deleteFrom("live_days").where("day", "<", beforeDay).execute();
  await deleteOldest("live_misses", "account_id", "day", beforeDay);
  await deleteOldest("live_places", "subject", "day", beforeDay);

  /** A bounded number at once: whoever waits for the store meanwhile must not wait long. */
  async function deleteOldest(
    table: keyof Tables,
    key: string,
    age: string,
    before: number | string,
  ): Promise<void> {
    const [from, id, at] = [sql.table(table), sql.ref(key), sql.ref(age)];
    const oldest = sql`select ${id} from ${from} where ${at} < ${before} order by ${at} limit ${mostRows}`;
    await sql`delete from ${from} where ${at} < ${before} and ${id} in (${oldest})`.execute(db);
  }
}

function asHeld(row: Selectable<Tables["live_companies"]>): StoredCompany {
  return {
    facts: row.facts,
    toldAtMs: Number(row.told_at_ms),
    branches: row.branches,
    branchesAtMs: row.branches_at_ms === null ? null : Number(row.branches_at_ms),
  };
}
