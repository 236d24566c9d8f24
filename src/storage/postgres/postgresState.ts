import type { Pool } from "pg";
import type { TierTable } from "../../contract/tiers.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { carriedOver } from "../facets.ts";
import { sharedFacets } from "../queries/sharedFacets.ts";
import { StateAway, StateRefused, type StateStore } from "../stateStore.ts";
import { callRows } from "./callRows.ts";
import { DatabaseCalls } from "./calls.ts";
import { databaseTime } from "./commitOutcome.ts";
import { kyselyOver, openPool, SERVICE_CONNECTS_WITHIN_MS } from "./connect.ts";
import { isAway, reasonOf } from "./failures.ts";
import { PostgresMetering, type PostgresMeteringParts } from "./metering.ts";
import { refuseSharedSessions, writeProbe } from "./poolers.ts";
import { TabsInUse } from "./tabsInUse.ts";
import { bringUpToDate } from "./upgrade.ts";

/** Connections of one process at most: batches, the rarer calls, and one to learn of a cut commit. */
const MOST_CONNECTIONS = 8;
/**
 * Batches of one process at the database: one, and the next whose first statements follow it. A batch costs both sides more
 * than the requests in it, most of all when they are of one account, so it takes many to be worth one.
 */
export const POSTGRES_BATCHES = { batchesAtOnce: 2, worthABatch: 20 } as const;
const CLOSE_WITHIN_MS = 1_000;

export interface PostgresStateOptions {
  /** `postgres://user:password@host:port/database`, with libpq's `sslmode` and the like as its query. */
  readonly url: string;
  readonly tiers: TierTable;
  /** Calls a minute of the page's own keys. */
  readonly pageRate?: number;
  /** Tests only: the time in the place of the database's clock. */
  readonly now?: () => number;
  /** Tests only: so many batches are granted before a tab is opened. */
  readonly batchesBeforeTab?: number;
  /** How long a caller waits for a connection; what a service allows when left out. */
  readonly connectWithinMs?: number | undefined;
}

export interface PostgresState extends StateStore {
  /** With the two ways that it decides by. */
  readonly metering: PostgresMetering;
}

/**
 * Opens the state on a PostgreSQL server, which any number of processes may share, and brings it up to this version.
 * @throws {StateAway} when it may be there later
 * @throws {StateRefused} when it is newer than this program or cannot be used; the message holds no password
 */
export async function openPostgresState({
  url,
  tiers,
  pageRate,
  now,
  batchesBeforeTab,
  connectWithinMs = SERVICE_CONNECTS_WITHIN_MS,
}: PostgresStateOptions): Promise<PostgresState> {
  try {
    await bringUpToDate(url, { connectWithinMs });
    const pool = openPool({ url, mostConnections: MOST_CONNECTIONS, connectWithinMs });
    // One connection stays open from now on, for those to see who must have the database alone.
    await refuseSharedSessions(pool).catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
    const tabs = new TabsInUse(pool);
    await tabs.begin();
    return stateOn(pool, tabs, { tiers, pageRate, now, batchesBeforeTab });
  } catch (error) {
    if (error instanceof StateRefused) throw error;
    const Refusal = isAway(error) ? StateAway : StateRefused;
    throw new Refusal(
      `the database of DATABASE_URL cannot be used (${reasonOf(error)}): check that its server runs, and its name, user, password and rights`,
    );
  }
}

function stateOn(
  pool: Pool,
  tabs: TabsInUse,
  parts: Pick<PostgresMeteringParts, "tiers" | "pageRate" | "now" | "batchesBeforeTab">,
): PostgresState {
  const calls = new DatabaseCalls();
  const metering = new PostgresMetering({ pool, calls, mayOpenTabs: () => tabs.areInUse, ...parts });
  const facets = sharedFacets(kyselyOver(pool), parts.now ?? (() => databaseTime(pool)), {
    isOneStatement: true,
    callRows,
  });
  let closing: Promise<void> | undefined;
  return {
    ...carriedOver({ ...facets, metering }, (run, { access }) =>
      access === "read"
        ? (...parameters) => calls.read(() => run(...parameters))
        : (...parameters) => calls.write(() => run(...parameters)),
    ),
    // Takes its turns by itself.
    metering,
    probe: () => calls.write(() => writeProbe(pool)),
    close() {
      calls.close();
      tabs.close();
      // A server that does not answer is not waited for: nothing is under way any more that it could lose.
      closing ??= withTimeout(
        CLOSE_WITHIN_MS,
        metering.close().then(() => pool.end()),
      );
      return closing;
    },
  };
}
