import { Worker } from "node:worker_threads";
import type { SnapshotPlace } from "../types.ts";
import type { SearchAnswer, Searching } from "./searchMessages.ts";

interface Pending {
  readonly resolve: (found: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface SearchThreadOptions {
  /** Told why the thread could not do what it was asked, or ended: whoever asked searches on the thread of the calls. */
  readonly onFailed?: (error: Error) => void;
}

/** Searches on a thread of its own, one after the other. It is started by the first search, and anew after it has ended. */
export class SearchThread {
  readonly #onFailed: (error: Error) => void;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor({ onFailed = () => {} }: SearchThreadOptions = {}) {
    this.#onFailed = onFailed;
  }

  /** What is found in the snapshot in a file. @throws (the promise) when the thread cannot do it: ask the snapshot itself */
  find<Kind extends keyof Searching>(
    place: SnapshotPlace,
    kind: Kind,
    asked: Searching[Kind]["asked"],
  ): Promise<Searching[Kind]["found"]> {
    if (this.#isClosed) return Promise.reject(new Error("the thread that searches is closed"));
    this.#worker ??= this.#start();
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject });
    this.#worker.postMessage({ id, place, kind, asked });
    // The thread answers with what the snapshot gives for this kind.
    return promise as Promise<Searching[Kind]["found"]>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./searchWorker.ts", import.meta.url));
    // Nobody waits for a search when the process ends.
    worker.unref();
    worker.on("message", (answer: SearchAnswer) => {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ("found" in answer) {
        pending?.resolve(answer.found);
        return;
      }
      const failure = new Error(answer.failed);
      this.#onFailed(failure);
      pending?.reject(failure);
    });
    let cause: unknown;
    // An exit follows it.
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => this.#end(worker, cause));
    return worker;
  }

  #end(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const ended = new Error("the thread that searches has ended", { cause });
    if (!this.#isClosed) this.#onFailed(ended);
    for (const { reject } of this.#pending.values()) reject(ended);
    this.#pending.clear();
  }
}
