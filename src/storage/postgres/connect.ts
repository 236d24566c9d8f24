import { Kysely, PostgresDialect } from "kysely";
import { type ClientBase, Pool, TypeOverrides } from "pg";
import { StoreUnavailable } from "../../metering/store.ts";
import type { Tables } from "../tables.ts";

/** A caller waits this long for a connection at most, be it for a new one or for one that others use. */
export const SERVICE_CONNECTS_WITHIN_MS = 2_000;
/** A command, behind which no callers wait, has the time that a busy server takes. */
export const COMMAND_CONNECTS_WITHIN_MS = 10_000;
/** The server ends what runs or waits for longer, and the session of a node that has gone silent in a transaction. */
const LOCK_WITHIN_MS = 3_000;
const STATEMENT_WITHIN_MS = 3_500;
const IDLE_IN_TRANSACTION_MS = 5_000;
/** When even that brings no answer the connection is given up: nothing may hang on a network that drops packets. */
const ANSWER_WITHIN_MS = 4_000;

const APPLICATION = "opzoek";
/** Whether a session is one of this program, in SQL. A pooler may append its own part (PgBouncer: `application_name_add_host`). */
export const IS_OURS = "application_name ~ '^opzoek( - |$)'";

/** So many sessions may be left behind on the server, see {@link AbandonedSessions}. */
const MAX_ABANDONED = 4;

const INT8_OID = 20;

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** Runs statements for as long as they take: changes of the tables. */
  readonly isPatient?: boolean;
  /** How long a caller waits for a connection, in the place of 2 s, or of 10 s where statements may take as long as they do. */
  readonly connectWithinMs?: number | undefined;
  /** A connection that is older is closed when its work is done. */
  readonly maxLifetimeSeconds?: number | undefined;
  /** Sessions that this process has left behind on the server; those of all its pools. */
  readonly abandoned?: AbandonedSessions | undefined;
}

/**
 * Sessions whose connection was given up while the server was still working. A server that has lost its synchronous standby accepts
 * commits and never confirms them: each session then stays until the standby is back. New connections are refused
 * while too many are left, so that they do not use up the server's connections.
 */
export class AbandonedSessions {
  #pids: number[] = [];

  add(client: ClientBase): void {
    const pid = sessions.get(client);
    if (pid !== undefined) this.#pids.push(pid);
  }

  /** @throws {StoreUnavailable} when too many are still working */
  async check(client: ClientBase): Promise<void> {
    if (this.#pids.length === 0) return;
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any($1::integer[]) and state = 'active' and ${IS_OURS}`,
      [this.#pids],
    );
    this.#pids = rows.map(({ pid }) => pid);
    if (this.#pids.length >= MAX_ABANDONED) {
      throw new StoreUnavailable(
        "the database accepts commits but does not confirm them: check that its synchronous standbys run",
      );
    }
  }
}

/** Connections to the database, opened when needed. Each sends what it is given at once, without waiting for answers. */
export function openPool({
  url,
  maxConnections,
  isPatient = false,
  connectWithinMs = isPatient ? COMMAND_CONNECTS_WITHIN_MS : SERVICE_CONNECTS_WITHIN_MS,
  maxLifetimeSeconds = 0,
  abandoned,
}: PoolOptions): Pool {
  const types = new TypeOverrides();
  // Counts and milliseconds stay far below 2^53.
  types.setTypeParser(INT8_OID, Number);
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    min: 1,
    maxLifetimeSeconds,
    types,
    pipeline: true,
    keepAlive: true,
    application_name: APPLICATION,
    connectionTimeoutMillis: connectWithinMs,
    // A connection that nobody uses keeps no process from ending.
    allowExitOnIdle: true,
    onConnect: (client) => begin(client, isPatient ? ISOLATION : SETTINGS, abandoned),
    ...(isPatient ? { idleTimeoutMillis: 0 } : { query_timeout: ANSWER_WITHIN_MS }),
  });
  // A connection that breaks fails what runs on it; the event of its own has nothing to add, but must be listened to.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  if (abandoned !== undefined) pool.on("remove", (client) => abandoned.add(client));
  return pool;
}

/**
 * The settings of a session, by statements rather than when it is opened: a pooler between refuses settings there that it does not know.
 * A transaction of one message has the isolation that is set here.
 */
const ISOLATION = "set default_transaction_isolation = 'read committed'";
const SETTINGS = [
  ISOLATION,
  `set statement_timeout = ${STATEMENT_WITHIN_MS}`,
  `set lock_timeout = ${LOCK_WITHIN_MS}`,
  `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
].join("; ");

const sessions = new WeakMap<ClientBase, number>();

/** Sets up a new connection. If that fails the pool closes it, and passes the error to whoever waits for it. */
async function begin(
  client: ClientBase,
  settings: string,
  abandoned: AbandonedSessions | undefined,
): Promise<void> {
  const set = client.query(settings);
  const asked = client.query<{ pid: number }>(SESSION);
  await Promise.allSettled([set, asked]);
  await set;
  const [session] = (await asked).rows;
  await abandoned?.check(client);
  if (session !== undefined) sessions.set(client, session.pid);
}

const SESSION = "select pg_backend_pid() as pid";

/** The session that a connection had when it was opened, by the number of its process on the server. */
export function sessionOf(client: ClientBase): number | undefined {
  return sessions.get(client);
}

/** Whether nobody stands between who opens sessions of their own: the protocol named the session itself when this one was opened. */
export function isDirect(client: ClientBase): boolean {
  return Reflect.get(client, "processID") === sessions.get(client);
}

/** Whether the server has the session for a connection that it had when it was opened. */
export async function keepsSession(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>(SESSION);
  return rows[0]?.pid === sessions.get(client);
}

export function kyselyOver(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
