import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { StoreUnavailable } from "../../metering/store.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import type { News, Order, StateThreadData } from "./protocol.ts";
import { stateOver, THREAD_ENDED } from "./stateOver.ts";

/** The one thread of a process that owns the state. */
export interface StateThread {
  /** @throws {StateRefused} (the promise) when the state cannot be used; the message says what to do */
  readonly ready: Promise<void>;
  /**
   * A port to the thread for {@link stateOver}, in this thread or for another one that it is transferred to. What is asked before the state
   * is open waits. Over, when the thread has ended, which whoever asks is told.
   */
  connect(): MessagePort;
  /** Has done what was asked, closes the state and ends the thread. */
  close(): Promise<void>;
  /** Ends the thread whatever it does, as for a server that does not answer: whoever waits for the state, in any thread, is told that it is unavailable. */
  leave(): void;
}

/**
 * Starts a thread that owns the state. Should it end by itself once it was ready, calls fail from then on, and `onLost` is told why: only a
 * new process helps.
 */
export function openStateThread(
  data: StateThreadData,
  onLost: (error: Error) => void = () => {},
): StateThread {
  const thread =
    "url" in data
      ? new URL("./postgresThread.ts", import.meta.url)
      : new URL("./sqliteThread.ts", import.meta.url);
  const worker = new Worker(thread, { workerData: data, name: "state" });
  const order = (given: Order, moved: MessagePort[] = []) => worker.postMessage(given, moved);
  let hasEnded = false;
  let isReady = false;
  let closing: Promise<void> | undefined;
  const ended = Promise.withResolvers<void>();
  const ready = new Promise<void>((resolve, reject) => {
    let cause: unknown;
    worker.on("message", (news: News) => {
      isReady = news.kind === "ready";
      if (news.kind === "ready") resolve();
      else reject(new StateRefused(news.message));
    });
    worker.on("error", (error) => {
      reject(error);
      cause = error;
    });
    // Comes after the error that ended it, if there was one.
    worker.on("exit", () => {
      hasEnded = true;
      reject(new StoreUnavailable(THREAD_ENDED));
      ended.resolve();
      if (isReady && closing === undefined) onLost(new StoreUnavailable(THREAD_ENDED, cause));
    });
  });
  // Who awaits it may not be loaded yet.
  ready.catch(() => {});
  return {
    ready,
    connect() {
      const { port1: theirs, port2: ours } = new MessageChannel();
      if (hasEnded) theirs.close();
      else order({ kind: "connect", port: theirs }, [theirs]);
      return ours;
    },
    close() {
      closing ??= (async () => {
        if (!hasEnded) order({ kind: "close" });
        await ended.promise;
      })();
      return closing;
    },
    leave() {
      closing ??= ended.promise;
      void worker.terminate();
    },
  };
}

/**
 * A state on a thread of its own, for one who asks alone: closing it ends the thread.
 * @throws {StateRefused} when it cannot be used; the message says what to do
 */
export async function openStateOnThread(
  data: StateThreadData,
  onLost?: (error: Error) => void,
): Promise<StateStore> {
  const thread = openStateThread(data, onLost);
  await thread.ready;
  return stateOn(thread);
}

/** The state of a thread, for the one who owns it: closing it ends the thread. */
export function stateOn(thread: StateThread): StateStore {
  const own = stateOver(thread.connect());
  return {
    ...own,
    async close() {
      // What is under way is answered first: a batch may be committed already, and who asked for it must be told that.
      await own.close();
      await thread.close();
    },
  };
}
