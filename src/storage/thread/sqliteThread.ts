/** The thread that owns the embedded state: `node:sqlite` is synchronous, and a disk sync must not stop requests. */
import { workerData } from "node:worker_threads";
import { openSqliteState } from "../sqlite/sqliteState.ts";
import { InTurn } from "./inTurn.ts";
import type { SqliteThreadData } from "./protocol.ts";
import { clockOf, serveState } from "./serveState.ts";

const { clock, ...options } = workerData as SqliteThreadData;
await serveState(
  () => openSqliteState({ ...options, ...clockOf(clock) }),
  (store, askers) => new InTurn(store, askers),
);
