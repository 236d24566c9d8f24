import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { StateRefused, type StateStore } from "../stateStore.ts";
import { Askers } from "./askers.ts";
import type { News, Order } from "./protocol.ts";

/** Has a store do what threads ask. */
export interface Doing {
  /** Begins with what waits, if it has not. */
  wake(): void;
  /** Takes what waits for the last time; fulfilled when the store may be closed. */
  finish(): Promise<void>;
}

/** The clock that tests set, for a store. */
export function clockOf(clock: SharedArrayBuffer | undefined): { readonly now?: () => number } {
  if (clock === undefined) return {};
  const cell = new Float64Array(clock);
  return { now: () => cell[0] ?? 0 };
}

/**
 * Owns a state in this thread: opens it, tells whether it can be used, and has it do what is asked over ports until it is told to close. Asks
 * that come before it is open wait in their ports.
 */
export async function serveState(
  open: () => Promise<StateStore>,
  doingOf: (store: StateStore, askers: Askers) => Doing,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("the state is served on a thread of its own only");
  const tell = (news: News) => port.postMessage(news);
  let store: StateStore;
  try {
    store = await open();
  } catch (error) {
    if (!(error instanceof StateRefused)) throw error;
    tell({ kind: "refused", message: error.message });
    return;
  }
  const askers = new Askers();
  const doing = doingOf(store, askers);
  port.on("message", async (order: Order) => {
    if (order.kind === "connect") return askers.add(order.port, () => doing.wake());
    await doing.finish();
    await store.close();
    // The last answers leave.
    await nextTurn();
    askers.close();
    // Connections to a server that does not answer would hold the thread.
    process.exit();
  });
  tell({ kind: "ready" });
}
