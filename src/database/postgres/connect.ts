import { Kysely, PostgresDialect } from "kysely";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, TypeOverrides } from "pg";
import type { Tables } from "../schema/tables.ts";
import { limitAbandoned } from "./abandoned.ts";
import { serverUrls } from "./serverUrls.ts";
import { clientOfWritable, ROLE, type Role, refuseReadOnly } from "./writableServer.ts";

/** Connections of one process, in two pools: one for charge batches, one for everything else. */
export const MAX_CONNECTIONS = 8;
/** The maximum wait of a caller for a new or a used connection. */
export const SERVICE_CONNECT_TIMEOUT_MS = 2_000;
/** For a command, which has no waiting callers and can allow for a busy server. */
export const COMMAND_CONNECT_TIMEOUT_MS = 10_000;
/** The server cancels a statement that waits longer for a lock. */
export const LOCK_WITHIN_MS = 3_000;
/** The server cancels a statement that takes longer. */
const STATEMENT_WITHIN_MS = 3_500;
/** The server ends a session that is idle in a transaction for longer, because its node may have crashed. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** This process stops waiting for an answer after this: on a network that drops packets none may come. */
const ANSWER_WITHIN_MS = 4_000;

const APPLICATION = "opzoek";
/**
 * Whether a session is one of this program, in SQL. A pooler may append its own part (PgBouncer:
 * `application_name_add_host`).
 */
export const IS_OWN_SESSION = "application_name ~ '^opzoek( - |$)'";

const INT8_OID = 20;
/** SQLSTATE of a write to a server that became a standby or read-only after the connection was opened. */
const READ_ONLY = "25006";
const turnedReadOnly = new WeakSet<ClientBase>();

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** Runs statements without a time limit: for migrations. */
  readonly isPatient?: boolean;
  /** The maximum wait for a connection, instead of 2 s, or of 10 s when patient. */
  readonly connectWithinMs?: number | undefined;
  /** A connection older than this is closed when its work is done. */
  readonly maxLifetimeSeconds?: number | undefined;
  /**
   * Finds each listed row by an index. By itself the server overestimates a list and scans a table of some thousand
   * rows.
   */
  readonly usesIndexes?: boolean;
}

/**
 * Closes a connection whose login fails on the client, such as without a password: node-postgres leaves that to the
 * server, which takes a minute.
 */
class ClosingClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.connection.on("error", () => this.connection.stream.destroy());
  }
}

/**
 * Connections to a writable server of the database, opened on demand. Each sends statements at once, without waiting
 * for answers. All of the program's connections are opened here.
 */
export function openPool({
  url,
  maxConnections,
  isPatient = false,
  connectWithinMs = isPatient ? COMMAND_CONNECT_TIMEOUT_MS : SERVICE_CONNECT_TIMEOUT_MS,
  maxLifetimeSeconds = 0,
  usesIndexes = false,
}: PoolOptions): Pool {
  const types = new TypeOverrides();
  // Counts and milliseconds stay far below 2^53.
  types.setTypeParser(INT8_OID, Number);
  const urls = serverUrls(url);
  const settings = [isPatient ? ISOLATION : SETTINGS, ...(usesIndexes ? INDEXES : [])].join("; ");
  const pool = new Pool({
    connectionString: urls[0],
    Client: urls.length > 1 ? clientOfWritable(urls) : ClosingClient,
    max: maxConnections,
    // One connection stays open, so that commands that need exclusive access detect this process.
    min: 1,
    maxLifetimeSeconds,
    types,
    pipeline: true,
    keepAlive: true,
    application_name: APPLICATION,
    connectionTimeoutMillis: connectWithinMs,
    // Idle connections do not keep the process alive.
    allowExitOnIdle: true,
    onConnect: (client) => begin(client, settings),
    ...(!isPatient && { query_timeout: ANSWER_WITHIN_MS }),
  });
  // A broken connection rejects its statements as well, but Node ends the process if this event has no listener.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    client.connection.on("errorMessage", ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY) turnedReadOnly.add(client);
    });
  });
  // Closes it; the next connection is opened on a writable server.
  pool.on("release", (_, client) => {
    if (turnedReadOnly.has(client)) client.end(() => {});
  });
  limitAbandoned(pool);
  return pool;
}

/**
 * Session settings, sent as statements because a pooler may refuse unknown settings at login. The isolation level is
 * set for transactions that do not name their own.
 */
const ISOLATION = "set default_transaction_isolation = 'read committed'";
const SETTINGS = [
  ISOLATION,
  `set statement_timeout = ${STATEMENT_WITHIN_MS}`,
  `set lock_timeout = ${LOCK_WITHIN_MS}`,
  `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
].join("; ");

const INDEXES = ["seqscan", "hashjoin", "mergejoin"].map((plan) => `set enable_${plan} = off`);

/** Runs work on a connection of a pool, which is closed if the work fails. */
export async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let hasFailed = true;
  try {
    const result = await work(client);
    hasFailed = false;
    return result;
  } finally {
    client.release(hasFailed);
  }
}

const sessions = new WeakMap<ClientBase, number>();

/** Sets up a new connection. On failure the pool closes it, and passes the error to the waiting caller. */
async function begin(client: ClientBase, settings: string): Promise<void> {
  const [, { rows }] = await Promise.all([
    client.query(settings),
    client.query<Role & { readonly pid: number }>(`${SESSION}, ${ROLE}`),
  ]);
  const [session] = rows;
  if (session === undefined) throw new Error("the server did not name its session");
  refuseReadOnly(session);
  sessions.set(client, session.pid);
}

const SESSION = "select pg_backend_pid() as pid";

/** The session of a connection when it was opened, as a process id of the server. */
export function sessionOf(client: ClientBase): number | undefined {
  return sessions.get(client);
}

/** Whether there is no pooler: at login a server sends the process id of the session, a pooler an id of its own. */
export function isDirect(client: ClientBase): boolean {
  return Reflect.get(client, "processID") === sessions.get(client);
}

/** Whether a connection still has the session in which it was opened. */
export async function hasOwnSession(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>(SESSION);
  return rows[0]?.pid === sessions.get(client);
}

export function kyselyOverPostgres(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
