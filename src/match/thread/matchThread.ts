import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { WorkerClient } from "../../lib/workerClient.ts";
import type { OpenedSnapshot, Registry } from "../../registry/types.ts";
import type { MatchQuery, Ranking } from "../types.ts";
import type { MatchServed } from "./matchWorker.ts";

/** After this time without queries the thread ends, which frees the indexes of a replaced snapshot. */
const IDLE_MS = 30_000;
/** A snapshot that was replaced while it was opened is followed within this time. */
const AGAIN_AFTER_MS = 1_500;
const MAX_ATTEMPTS = 3;

export interface MatchThreadOptions {
  readonly registry: { readonly current: Pick<NonNullable<Registry["current"]>, "opened"> | undefined };
  /** Companies that are treated as if they were not in the registry: another set whenever they change. */
  readonly hidden: () => ReadonlySet<string>;
  /** The maximum number of candidates of a query. */
  readonly limit: number;
  /** Called when the thread fails, or a query in it. */
  readonly onError: (error: unknown) => void;
  readonly idleMs?: number;
  /** Tests start threads that fail. */
  readonly startThread?: () => Worker;
}

/** Matches queries to the current snapshot on a thread of its own, which starts with the first query. */
export class MatchThread {
  readonly #options: MatchThreadOptions;
  #running: RunningThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: MatchThreadOptions) {
    this.#options = options;
  }

  /**
   * Returns the result of each query, in the same order; undefined for one that failed.
   * @returns undefined (the promise) without a snapshot whose names can be searched, or when the thread keeps failing
   */
  async match(queries: readonly MatchQuery[]): Promise<readonly (Ranking | undefined)[] | undefined> {
    clearTimeout(this.#idle);
    try {
      return await this.#attempt(queries);
    } finally {
      this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs ?? IDLE_MS).unref();
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #attempt(queries: readonly MatchQuery[]): Promise<readonly (Ranking | undefined)[] | undefined> {
    const { registry, hidden, limit, onError } = this.#options;
    let failure: unknown;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !this.#isClosed; attempt++) {
      const snapshot = registry.current?.opened;
      if (snapshot === undefined) return undefined;
      this.#running ??= new RunningThread((this.#options.startThread ?? startThread)());
      const thread = this.#running;
      try {
        const { results, failures } = await thread.match(queries, limit, snapshot, hidden());
        failure = failures[0] ?? failure;
        if (failure !== undefined) onError(failure);
        return results;
      } catch (error) {
        failure = error;
        if (!thread.client.hasEnded) await wait(AGAIN_AFTER_MS);
        else if (this.#running === thread) this.#running = undefined;
      }
    }
    if (this.#isClosed) throw new Error("the thread that matches rows was closed");
    onError(failure);
    return undefined;
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.client.end();
  }
}

function startThread(): Worker {
  return new Worker(new URL("./matchWorker.ts", import.meta.url));
}

/** A started thread, with the snapshot and the hidden companies that it has. */
class RunningThread {
  readonly client: WorkerClient<MatchServed>;
  #snapshot: OpenedSnapshot | undefined;
  #hidden: ReadonlySet<string> | undefined;

  constructor(worker: Worker) {
    this.client = new WorkerClient(worker, "that matches rows");
    // Callers' promises keep the process running where it matters.
    worker.unref();
  }

  /** @throws (the promise) when the snapshot cannot be opened, or the thread ends */
  async match(
    queries: readonly MatchQuery[],
    limit: number,
    snapshot: OpenedSnapshot,
    hidden: ReadonlySet<string>,
  ) {
    const changes: Promise<void>[] = [];
    if (this.#snapshot?.info.sha256 !== snapshot.info.sha256)
      changes.push(this.client.call("open", snapshot));
    if (this.#hidden !== hidden) changes.push(this.client.call("hide", hidden));
    this.#snapshot = snapshot;
    this.#hidden = hidden;
    try {
      const [matched] = await Promise.all([this.client.call("match", queries, limit), ...changes]);
      return matched;
    } catch (error) {
      this.#snapshot = undefined;
      throw error;
    }
  }
}
