import type { Job } from "../../../../../../src/contract/jobs.ts";
import { type Call, changeJob, readJob, readResults, startJob } from "../../../../api/publicApi.ts";
import { type Answer, answerIn, type ResultLine } from "./answers.ts";

/** Numbers that one job looks up. It is kept before it is sent: sent again under the same key, it is neither started nor charged twice. */
export interface Part {
  readonly key: string;
  readonly numbers: readonly string[];
  /** Absent until the service has confirmed the job. */
  readonly jobId?: string;
}

/** The calls that a list needs; tests bring their own. */
export interface JobApi {
  readonly start: typeof startJob;
  readonly read: typeof readJob;
  readonly change: typeof changeJob;
  readonly results: typeof readResults;
}

export const JOB_API: JobApi = { start: startJob, read: readJob, change: changeJob, results: readResults };

/** Bytes of results in one call: what the service returns to a page at most, less the room for JSON. */
const PIECE_BYTES = 900_000;

/** @throws {Failure} */
export function bodyOf<T>({ outcome }: Call<T>): T {
  if ("failure" in outcome) throw outcome.failure;
  return outcome.body;
}

/** Cancels the job of a part, also where its confirmation was lost; the service deletes it with its results. @throws {Failure} */
export async function cancelPart(api: JobApi, part: Part, isEverything: boolean): Promise<void> {
  const id = part.jobId ?? bodyOf(await api.start(part.numbers, kindOf(isEverything), part.key)).id;
  if (id === undefined) return;
  const { outcome } = await api.change(id, "cancel");
  if ("failure" in outcome && outcome.failure.code !== "NOT_FOUND") throw outcome.failure;
}

export function kindOf(isEverything: boolean): Job["kind"] {
  return isEverything ? "lookup.enriched" : "lookup";
}

/** Reads the results of a job as they are added. */
export class ResultReader {
  readonly #api: JobApi;
  readonly #jobId: string;
  #bytes = 0;
  #lines = 0;

  constructor(api: JobApi, jobId: string) {
    this.#api = api;
    this.#jobId = jobId;
  }

  /** Reads on until `count` results of the job are known. @throws {Failure} */
  async read(count: number, take: (answers: readonly Answer[]) => void): Promise<void> {
    let hasRestarted = false;
    while (this.#lines < count) {
      const lines = await this.#next();
      if (lines.length > 0) {
        this.#lines += lines.length;
        take(lines.map((line) => answerIn(JSON.parse(line) as ResultLine)));
      } else if (this.#bytes === 0 || hasRestarted) {
        return;
      } else {
        // Earlier results have changed, because a company may no longer be shown.
        hasRestarted = true;
        this.#bytes = 0;
        this.#lines = 0;
      }
    }
  }

  /** The next whole lines; none where what was read before no longer ends a line there. */
  async #next(): Promise<readonly string[]> {
    // One byte earlier: the line break before shows that the place still fits.
    const from = Math.max(0, this.#bytes - 1);
    const { outcome } = await this.#api.results(this.#jobId, from, from + PIECE_BYTES - 1);
    if ("failure" in outcome) {
      if (outcome.failure.code === "RANGE_NOT_SATISFIABLE") return [];
      throw outcome.failure;
    }
    const text = outcome.body;
    if (from > 0 && !text.startsWith("\n")) return [];
    const whole = text.slice(from > 0 ? 1 : 0, text.lastIndexOf("\n") + 1);
    this.#bytes += new TextEncoder().encode(whole).length;
    return whole.split("\n").filter((line) => line !== "");
  }
}
