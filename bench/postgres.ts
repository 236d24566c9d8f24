/** A real PostgreSQL server for one run, every commit synced to its disk. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "../test/kit/freePort.ts";
import { makePostgresHome, PASSWORD, PostgresProcess, USER } from "../test/kit/postgresServer.ts";
import { childrenOf } from "./processes.ts";

const DATABASE = "bench";
const POLL_EVERY_MS = 20;

export interface Postgres {
  readonly url: string;
  /** Shuts it down, so that it refuses connections. */
  halt(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops all its processes for a while, as a host that hangs does. */
  freeze(forMs: number): Promise<void>;
  /** Shuts it down and deletes its data. */
  stop(): Promise<void>;
}

/** @returns whether the process was there */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Starts it with its default settings, except for the memory that its documentation recommends. */
export async function startPostgres(): Promise<Postgres> {
  const home = makePostgresHome();
  const data = join(home.folder, "data");
  const port = await freePort();
  const server = new PostgresProcess({ home, data, port, flags: ["-c", "shared_buffers=1GB"] });
  await server.initialise();
  await server.start();
  const address = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}`;
  await createDatabase(`${address}/postgres`);
  const pidNow = () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  return {
    url: `${address}/${DATABASE}`,
    halt: () => server.stop(),
    async kill() {
      const pid = pidNow();
      // An immediate shutdown: the next start recovers as after a crash (PostgreSQL, "Shutting Down the Server").
      signal(pid, "SIGQUIT");
      while (signal(pid, 0)) await pause(POLL_EVERY_MS);
    },
    start: () => server.start(),
    async freeze(forMs) {
      const pid = pidNow();
      const all = [pid, ...childrenOf(pid)];
      for (const one of all) signal(one, "SIGSTOP");
      try {
        await pause(forMs);
      } finally {
        for (const one of all) signal(one, "SIGCONT");
      }
    },
    async stop() {
      await server.stop();
      home.remove();
    },
  };
}
