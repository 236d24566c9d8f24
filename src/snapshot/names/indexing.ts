import { Worker } from "node:worker_threads";
import type { CompanyFacts } from "../../company/facts.ts";
import { known } from "../../lib/values.ts";
import type { IndexingTask } from "./namesTask.ts";

/** Fewer companies are indexed when their rows are written: a thread takes longer to start than that. */
const WORTH_A_THREAD = 20_000;
const COMPANIES_A_BATCH = 1_000;
/** So many batches may be with the thread: beyond them whoever reads waits, so that memory stays flat. */
const MOST_WAITING = 50;

/** Indexes names on a thread of its own while companies are still being read. */
export class Indexing {
  #batch: unknown[] = [];
  #early: string[] = [];
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
    this.#added++;
    return this.#batch.length < COMPANIES_A_BATCH ? undefined : this.#send();
  }

  /** Writes the index of all that was added, when the thread is done with it. */
  async write(path: string): Promise<void> {
    await this.#send();
    this.#worker?.postMessage({ path } satisfies IndexingTask);
    await this.#until(() => this.#isWritten);
    await this.close();
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #send(): Promise<void> {
    const companies = JSON.stringify(this.#batch);
    this.#batch = [];
    if (this.#worker === undefined) {
      this.#early.push(companies);
      if (this.#added < WORTH_A_THREAD) return;
      this.#worker = this.#start();
      for (const early of this.#early.splice(0)) this.#post(early);
    } else this.#post(companies);
    await this.#until(() => this.#waiting < MOST_WAITING);
  }

  #post(companies: string): void {
    this.#waiting++;
    this.#worker?.postMessage({ companies } satisfies IndexingTask);
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
