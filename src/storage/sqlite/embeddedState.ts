import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { StoreUnavailable } from "../../metering/store.ts";
import { facetsBy } from "../facets.ts";
import { StateRefused, type StateStore } from "../stateStore.ts";
import { type Request, type Response, unpackDecision, type WriterData } from "./protocol.ts";

/**
 * Batches that the writer thread is given before it has answered the first, so that it and the thread of the requests
 * work at the same time: with one, 64 busy connections had the two take turns.
 */
export const EMBEDDED_BATCHES_AT_ONCE = 3;

/** The file of the embedded state in a data folder. */
export function statePath(dataDir: string): string {
  return join(dataDir, "state.sqlite");
}

/**
 * Opens the embedded state on a thread of its own. Should that thread end by itself, calls fail from then on, and `onLost` is
 * told why: only a new process helps.
 * @throws {StateRefused} when it cannot be used; the message says what to do
 */
export async function openEmbeddedState(
  data: WriterData,
  onLost: (error: Error) => void = () => {},
): Promise<StateStore> {
  const writer = new WriterThread(data, onLost);
  await writer.ready;
  const facets = facetsBy(
    ({ facet, method }) =>
      (...parameters) =>
        writer.ask(facet, method, parameters),
  );
  return {
    ...facets,
    // A function cannot cross to the writer, which decides all requests in one transaction anyway.
    metering: { ...facets.metering, apply: (requests) => facets.metering.apply(requests) },
    probe: () => writer.ask("state", "probe", []).then(() => undefined),
    close: () => writer.close(),
  };
}

const THREAD_ENDED = "the thread that writes it has ended; restart the program";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls to the writer thread and their answers. A thread that ended fails every call from then on. */
class WriterThread {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #hasEnded = false;
  #closing: Promise<void> | undefined;

  constructor(data: WriterData, onLost: (error: Error) => void) {
    this.#worker = new Worker(new URL("./writer.ts", import.meta.url), { workerData: data });
    let cause: unknown;
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on("message", (text: string) => {
        const response: Response = JSON.parse(text);
        if (response.kind === "ready") resolve();
        else if (response.kind === "refused") reject(new StateRefused(response.message));
        else this.#settle(response);
      });
      this.#worker.on("error", (error) => {
        reject(error);
        cause = error;
      });
      // Comes after the error that ended it, if there was one.
      this.#worker.on("exit", () => {
        reject(new StoreUnavailable(THREAD_ENDED));
        this.#failAll();
        if (this.#closing === undefined) onLost(new StoreUnavailable(THREAD_ENDED, cause));
      });
    });
  }

  /** Has the writer run a method; what comes back is its result. */
  ask(facet: Request["facet"], method: string, parameters: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) return reject(new StoreUnavailable(THREAD_ENDED));
      // As JSON, what is left out would come back as null.
      const given = parameters.slice(0, parameters.findLastIndex((one) => one !== undefined) + 1);
      const request: Request = { id: this.#nextId++, facet, method, parameters: given };
      this.#pending.set(request.id, { resolve, reject });
      this.#worker.postMessage(JSON.stringify(request));
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    await this.ask("state", "close", []);
    await ended;
  }

  #settle(response: Extract<Response, { id: number }>): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (response.kind === "decided") pending?.resolve(response.decisions.map(unpackDecision));
    else if (response.kind === "done") pending?.resolve(response.result);
    else if (response.kind === "unavailable") pending?.reject(new StoreUnavailable(response.reason));
    else pending?.reject(new Error(response.message));
  }

  #failAll(): void {
    this.#hasEnded = true;
    for (const { reject } of this.#pending.values()) reject(new StoreUnavailable(THREAD_ENDED));
    this.#pending.clear();
  }
}
