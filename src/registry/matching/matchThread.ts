import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { MatchQuery, MatchResult } from "../../match/types.ts";
import type { OpenedSnapshot, Registry } from "../types.ts";

/** After this time without queries the thread ends, which frees the indexes of a replaced snapshot. */
const IDLE_MS = 30_000;
/** A snapshot that was replaced while it was opened is followed within this time. */
const AGAIN_AFTER_MS = 1_500;
const MAX_ATTEMPTS = 3;

/** Queries for the thread, with everything that has changed since the previous message. */
export interface MatchTask {
  readonly id: number;
  readonly queries: readonly MatchQuery[];
  readonly limit: number;
  readonly snapshot?: OpenedSnapshot;
  /** Companies that are treated as if they were not in the registry. */
  readonly hidden?: ReadonlySet<string>;
}

/** `unopened`: the snapshot of the last task with one could not be opened. */
export type MatchAnswer =
  | {
      readonly kind: "matched";
      readonly id: number;
      /** Undefined for a query that failed. */
      readonly results: readonly (MatchResult | undefined)[];
      /** The first failure. */
      readonly failure?: Error;
    }
  | { readonly kind: "unopened"; readonly id: number; readonly failure: Error };

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
  async match(queries: readonly MatchQuery[]): Promise<readonly (MatchResult | undefined)[] | undefined> {
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

  async #attempt(queries: readonly MatchQuery[]): Promise<readonly (MatchResult | undefined)[] | undefined> {
    const { registry, hidden, limit, onError } = this.#options;
    let failure: unknown;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !this.#isClosed; attempt++) {
      const snapshot = registry.current?.opened;
      if (snapshot === undefined) return undefined;
      this.#running ??= new RunningThread((this.#options.startThread ?? startThread)());
      const thread = this.#running;
      try {
        const answer = await thread.answerTo({ queries, limit }, snapshot, hidden());
        if (answer.failure !== undefined) failure = answer.failure;
        if (answer.kind === "matched") {
          if (failure !== undefined) onError(failure);
          return answer.results;
        }
        await wait(AGAIN_AFTER_MS);
      } catch (error) {
        if (this.#running === thread) this.#running = undefined;
        failure = error;
      }
    }
    if (this.#isClosed) throw new Error("the thread that matches rows was closed");
    onError(failure);
    return undefined;
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.end();
  }
}

function startThread(): Worker {
  return new Worker(new URL("./matchWorker.ts", import.meta.url));
}

/** A started thread, with the snapshot and the hidden companies that it has. */
class RunningThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<MatchAnswer>>();
  #failure: unknown;
  #nextId = 1;
  #snapshot: OpenedSnapshot | undefined;
  #hidden: ReadonlySet<string> | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#worker.on("message", (answer: MatchAnswer) => {
      this.#pending.get(answer.id)?.resolve(answer);
      this.#pending.delete(answer.id);
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread that matches rows ended")));
    // Callers' promises keep the process running where it matters.
    this.#worker.unref();
  }

  /** @throws (the promise) when the thread ends */
  async answerTo(
    task: Pick<MatchTask, "queries" | "limit">,
    snapshot: OpenedSnapshot,
    hidden: ReadonlySet<string>,
  ): Promise<MatchAnswer> {
    if (this.#failure !== undefined) throw this.#failure;
    const id = this.#nextId++;
    const isNew = this.#snapshot?.info.sha256 !== snapshot.info.sha256;
    const message: MatchTask = {
      ...task,
      id,
      ...(isNew && { snapshot }),
      ...(hidden !== this.#hidden && { hidden }),
    };
    const pending = Promise.withResolvers<MatchAnswer>();
    this.#pending.set(id, pending);
    this.#worker.postMessage(message);
    this.#hidden = hidden;
    this.#snapshot = snapshot;
    const answer = await pending.promise;
    if (answer.kind === "unopened") this.#snapshot = undefined;
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}
