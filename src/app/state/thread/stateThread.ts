import { Worker } from "node:worker_threads";
import { BEGIN, type SqlRequest, type SqlResult } from "../../../database/sqlite/driver.ts";
import { StateRefused } from "../../../database/stateErrors.ts";
import { StoreUnavailable } from "../../../lib/storeErrors.ts";
import type { EmbeddedState } from "../../../metering/sqlite/owner.ts";
import type { ChargeRequest, Decision, FoundKey } from "../../../metering/store.ts";
import { embeddedStore } from "../sqliteState.ts";
import type { StateStore } from "../stateStore.ts";
import {
  clockOf,
  type FromThread,
  type StateRequest,
  type StateThreadData,
  type ToThread,
} from "./messages.ts";

const THREAD_ENDED = "the thread that owns it has ended; restart the program";

/**
 * Opens the embedded state on its own thread, which ends when the state is closed. If the thread ends unexpectedly,
 * every later call fails and `onLost` is called with the reason: only a new process helps.
 * @throws {StateRefused} (the promise) if the state cannot be opened; the message contains the remedy
 */
export async function openStateOnThread(
  data: StateThreadData,
  onLost: (error: Error) => void = () => {},
): Promise<StateStore> {
  const thread = new StateThread(data, onLost);
  await thread.ready;
  return embeddedStore(thread, clockOf(data.clock));
}

/** The client of the thread: sends requests and settles them when the responses arrive. */
class StateThread implements EmbeddedState {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ended = Promise.withResolvers<void>();
  #nextId = 1;
  /** The reason why requests are no longer accepted. */
  #refusal: string | undefined;
  #isClosing = false;

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
    // The last event, after the error that ended the thread, if any.
    this.#worker.on("exit", () => {
      this.#refusal = this.#isClosing ? "it is closed" : THREAD_ENDED;
      reject(new StoreUnavailable(THREAD_ENDED));
      for (const pending of this.#pending.values()) pending.reject(new StoreUnavailable(this.#refusal));
      this.#pending.clear();
      this.#ended.resolve();
      if (isReady && !this.#isClosing) onLost(new StoreUnavailable(THREAD_ENDED, cause));
    });
  }

  apply(requests: readonly ChargeRequest[]): Promise<readonly Decision[]> {
    return this.#ask({ kind: "apply", requests });
  }

  findKeys(hashes: readonly string[]): Promise<readonly (FoundKey | null)[]> {
    return this.#ask({ kind: "findKeys", hashes });
  }

  runSql(request: SqlRequest): Promise<SqlResult> {
    // A transaction that is open when the state is closed runs to its end.
    const isInProgress = request.transaction !== undefined && request.sql !== BEGIN;
    return this.#ask({ kind: "sql", request }, isInProgress);
  }

  probe(): Promise<void> {
    return this.#ask({ kind: "probe" });
  }

  /** Refuses new requests, waits for running ones, closes the state and ends the thread. */
  async close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      // The thread answers earlier requests: a running batch may be committed, and its callers must get the outcome.
      if (this.#refusal === undefined) this.#send({ kind: "close" });
    }
    await this.#ended.promise;
  }

  /** @returns the result of the {@link SqliteOwner} method that the request names */
  async #ask<Result>(request: StateRequest, isInProgress = false): Promise<Result> {
    if (this.#isClosing && !isInProgress) throw new StoreUnavailable("it is closed");
    if (this.#refusal !== undefined) throw new StoreUnavailable(this.#refusal);
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(this.#send(request), pending);
    return pending.promise as Promise<Result>;
  }

  #send(request: StateRequest): number {
    const id = this.#nextId++;
    this.#worker.postMessage({ id, request } satisfies ToThread);
    return id;
  }

  #settle(response: Exclude<FromThread, { kind: "ready" | "refused" }>): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (response.kind === "done") pending?.resolve(response.result);
    else if (response.kind === "unavailable") pending?.reject(new StoreUnavailable(response.reason));
    else pending?.reject(errorOf(response));
  }
}

/** The error with its stack on the thread. */
function errorOf({ message, stack }: Extract<FromThread, { kind: "failed" }>): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
