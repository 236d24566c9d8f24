/** The thread that owns the embedded state: `node:sqlite` is synchronous, and a sync to disk must not block the event loop that answers calls. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { StoreUnavailable } from "../../metering/store.ts";
import { callByName } from "../facets.ts";
import { openSqliteState } from "../sqlite/sqliteState.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import type { FromThread, StateRequest, StateThreadData, ToThread } from "./messages.ts";

const port = parentPort;
if (port === null) throw new Error("the state thread runs on a thread of its own only");

const { clock, ...options }: StateThreadData = workerData;
const send = (message: FromThread) => port.postMessage(message);

/** The clock that tests set. */
function clockOf(shared: SharedArrayBuffer | undefined): { readonly now?: () => number } {
  if (shared === undefined) return {};
  const cell = new Float64Array(shared);
  return { now: () => cell[0] ?? 0 };
}

async function answer(store: StateStore, { id, facet, method, parameters }: StateRequest): Promise<void> {
  try {
    const result = await (facet === "state"
      ? store.probe()
      : callByName(store, { facet, method }, parameters));
    send({ kind: "done", id, result });
  } catch (error) {
    if (error instanceof StoreUnavailable) send({ kind: "unavailable", id, reason: error.reason });
    else if (error instanceof Error) send({ kind: "failed", id, message: error.message, stack: error.stack });
    else send({ kind: "failed", id, message: String(error), stack: undefined });
  }
}

async function close(store: StateStore): Promise<void> {
  await store.close();
  // Lets the last responses leave.
  await nextTurn();
  process.exit();
}

try {
  const store = await openSqliteState({ ...options, ...clockOf(clock) });
  port.on("message", (message: ToThread) =>
    message.kind === "close" ? close(store) : answer(store, message),
  );
  send({ kind: "ready" });
} catch (error) {
  if (!(error instanceof StateRefused)) throw error;
  send({ kind: "refused", message: error.message });
}
