/** A real PostgreSQL server for one run, its data on the run's disk and every commit synced to it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "../test/kit/freePort.ts";
import { makePostgresHome, PASSWORD, PostgresProcess, USER } from "../test/kit/postgresServer.ts";
import { childrenOf } from "./processes.ts";

const DATABASE = "bench";

export interface Postgres {
  readonly url: string;
  /** Of the process that all others of the server are children of. */
  readonly pid: number;
  /** Ends it as a crash would, and starts it again on what is left. */
  killAndStart(): Promise<void>;
  /** Stops all its processes for a while, as a host that hangs does. */
  freeze(forMs: number): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 20;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
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

/**
 * Starts it with the settings that it comes with, but for the memory that its documentation advises. In a folder of the
 * system: `folder` of a run may lie where the server's own user cannot go.
 */
export async function startPostgres(): Promise<Postgres> {
  const home = makePostgresHome();
  const data = join(home.folder, "data");
  const port = await freePort();
  const server = new PostgresProcess({ home, data, port, flags: ["-c", "shared_buffers=1GB"] });
  await server.initialise();
  await server.start();
  await createDatabase(`postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`);
  const pidNow = () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`,
    pid: pidNow(),
    async killAndStart() {
      const pid = pidNow();
      // Its immediate shutdown: what a crash leaves is recovered at the next start (PostgreSQL, "Shutting Down the Server").
      process.kill(pid, "SIGQUIT");
      while (isRunning(pid)) await pause(LOOK_EVERY_MS);
      await server.start();
    },
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
