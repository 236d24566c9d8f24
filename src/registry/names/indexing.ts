import { Worker } from "node:worker_threads";
import type { CompanyFacts } from "../../company/facts.ts";
import { WorkerClient } from "../../lib/workerClient.ts";
import type { IndexingServed } from "./indexingWorker.ts";
import { packCompany, type SentCompany } from "./sentCompany.ts";

/** Fewer companies are indexed after their rows are written, because starting a thread takes longer. */
const MIN_COMPANIES = 20_000;
const COMPANIES_PER_BATCH = 1_000;
/** The import waits while this many batches are queued, to bound memory. */
const MAX_WAITING_BATCHES = 50;

/** Indexes names on its own thread while companies are still being read. */
export class Indexing {
  #batch: SentCompany[] = [];
  /** Batches collected before the thread is started. */
  #early: (readonly SentCompany[])[] = [];
  #thread: WorkerClient<IndexingServed> | undefined;
  /** Batches that the thread may not have indexed yet. */
  readonly #sent: Promise<void>[] = [];

  /** Whether the thread runs; otherwise nothing is indexed. */
  get isInProgress(): boolean {
    return this.#thread !== undefined;
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
    if (this.#thread !== undefined) this.#keep(this.#thread.call("write", path));
  }

  /** @throws (the promise) the error that ended the thread */
  async written(): Promise<void> {
    await Promise.all(this.#sent);
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }

  async #sendBatch(): Promise<void> {
    this.#early.push(this.#batch);
    this.#batch = [];
    if (this.#thread === undefined) {
      if (this.#early.length * COMPANIES_PER_BATCH < MIN_COMPANIES) return;
      const worker = new Worker(new URL("./indexingWorker.ts", import.meta.url));
      this.#thread = new WorkerClient(worker, "that indexes names");
    }
    for (const companies of this.#early.splice(0)) this.#keep(this.#thread.call("add", companies));
    while (this.#sent.length >= MAX_WAITING_BATCHES) await this.#sent.shift();
  }

  #keep(sent: Promise<void>): void {
    // Its error is thrown where it is awaited.
    sent.catch(() => {});
    this.#sent.push(sent);
  }
}
