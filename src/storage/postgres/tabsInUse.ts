import type { Pool } from "pg";
import { IS_EARLIER } from "./connect.ts";

/** How long a node waits until it looks again whether nodes of the version before have gone. */
const LOOK_EVERY_MS = 60_000;
/** Calls are held up for so long at most, as by a change of the tables (`upgrade.ts`). */
const LOCK_WITHIN_MS = 500;

/**
 * Whether tabs may be opened. A node of the version before does not see them and would charge an allowance a second time, so they are not used while it
 * may be there: while it has a connection, which every node keeps, or a batch of its own is noted. Once it is gone, its batches are
 * refused for good, by a column that it leaves empty and that has no default any more: with 503, and nothing is charged. What it does
 * to keys and accounts closes their tabs (migration 0043).
 */
export class TabsInUse {
  readonly #pool: Pool;
  #areInUse = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  get areInUse(): boolean {
    return this.#areInUse;
  }

  /** Looks, and goes on looking until they are in use. Never rejects: what cannot be found out now is looked at again. */
  async begin(): Promise<void> {
    this.#areInUse = await lookOrUse(this.#pool).catch(() => false);
    if (this.#areInUse || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.begin(), LOOK_EVERY_MS).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}

/** Whether they are in use, from now on if nothing stands in the way. */
async function lookOrUse(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ are_in_use: boolean; is_earlier_there: boolean }>(LOOK);
  const [seen] = rows;
  if (seen === undefined) return false;
  if (seen.are_in_use) return true;
  if (seen.is_earlier_there) return false;
  const client = await pool.connect();
  let hasFailed = true;
  try {
    await client.query("begin");
    await client.query(`set local lock_timeout = ${LOCK_WITHIN_MS}`);
    await client.query("alter table applied_batches alter column layout drop default");
    await client.query("commit");
    hasFailed = false;
    return true;
  } finally {
    client.release(hasFailed);
  }
}

/** Whether they are in use, in SQL; null where the state has no tables for them. */
export const ARE_TABS_IN_USE =
  "select not atthasdef from pg_attribute where attrelid = to_regclass('applied_batches') and attname = 'layout'";

const LOOK = `select (${ARE_TABS_IN_USE}) as are_in_use,
    exists (select from pg_stat_activity where datname = current_database() and ${IS_EARLIER})
      or exists (select from applied_batches where layout = 1) as is_earlier_there`;
