/** The total of numbers in lists: the one row of `list_totals`. */
import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import { listOf, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { ListBounds } from "../stored.ts";

const ROW = "lists";
/** How often the row is recounted, because lists end and accounts change their tier. */
const COUNTED_EVERY_MS = 30_000;
/** The minimum time between recounts, which read every list: callers who find no room may retry at any rate. */
const COUNTED_AT_MOST_EVERY_MS = 1_000;

/** The distinct numbers of lists. */
export const NUMBERS = sql<number>`coalesce(sum(sent - duplicates), 0)`;

/** The space that a new list needs. */
export interface ListSpace {
  readonly numbers: number;
  /** The account has a free tier. */
  readonly isFree: boolean;
  readonly nowMs: number;
}

/**
 * Takes places for the numbers of a list. Other transactions wait until this one ends, so that concurrent
 * lists never exceed the total, even on several nodes. Places of ended lists become free at the next recount.
 * @returns whether there are enough
 */
export async function reserveListSpace(
  transaction: Transaction<Tables>,
  space: ListSpace,
  bounds: ListBounds,
): Promise<boolean> {
  if (await addToTotals(transaction, space, bounds)) return true;
  await recountTotals(transaction, space.nowMs, bounds.freeTiers);
  return addToTotals(transaction, space, bounds);
}

async function addToTotals(
  db: Kysely<Tables>,
  { numbers, isFree, nowMs }: ListSpace,
  { maxNumbersOfAll, maxNumbersOfFree }: ListBounds,
): Promise<boolean> {
  const increased = {
    numbers: sql`numbers + ${numbers}`,
    ...(isFree && { free_numbers: sql`free_numbers + ${numbers}` }),
  };
  const hasRoom = sql`and ${countedWithin(nowMs, COUNTED_EVERY_MS)} and numbers <= ${maxNumbersOfAll - numbers}
    ${isFree ? sql`and free_numbers <= ${maxNumbersOfFree - numbers}` : sql``}`;
  return (await updateRows(db, "list_totals", { name: ROW }, increased, hasRoom)) === 1;
}

/**
 * Recounts, unless that was just done. Earlier transactions have ended once the row is locked, so the count includes
 * them.
 */
async function recountTotals(db: Kysely<Tables>, nowMs: number, freeTiers: readonly string[]): Promise<void> {
  const { rows: locked } = await sql`
    insert into list_totals (name, numbers, free_numbers, counted_at_ms) values (${ROW}, 0, 0, ${nowMs})
    on conflict (name) do update set counted_at_ms = ${nowMs}
      where not ${countedWithin(nowMs, COUNTED_AT_MOST_EVERY_MS)}
    returning name`.execute(db);
  if (locked.length === 0) return;
  await sql`
    update list_totals set (numbers, free_numbers) = (
      select ${NUMBERS}, coalesce(sum(case when tier in ${listOf(freeTiers)} then sent - duplicates else 0 end), 0)
      from jobs join accounts on accounts.id = jobs.account_id where status <> 'cancelled'
    ) where name = ${ROW}`.execute(db);
}

/** Whether a count is recent. A count of a clock that was ahead is not trusted. */
function countedWithin(nowMs: number, ms: number) {
  return sql<SqlBool>`(list_totals.counted_at_ms > ${nowMs - ms} and list_totals.counted_at_ms <= ${nowMs + COUNTED_EVERY_MS})`;
}
