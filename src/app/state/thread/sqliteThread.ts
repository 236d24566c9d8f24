/**
 * The thread that owns the embedded state: `node:sqlite` is synchronous, and a sync to disk must not block the event
 * loop that answers calls.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { StateRefused } from "../../../database/stateErrors.ts";
import { StoreUnavailable } from "../../../lib/storeErrors.ts";
import type { SqliteOwner } from "../../../metering/sqlite/owner.ts";
import { openOwner } from "../sqliteState.ts";
import {
  clockOf,
  type FromThread,
  type StateRequest,
  type StateThreadData,
  type ToThread,
} from "./messages.ts";

const port = parentPort;
if (port === null) throw new Error("the state thread must run on its own thread");

const { clock, ...options }: StateThreadData = workerData;
const send = (message: FromThread) => port.postMessage(message);

function run(owner: SqliteOwner, request: StateRequest): Promise<unknown> {
  switch (request.kind) {
    case "apply":
      return owner.apply(request.requests);
    case "findKeys":
      return owner.findKeys(request.hashes);
    case "sql":
      return owner.runSql(request.request);
    case "probe":
      return owner.probe();
    case "close":
      return close(owner);
  }
}

async function answer(owner: SqliteOwner, { id, request }: ToThread): Promise<void> {
  try {
    send({ kind: "done", id, result: await run(owner, request) });
  } catch (error) {
    if (error instanceof StoreUnavailable) send({ kind: "unavailable", id, reason: error.reason });
    else if (error instanceof Error) send({ kind: "failed", id, message: error.message, stack: error.stack });
    else send({ kind: "failed", id, message: String(error), stack: undefined });
  }
}

async function close(owner: SqliteOwner): Promise<void> {
  await owner.close();
  // Lets the last responses leave.
  await nextTurn();
  process.exit();
}

try {
  const owner = await openOwner({ ...options, now: clockOf(clock) });
  port.on("message", (message: ToThread) => answer(owner, message));
  send({ kind: "ready" });
} catch (error) {
  if (!(error instanceof StateRefused)) throw error;
  send({ kind: "refused", message: error.message });
}
