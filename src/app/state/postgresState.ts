import type { Pool } from "pg";
import type { TierTable } from "../../contract/tiers.ts";
import type { Upgrade } from "../../database/migrate.ts";
import { ObservedCalls } from "../../database/observedCalls.ts";
import { databaseTime } from "../../database/postgres/commitOutcome.ts";
import { MAX_CONNECTIONS, openPool, SERVICE_CONNECT_TIMEOUT_MS } from "../../database/postgres/connect.ts";
import { stateKysely } from "../../database/postgres/driver.ts";
import { asDatabaseRefused, asStoreError } from "../../database/postgres/failures.ts";
import { refuseSharedSessions, writeProbe } from "../../database/postgres/poolers.ts";
import { upgradeTables } from "../../database/postgres/upgrade.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import type { ChargeTerms } from "../../metering/batch/decideBatch.ts";
import { tierFinder } from "../../metering/decide.ts";
import { MAX_WAITING_BATCHES } from "../../metering/postgres/busyAccounts.ts";
import { PostgresMetering } from "../../metering/postgres/metering.ts";
import { EVENT_TABLES } from "../../monitors/batchEvents.ts";
import { stateQueries } from "./stateQueries.ts";
import type { StateStore } from "./stateStore.ts";

const BATCH_CONNECTIONS = 1 + MAX_WAITING_BATCHES;
/**
 * How often connections of batches are replaced. Statements are planned once per connection, and a plan made for small
 * tables would scan large ones.
 */
const PLANS_LIVE_SECONDS = 30;
const CLOSE_WITHIN_MS = 1_000;

interface PostgresStateOptions {
  /** `postgres://user:password@host:port/database`, with libpq parameters such as `sslmode` as its query. */
  readonly url: string;
  readonly tiers: TierTable;
  /** Calls per minute of the page's own keys. */
  readonly pageRate?: number;
  /** For tests: a clock instead of the database's. */
  readonly now?: () => number;
  /** The maximum wait for a connection; by default the wait of a service. */
  readonly connectWithinMs?: number | undefined;
}

/**
 * Opens the state on a PostgreSQL server, which any number of processes may share, and creates it if absent.
 * @throws {StateUnreachable} if it may become available later
 * @throws {LoginRefused} if its server refuses the user, the password or the name of the database
 * @throws {StateRefused} if it has another version of this program or cannot be used; the message contains no
 * password
 */
export async function openPostgresState({
  url,
  tiers,
  pageRate,
  now,
  connectWithinMs = SERVICE_CONNECT_TIMEOUT_MS,
}: PostgresStateOptions): Promise<StateStore> {
  try {
    await upgradeTables(url, { connectWithinMs });
    const pool = openPool({ url, maxConnections: MAX_CONNECTIONS - BATCH_CONNECTIONS, connectWithinMs });
    const batches = openPool({
      url,
      maxConnections: BATCH_CONNECTIONS,
      connectWithinMs,
      maxLifetimeSeconds: PLANS_LIVE_SECONDS,
      usesIndexes: true,
    });
    await refuseSharedSessions(pool).catch(async (error: unknown) => {
      await Promise.all([pool.end(), batches.end()]);
      throw error;
    });
    const terms = { findTier: tierFinder(tiers, pageRate), events: EVENT_TABLES };
    return stateOn(pool, batches, terms, now);
  } catch (error) {
    throw asDatabaseRefused(error);
  }
}

/** Upgrades the state to this program's version, irreversibly. Errors as in {@link openPostgresState}. */
export async function upgradePostgresState(
  url: string,
  connectWithinMs?: number,
): Promise<Upgrade | undefined> {
  try {
    return await upgradeTables(url, { mayUpgrade: true, connectWithinMs });
  } catch (error) {
    throw asDatabaseRefused(error);
  }
}

function stateOn(pool: Pool, batches: Pool, terms: ChargeTerms, now: (() => number) | undefined): StateStore {
  let closing: Promise<void> | undefined;
  const isClosed = () => closing !== undefined;
  const calls = new ObservedCalls();
  const db = stateKysely(pool, isClosed, calls);
  const clock = () => databaseTime(db);
  const probe = async () => {
    if (isClosed()) throw new StoreUnavailable("it is closed");
    await writeProbe(pool).catch((error: unknown) => {
      throw asStoreError(error);
    });
  };
  const metering = new PostgresMetering({ batches, pool, db, terms, isClosed, now });
  return {
    ...stateQueries(db, now ?? clock),
    metering: {
      apply: (requests) => calls.observe(metering.apply(requests), true),
      findKeys: (hashes) => metering.findKeys(hashes),
    },
    probe: () => calls.observe(probe(), true),
    onCall: (observer) => calls.report(observer),
    async close() {
      // Does not wait for an unresponsive server: no running work could be lost.
      closing ??= withTimeout(
        CLOSE_WITHIN_MS,
        metering.idle().then(async () => {
          await Promise.all([pool.end(), batches.end()]);
        }),
      );
      await closing;
    },
  };
}
