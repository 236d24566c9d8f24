import type { Pool, PoolClient } from "pg";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import { StateRefused } from "../stateErrors.ts";
import { hasOwnSession, isDirect, onConnection, sessionOf } from "./connect.ts";

const SHARED = "a pooler assigns database sessions to another connection with each transaction";
const REMEDY =
  "set it to session pooling for this database (PgBouncer: pool_mode = session), or set DATABASE_URL to the server itself";

/**
 * Detects shared sessions by their behaviour, as behind PgBouncer with `pool_mode = transaction`: settings, prepared
 * statements and timeouts of others would apply, and calls would fail at random.
 * @throws {StateRefused} if they are shared, with the remedy
 */
export async function refuseSharedSessions(pool: Pool): Promise<void> {
  const one = await pool.connect();
  try {
    if (isDirect(one)) return;
    if (await isShared(pool, one)) throw new StateRefused(`${SHARED}: ${REMEDY}`);
  } finally {
    one.release();
  }
}

/**
 * A sharing pooler gives a connection the session that was used last, which is the other's. Or it alternates, and one
 * connection gets another session while the other is in a transaction.
 */
async function isShared(pool: Pool, one: PoolClient): Promise<boolean> {
  // A pooler may have only a single session: then this cannot be checked.
  const other = await pool.connect().catch(() => undefined);
  if (other === undefined) return false;
  let hasFailed = true;
  try {
    if (sessionOf(other) === sessionOf(one) || !(await hasOwnSession(one))) return true;
    await other.query("begin");
    const haveOwnSessions = (await hasOwnSession(other)) && (await hasOwnSession(one));
    await other.query("rollback");
    hasFailed = false;
    return !haveOwnSessions;
  } finally {
    other.release(hasFailed);
  }
}

/**
 * A small write, in the session in which the connection was opened.
 * @throws {StoreUnavailable} if the session has changed
 */
export async function writeProbe(pool: Pool): Promise<void> {
  const write = "update probe set probed_at_ms = $1 where id = 1 returning pg_backend_pid() as pid";
  await onConnection(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>(write, [Date.now()]);
    if (rows[0]?.pid !== sessionOf(client)) throw new StoreUnavailable(`${SHARED}: ${REMEDY}`);
  });
}
