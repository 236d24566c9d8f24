import { type Answer, answerIn } from "./answers.ts";
import type { JobApi } from "./jobApi.ts";

/** Bytes of results per call, and lines parsed per task: few enough that the page stays responsive. */
const PIECE_BYTES = 400_000;
const LINES_PER_TASK = 200;

interface ReaderParts {
  readonly api: Pick<JobApi, "results">;
  /** Resolves in a later task of the browser. */
  readonly nextTask: () => Promise<void>;
}

/** Reads the results of a job as they are added. */
export class ResultReader {
  readonly #parts: ReaderParts;
  readonly #jobId: string;
  readonly #keys: readonly string[];
  #bytes = 0;
  #lines = 0;

  /** @param keys the keys that the job processes */
  constructor(parts: ReaderParts, jobId: string, keys: readonly string[]) {
    this.#parts = parts;
    this.#jobId = jobId;
    this.#keys = keys;
  }

  /** Reads until `count` results of the job are read. @throws {Failure} */
  async read(count: number, take: (answers: readonly Answer[]) => void): Promise<void> {
    let hasRestarted = false;
    while (this.#lines < count) {
      const lines = await this.#next();
      if (lines.length === 0) {
        if (this.#bytes === 0 || hasRestarted) return;
        // Earlier results have changed: a company was removed from the service.
        hasRestarted = true;
        this.#bytes = 0;
        this.#lines = 0;
        continue;
      }
      this.#lines += lines.length;
      take(await this.#parsed(lines));
    }
  }

  /** Parses lines, a few in each task, so that the page stays responsive. */
  async #parsed(lines: readonly string[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const [index, line] of lines.entries()) {
      if (index % LINES_PER_TASK === 0) await this.#parts.nextTask();
      answers.push(answerIn(line, this.#keys));
    }
    await this.#parts.nextTask();
    return answers;
  }

  /** Returns the next complete lines; empty if earlier lines have changed. */
  async #next(): Promise<readonly string[]> {
    // One byte earlier: a line break there shows that the earlier lines have not changed.
    const from = Math.max(0, this.#bytes - 1);
    const { outcome } = await this.#parts.api.results(this.#jobId, from, from + PIECE_BYTES - 1);
    if ("failure" in outcome) {
      if (outcome.failure.code === "RANGE_NOT_SATISFIABLE") return [];
      throw outcome.failure;
    }
    await this.#parts.nextTask();
    const text = outcome.body;
    if (from > 0 && !text.startsWith("\n")) return [];
    const whole = text.slice(from > 0 ? 1 : 0, text.lastIndexOf("\n") + 1);
    this.#bytes += new TextEncoder().encode(whole).length;
    return whole.split("\n").filter((line) => line !== "");
  }
}
