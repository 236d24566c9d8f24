import { Worker } from "node:worker_threads";
import type { CompanyFacts } from "../../company/facts.ts";
import { type IndexingMessage, packCompany, type SentCompany } from "./indexingMessage.ts";

/** Fewer companies are indexed after their rows are written, because starting a thread takes longer. */
const MIN_COMPANIES = 20_000;
const COMPANIES_PER_BATCH = 1_000;
/** The import waits while this many batches are queued, to bound memory. */
const MAX_WAITING_BATCHES = 50;

/** Indexes names on its own thread while companies are still being read. */
export class Indexing {
  #batch: SentCompany[] = [];
  /** Batches collected before the thread is started. */
  #early: IndexingMessage[] = [];
  #worker: Worker | undefined;
  #waiting = 0;
  #isWritten = false;
  #failure: Error | undefined;
  /** Resumes an import that waits for the thread. */
  #wake = () => {};

  /** Whether the thread runs; otherwise nothing is indexed. */
  get isInProgress(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Adds a company, or replaces it.
   * @returns a promise to await if the queue is full; it rejects when the thread failed
   */
  add(company: CompanyFacts): Promise<void> | undefined {
    this.#batch.push(packCompany(company));
    return this.#batch.length < COMPANIES_PER_BATCH ? undefined : this.#sendBatch();
  }

  /** Has the thread write the index of all companies to a file; {@link written} waits for it. */
  async beginWriting(path: string): Promise<void> {
    await this.#sendBatch();
    this.#worker?.postMessage({ path } satisfies IndexingMessage);
  }

  async written(): Promise<void> {
    await this.#until(() => this.#worker === undefined || this.#isWritten);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #sendBatch(): Promise<void> {
    this.#early.push({ companies: this.#batch });
    this.#batch = [];
    if (this.#worker === undefined) {
      if (this.#early.length * COMPANIES_PER_BATCH < MIN_COMPANIES) return;
      this.#worker = this.#start();
    }
    for (const message of this.#early.splice(0)) {
      this.#waiting++;
      this.#worker.postMessage(message);
    }
    await this.#until(() => this.#waiting < MAX_WAITING_BATCHES);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./indexingWorker.ts", import.meta.url));
    worker.on("message", (message: "indexed" | "written") => {
      if (message === "written") this.#isWritten = true;
      else this.#waiting--;
      this.#wake();
    });
    const fail = (error: Error) => {
      this.#failure ??= error;
      this.#wake();
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(new Error("the thread that indexes names ended")));
    return worker;
  }

  /** @throws (the promise) the error that ended the thread */
  async #until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
