import { Worker } from "node:worker_threads";
import type { CompanyFacts } from "../../company/facts.ts";
import { known } from "../../lib/values.ts";
import { type NameBatch, transferableOf } from "../../search/index/nameBatch.ts";
import type { IndexingTask } from "./namesTask.ts";

/** Fewer companies are indexed when their rows are written: a thread takes longer to start than that. */
const WORTH_A_THREAD = 20_000;
const COMPANIES_A_BATCH = 1_000;
/** So many batches may be with the thread: beyond them whoever reads waits, so that memory stays flat. */
const MOST_WAITING = 50;

/** Indexes names on a thread of its own while companies are still being read. */
export class Indexing {
  #batch: unknown[] = [];
  #early: IndexingTask[] = [];
  #added = 0;
  #worker: Worker | undefined;
  #waiting = 0;
  #isWritten = false;
  #failure: Error | undefined;
  /** Goes on with whoever waits for the thread. */
  #wake = () => {};

  /** Whether a thread is at work; else nothing is indexed. */
  get isUnderWay(): boolean {
    return this.#worker !== undefined;
  }

  /** Adds a company, in the place of what was added of it before. @returns a promise when the thread has too much to do */
  add(facts: CompanyFacts): Promise<void> | undefined {
    this.#batch.push(findable(facts));
    return this.#batch.length < COMPANIES_A_BATCH ? undefined : this.#sendBatch();
  }

  /**
   * Adds companies whose names were split, but for those of some places in the batch.
   * @returns a promise when the thread has too much to do
   */
  async addBatch(names: NameBatch, leftOut: readonly number[]): Promise<void> {
    await this.#sendBatch();
    await this.#send({ names, leftOut }, names.companies);
  }

  /** Has the index of all that was added written; the thread does it, and {@link written} waits for it. */
  async beginWriting(path: string): Promise<void> {
    await this.#sendBatch();
    this.#worker?.postMessage({ path } satisfies IndexingTask);
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
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    await this.#send({ companies: JSON.stringify(batch) }, batch.length);
  }

  async #send(task: IndexingTask, companies: number): Promise<void> {
    this.#added += companies;
    if (this.#worker === undefined) {
      this.#early.push(task);
      if (this.#added < WORTH_A_THREAD) return;
      this.#worker = this.#start();
      for (const early of this.#early.splice(0)) this.#post(early);
    } else this.#post(task);
    await this.#until(() => this.#waiting < MOST_WAITING);
  }

  #post(task: IndexingTask): void {
    this.#waiting++;
    this.#worker?.postMessage(task, "names" in task ? transferableOf(task.names) : []);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./indexingWorker.ts", import.meta.url));
    worker.on("message", (what: "indexed" | "written") => {
      if (what === "written") this.#isWritten = true;
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

  /** @throws (the promise) what ended the thread */
  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** What the index needs to know of a company. */
function findable({ address, activities, ...facts }: CompanyFacts): unknown {
  return {
    kvkNumber: facts.kvkNumber,
    isActive: facts.isActive,
    name: facts.name,
    ...known("statutoryName", facts.statutoryName),
    ...known("tradingNames", facts.tradingNames),
    ...known("city", address?.city),
    ...known("postalCode", address?.postalCode),
    ...known("legalForm", facts.legalForm),
    ...known("employees", facts.employees),
    ...known("branchCount", facts.branchCount),
    ...(activities === undefined ? {} : { activities: activities.map(({ sbiCode }) => ({ sbiCode })) }),
  };
}
