/** The thread that owns the connections to the database: what all threads of requests ask shares batches and connections. */
import { workerData } from "node:worker_threads";
import { openPostgresState, POSTGRES_BATCHES } from "../postgres/postgresState.ts";
import type { PostgresThreadData } from "./protocol.ts";
import { clockOf, serveState } from "./serveState.ts";
import { SideBySide } from "./sideBySide.ts";

const { clock, ...options } = workerData as PostgresThreadData;
await serveState(
  () => openPostgresState({ ...options, ...clockOf(clock) }),
  (store, askers) => new SideBySide(store, askers, POSTGRES_BATCHES),
);
