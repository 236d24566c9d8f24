import type { Pool, PoolClient } from "pg";
import { StoreUnavailable } from "../../metering/store.ts";
import { StateRefused } from "../stateStore.ts";
import { isDirect, keepsSession, onConnection, sessionOf } from "./connect.ts";

const SHARED = "a pooler gives the sessions of the database to another connection with each transaction";
const REMEDY =
  "set it to session pooling for this database (PgBouncer: pool_mode = session), or name the server itself in DATABASE_URL";

/**
 * Finds out by how they behave whether the sessions of connections are shared, as behind PgBouncer with `pool_mode = transaction`: settings,
 * prepared statements and time-outs would be those of others, and calls would fail at random.
 * @throws {StateRefused} when they are; the message says what to do
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
 * A pooler that shares gives a connection the session that was left last, which is the other's; or it goes by turns, and one of them finds itself
 * in another session while the other is in a transaction.
 */
async function isShared(pool: Pool, one: PoolClient): Promise<boolean> {
  // A pooler may have no more than one session to give: what cannot be asked is no reason to refuse.
  const other = await pool.connect().catch(() => undefined);
  if (other === undefined) return false;
  let hasFailed = true;
  try {
    if (sessionOf(other) === sessionOf(one) || !(await keepsSession(one))) return true;
    await other.query("begin");
    const areKept = (await keepsSession(other)) && (await keepsSession(one));
    await other.query("rollback");
    hasFailed = false;
    return !areKept;
  } finally {
    other.release(hasFailed);
  }
}

/** Writes something small, in the session that the connection was opened in. @throws {StoreUnavailable} when it has another */
export async function writeProbe(pool: Pool): Promise<void> {
  const write = "update probe set probed_at_ms = $1 where id = 1 returning pg_backend_pid() as pid";
  await onConnection(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>(write, [Date.now()]);
    if (rows[0]?.pid !== sessionOf(client)) throw new StoreUnavailable(`${SHARED}: ${REMEDY}`);
  });
}
