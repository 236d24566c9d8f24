import { Worker } from "node:worker_threads";
import type { SourcedFacts } from "../../company/facts.ts";
import type { Leaving } from "../withdrawing/staleRows.ts";
import type { Withdrawn } from "../withdrawing/withdraw.ts";
import type { Learned, Learning } from "./learnFacts.ts";
import type { UpkeepAnswer, UpkeepMessage } from "./messages.ts";

/** Work on the registry is not possible; the message says why. */
export class UpkeepRefused extends Error {
  override readonly name = "UpkeepRefused";
}

/** A thread that does one piece of work on the registry, so that none of it holds a call up. */
export class UpkeepThread {
  readonly #worker: Worker;
  readonly #answer: Promise<UpkeepAnswer>;

  /** @param signal ends the thread at once, as a kill would: nothing is half done then */
  constructor(signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<UpkeepAnswer>();
    this.#worker = new Worker(new URL("./upkeepWorker.ts", import.meta.url));
    this.#worker.unref();
    this.#worker.once("message", resolve);
    this.#worker.once("error", reject);
    this.#worker.once("exit", () => reject(new Error("the thread for the upkeep of the registry ended")));
    this.#answer = promise;
    promise.catch(() => {});
    const end = () => void this.end();
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    this.#worker.once("exit", () => signal.removeEventListener("abort", end));
  }

  /** Hands facts over that {@link learn} then adds. */
  add(facts: readonly SourcedFacts[]): void {
    this.#tell({ kind: "facts", facts });
  }

  /** @returns undefined when another process is changing the registry @throws {UpkeepRefused} */
  async learn(learning: Omit<Learning, "facts">): Promise<Learned | undefined> {
    const answer = await this.#do({ kind: "learn", learning });
    return answer?.kind === "learned" ? answer.learned : undefined;
  }

  /** @returns undefined when another process is changing the registry @throws {UpkeepRefused} */
  async withdraw(directory: string, leaving: Leaving): Promise<Withdrawn | undefined> {
    const answer = await this.#do({ kind: "withdraw", directory, leaving });
    return answer?.kind === "withdrawn" ? answer.withdrawn : undefined;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #do(message: UpkeepMessage): Promise<UpkeepAnswer | undefined> {
    this.#tell(message);
    const answer = await this.#answer;
    if (answer.kind === "refused") throw new UpkeepRefused(answer.message);
    return answer.kind === "busy" ? undefined : answer;
  }

  #tell(message: UpkeepMessage): void {
    this.#worker.postMessage(message);
  }
}
