import { parentPort } from "node:worker_threads";
import { StateRefused, type StateStore } from "../stateStore.ts";
import { Askers } from "./askers.ts";
import { InTurn } from "./inTurn.ts";
import type { News, Order } from "./protocol.ts";

/** The clock that tests set, for a store. */
export function clockOf(clock: SharedArrayBuffer | undefined): { readonly now?: () => number } {
  if (clock === undefined) return {};
  const cell = new Float64Array(clock);
  return { now: () => cell[0] ?? 0 };
}

/**
 * Owns a state in this thread: opens it, tells whether it can be used, and does what is asked over ports until it is told to close. Asks
 * that come before it is open wait in their ports.
 */
export async function serveState(open: () => Promise<StateStore>): Promise<void> {
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
  const doing = new InTurn(store, askers);
  port.on("message", async (order: Order) => {
    if (order.kind === "connect") return askers.add(order.port, () => doing.wake());
    askers.takeLast();
    await doing.idle();
    await store.close();
    askers.close();
    // Connections to a server that does not answer would hold the thread.
    process.exit();
  });
  tell({ kind: "ready" });
}
