import { basename, join } from "node:path";
import { Client } from "pg";
import { afterFile } from "./afterFile.ts";
import { freePort } from "./freePort.ts";
import { makePostgresHome, PASSWORD, PostgresProcess, USER } from "./postgresServer.ts";

const TRIES = 3;

/** A source of databases. */
export interface Databases {
  /** The address of the database with this name, created on first use; it may already have a state's tables. */
  database(name: string): Promise<string>;
  /** An empty database. */
  newDatabase(name: string): Promise<string>;
  /** An empty database whose locale does not sort by code point. */
  localeDatabase(name: string): Promise<string>;
  /** The `database` of the state that a folder names, see `OpenStore`. */
  databaseOf(folder: string): Promise<string>;
}

/** A real PostgreSQL server of this test file. */
export interface PostgresServer extends Databases {
  readonly port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts a server on a free port, for a file that stops it or needs other settings; all others use `sharedPostgres`. It
 * is stopped, and its data deleted, after the file's tests.
 */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresServer> {
  const { remove, ...server } = await launchPostgres(flags);
  afterFile(remove);
  return { ...server, ...databasesOn(server.port) };
}

export interface LaunchedPostgres {
  readonly port: number;
  /** The data folder. */
  readonly folder: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** Starts a server on a free port. */
export async function launchPostgres(flags: readonly string[]): Promise<LaunchedPostgres> {
  for (let attempt = 1; ; attempt++) {
    const home = makePostgresHome();
    const folder = join(home.folder, "data");
    const port = await freePort();
    const server = new PostgresProcess({ home, data: folder, port, flags });
    const remove = async () => {
      await server.stop();
      home.remove();
    };
    try {
      await server.initialise(["--no-sync"]);
      await server.start();
      return { port, folder, stop: () => server.stop(), start: () => server.start(), remove };
    } catch (error) {
      await remove();
      // Another program may have taken the port in the meantime.
      if (attempt === TRIES) throw error;
    }
  }
}

/** Starts a server on existing data, on a free port; stopped after the file's tests. @returns the port */
export async function startPostgresOn(data: string): Promise<number> {
  const home = makePostgresHome();
  afterFile(() => home.remove());
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = new PostgresProcess({ home, data, port, flags: [] });
    try {
      await server.start();
      afterFile(() => server.stop());
      return port;
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}

export interface DatabasesOptions {
  /** Prefix of the requested names. */
  readonly prefix?: string;
  /** The database to copy. */
  readonly template?: string;
}

/** Databases on a server. */
export function databasesOn(
  port: number,
  { prefix = "", template }: DatabasesOptions = {},
): Databases & {
  /** The address of an existing database. */
  address(name: string): string;
} {
  const made = new Map<string, Promise<string>>();
  const address = (name: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`;
  const make = async (name: string, as: string) => {
    await administer(address("postgres"), `CREATE DATABASE "${name}" TEMPLATE ${as}`);
    return address(name);
  };
  const makeOnce = (name: string, as = "template1") => {
    const known = made.get(name) ?? make(prefix + name, as);
    made.set(name, known);
    return known;
  };
  const database = (name: string) => makeOnce(name, template && `"${template}"`);
  return {
    address,
    database,
    newDatabase: (name) => makeOnce(name),
    localeDatabase: (name) => makeOnce(name, "template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'"),
    databaseOf: (folder) => database(basename(folder)),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
