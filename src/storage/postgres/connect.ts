import { Kysely, PostgresDialect } from "kysely";
import { type ClientBase, Pool, type PoolClient, TypeOverrides } from "pg";
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

/** By what the server knows the sessions of this program; the number is that of `BATCH_LAYOUT`, so that versions can be told apart. */
const APPLICATION = "opzoek/2";
/** Whether a session is of this program, whichever version, in SQL. A pooler may add whose it is (PgBouncer: `application_name_add_host`). */
export const IS_OURS = "application_name ~ '^opzoek(/[0-9]+)?( - |$)'";
/** Whether it is of the version that does not know tabs. */
export const IS_EARLIER = "application_name ~ '^opzoek( - |$)'";

const INT8_OID = 20;

export interface PoolOptions {
  readonly url: string;
  readonly mostConnections: number;
  /** Runs statements for as long as they take: changes of the tables. */
  readonly isPatient?: boolean;
  /** How long a caller waits for a connection, in the place of 2 s, or of 10 s where statements may take as long as they do. */
  readonly connectWithinMs?: number | undefined;
}

/** Connections to the database, opened when needed. Each sends what it is given at once, without waiting for answers. */
export function openPool({
  url,
  mostConnections,
  isPatient = false,
  connectWithinMs = isPatient ? COMMAND_CONNECTS_WITHIN_MS : SERVICE_CONNECTS_WITHIN_MS,
}: PoolOptions): Pool {
  const types = new TypeOverrides();
  // Counts and milliseconds stay far below 2^53.
  types.setTypeParser(INT8_OID, Number);
  const pool = new Pool({
    connectionString: url,
    max: mostConnections,
    min: 1,
    types,
    pipeline: true,
    keepAlive: true,
    application_name: APPLICATION,
    connectionTimeoutMillis: connectWithinMs,
    // A connection that nobody uses keeps no process from ending.
    allowExitOnIdle: true,
    onConnect: (client) => begin(client, isPatient),
    ...(isPatient ? { idleTimeoutMillis: 0 } : { query_timeout: ANSWER_WITHIN_MS }),
  });
  // A connection that breaks fails what runs on it; the event of its own has nothing to add, but must be listened to.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
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

/** Makes a new connection ready; one that cannot be is closed, and whoever waits for it is told why. */
async function begin(client: ClientBase, isPatient: boolean): Promise<void> {
  const set = client.query(isPatient ? ISOLATION : SETTINGS);
  const told = client.query<{ pid: number }>(SESSION);
  await Promise.allSettled([set, told]);
  await set;
  const [session] = (await told).rows;
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

/** Has all that is sent until the running code has ended leave in one packet. */
export function corkForNow({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}
