/** A real PostgreSQL server for one run, every commit synced to its disk. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../test/kit/freePort.ts";
import { makePostgresHome, PASSWORD, PostgresProcess, USER } from "../test/kit/postgresServer.ts";
import { childrenOf } from "./processes.ts";

export interface Postgres {
  readonly url: string;
  readonly server: PostgresProcess;
  /** Stops all its processes for a while, as a host that hangs does. */
  freeze(forMs: number): Promise<void>;
  /** Shuts it down and deletes its data. */
  stop(): Promise<void>;
}

/** Starts it with its default settings, except for the memory that its documentation recommends. */
export async function startPostgres(): Promise<Postgres> {
  const home = makePostgresHome();
  const port = await freePort();
  const flags = ["-c", "shared_buffers=1GB"];
  const server = new PostgresProcess({ home, data: join(home.folder, "data"), port, flags });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    server,
    async freeze(forMs) {
      const { pid } = server;
      process.kill(pid, "SIGSTOP");
      const children = childrenOf(pid);
      for (const child of children) process.kill(child, "SIGSTOP");
      await pause(forMs);
      for (const one of [...children, pid]) process.kill(one, "SIGCONT");
    },
    async stop() {
      await server.stop();
      home.remove();
    },
  };
}
