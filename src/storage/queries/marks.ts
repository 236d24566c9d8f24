/** Marks of what a live source told: numbers that rows get in the order in which they are committed. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { isPostgres } from "./isPostgres.ts";

/** The one row of `live_marks`. */
const TOLD = sql.lit("told");
const OF_COMPANIES = sql`(select coalesce(max(told_mark), 0) from live_companies)`;
const OF_SEARCHES = sql`(select coalesce(max(told_mark), 0) from live_searches)`;

/** The last mark that was given: that of the newest row, or the one that is noted, when the newest was deleted. */
export const LAST_MARK = sql<number>`(select max(mark) from (
  select ${OF_COMPANIES} as mark union all select ${OF_SEARCHES} union all
  select coalesce(max(mark), 0) from live_marks) marks)`;

/** What is noted is the last mark, and its row is locked until the commit. What a state was filled with may have higher ones. */
const NOTED_MARK = sql`insert into live_marks (name, mark) values (${TOLD}, ${LAST_MARK} + 1)
  on conflict (name) do update set mark = greatest(live_marks.mark, ${OF_COMPANIES}, ${OF_SEARCHES}) + 1
  returning mark`;

/** A statement that writes rows with a mark: `next` goes before it, `mark` is its value. */
export type MarkedStatement = (next: RawBuilder<unknown>, mark: RawBuilder<number>) => RawBuilder<unknown>;

/**
 * Has rows written with the next mark, in one statement. A store that can write two tables with it has the mark in a row of its own, for which whoever comes next waits until the
 * commit; one that writes one statement after the other takes it from the rows. Either way a reader that saw a mark has all below it.
 */
export async function marked(db: Kysely<Tables>, write: MarkedStatement): Promise<void> {
  const statement = isPostgres(db)
    ? write(sql`with next as (${NOTED_MARK})`, sql`(select mark from next)`)
    : write(sql``, sql`${LAST_MARK} + 1`);
  await statement.execute(db);
}

/** Notes the last mark where it is taken from the rows: before some are deleted, in one transaction with that. */
export async function saveMark(db: Kysely<Tables>): Promise<void> {
  await sql`insert into live_marks (name, mark) select ${TOLD}, ${LAST_MARK} where true
    on conflict (name) do update set mark = excluded.mark`.execute(db);
}
