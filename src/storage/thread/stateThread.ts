import { Worker } from "node:worker_threads";
import { StoreUnavailable } from "../../metering/store.ts";
import { facetsBy } from "../facets.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import type { FromThread, StateRequest, StateThreadData, ToThread } from "./messages.ts";

const THREAD_ENDED = "the thread that owns it has ended; restart the program";

/**
 * Opens the embedded state on a thread of its own, which ends when the state is closed. If the thread ends by itself, every call fails from then
 * on and `onLost` is called with the reason: only a new process helps.
 * @throws {StateRefused} (the promise) when the state cannot be opened; the message says what to do
 */
export async function openStateOnThread(
  data: StateThreadData,
  onLost: (error: Error) => void = () => {},
): Promise<StateStore> {
  const client = new StateClient(data, onLost);
  await client.ready;
  const facets = facetsBy(
    ({ facet, method }) =>
      (...parameters) =>
        client.call(facet, method, parameters),
  );
  return {
    ...facets,
    metering: {
      ...facets.metering,
      // A batch is decided as a whole; functions cannot be cloned.
      apply: (requests) => facets.metering.apply(requests),
    },
    probe: () => client.call("state", "probe", []).then(() => undefined),
    close: () => client.close(),
  };
}

/** Sends calls to the thread and settles them when the responses arrive. */
class StateClient {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #idle = Promise.withResolvers<void>();
  #nextId = 1;
  /** Why no call is accepted any more. */
  #refusal: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(data: StateThreadData, onLost: (error: Error) => void) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#worker = new Worker(new URL("./sqliteThread.ts", import.meta.url), {
      workerData: data,
      name: "state",
    });
    let isReady = false;
    let cause: unknown;
    this.#worker.on("message", (message: FromThread) => {
      if (message.kind === "refused") reject(new StateRefused(message.message));
      else if (message.kind !== "ready") this.#settle(message);
      else {
        isReady = true;
        resolve();
      }
    });
    this.#worker.on("error", (error) => {
      cause = error;
      reject(error);
    });
    // The last event, after the error that ended the thread if there was one.
    this.#worker.on("exit", () => {
      this.#refusal ??= THREAD_ENDED;
      reject(new StoreUnavailable(THREAD_ENDED));
      for (const pending of this.#pending.values()) pending.reject(new StoreUnavailable(THREAD_ENDED));
      this.#pending.clear();
      this.#idle.resolve();
      this.#ended.resolve();
      if (isReady && this.#closing === undefined) onLost(new StoreUnavailable(THREAD_ENDED, cause));
    });
  }

  async call(
    facet: StateRequest["facet"],
    method: string,
    parameters: StateRequest["parameters"],
  ): Promise<unknown> {
    if (this.#refusal !== undefined) throw new StoreUnavailable(this.#refusal);
    const id = this.#nextId++;
    this.#send({ kind: "call", id, facet, method, parameters });
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    return pending.promise;
  }

  /** Refuses new calls, waits for those under way, closes the state and ends the thread. */
  close(): Promise<void> {
    this.#refusal ??= "it is closed";
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // A batch under way may be committed already: its callers must learn that.
    if (this.#pending.size > 0) await this.#idle.promise;
    this.#send({ kind: "close" });
    await this.#ended.promise;
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #settle(response: Exclude<FromThread, { kind: "ready" | "refused" }>): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (response.kind === "done") pending?.resolve(response.result);
    else if (response.kind === "unavailable") pending?.reject(new StoreUnavailable(response.reason));
    else pending?.reject(errorOf(response));
    if (this.#closing !== undefined && this.#pending.size === 0) this.#idle.resolve();
  }
}

/** The error with the stack of the thread where it happened. */
function errorOf({ message, stack }: Extract<FromThread, { kind: "failed" }>): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
