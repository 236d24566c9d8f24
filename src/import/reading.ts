import type { SourcedFacts } from "../company/facts.ts";
import { type CsvImportOptions, readTable } from "./formats/csv/read.ts";
import type { FormatContext } from "./formats/format.ts";
import { readGleif } from "./formats/gleif.ts";
import { readJsonl } from "./formats/jsonl.ts";
import { readKvk } from "./formats/kvk.ts";
import { openInput } from "./open/openInput.ts";
import { originOf } from "./origin.ts";
import type { Outcome } from "./outcome.ts";
import type { Rejects } from "./rejects.ts";
import { Tally } from "./report.ts";
import type { ImportRequest } from "./request.ts";

const CSV_DEFAULTS: CsvImportOptions = {
  encoding: "utf8",
  map: new Map(),
  assumeActive: false,
  padKvkNumbers: false,
};
const PROGRESS_EVERY = 256;
const DAY_MS = 24 * 60 * 60 * 1000;
const TABLES: readonly ImportRequest["format"][] = ["csv", "gleif"];
const LATER_THAN_TODAY = "a date of the data after today (UTC): today is taken";
const FORGOTTEN = { reason: "is on the list of what must be forgotten" };

/** Reads the files one after the other and keeps count. */
export class Reading {
  read = 0;
  outside = 0;
  used = 0;
  readonly skipped = new Tally();
  readonly leftOut = new Tally();
  /** Tables that end without a line break. */
  readonly unended: string[] = [];
  readonly #request: ImportRequest;
  readonly #rejects: Rejects | undefined;
  readonly #today: Today;

  constructor(request: ImportRequest, rejects: Rejects | undefined) {
    this.#request = request;
    this.#rejects = rejects;
    this.#today = todayAt((request.now ?? Date.now)());
  }

  async *facts(): AsyncGenerator<SourcedFacts> {
    for (const file of this.#request.files) yield* this.#factsOf(file);
  }

  async *#factsOf(file: string): AsyncGenerator<SourcedFacts> {
    const { stdin, limits, asOf, onProgress } = this.#request;
    const input = await openInput(file, stdin, limits);
    try {
      const ending = endingOf(input.chunks);
      const context = {
        input: { ...input, chunks: ending.chunks },
        origin: this.#origin(file),
        asOf: asOf ?? input.modifiedAt?.toISOString(),
      };
      let untilProgress = 0;
      for await (const outcome of this.#outcomes(context)) {
        if (--untilProgress < 0) {
          untilProgress = PROGRESS_EVERY;
          onProgress?.({
            stage: `reading ${input.shownName}`,
            unit: "bytes",
            done: input.bytesRead(),
            ...(input.totalBytes === undefined ? {} : { total: input.totalBytes }),
          });
        }
        const sourced = await this.#take(outcome, input.shownName);
        if (sourced !== undefined) yield sourced;
      }
      if (TABLES.includes(this.#request.format) && !ending.isLineBreak()) this.unended.push(input.shownName);
    } finally {
      await input.close();
    }
  }

  #outcomes(context: FormatContext): AsyncIterable<Outcome> {
    switch (this.#request.format) {
      case "gleif":
        return readGleif(context);
      case "kvk":
        return readKvk(context);
      case "jsonl":
        return readJsonl(context);
      case "csv":
        return readTable(context, this.#request.csv ?? CSV_DEFAULTS);
    }
  }

  #origin(file: string): string {
    if (this.#request.isFromKvkApi === true) return "kvk-api";
    return originOf(file, this.#request.name);
  }

  async #take(outcome: Outcome, file: string): Promise<SourcedFacts | undefined> {
    if (outcome.kind === "outside") {
      this.read += outcome.rows;
      this.outside += outcome.rows;
      return undefined;
    }
    this.read += 1;
    if (outcome.kind === "skipped") {
      this.skipped.add(file, outcome.line, outcome.rejection);
      await this.#rejects?.add(file, outcome.line, outcome.rejection, outcome.record);
      return undefined;
    }
    if (this.#request.omit?.has(outcome.sourced.facts.kvkNumber)) {
      // What must be forgotten is written to no file of rejects either.
      this.skipped.add(file, outcome.line, FORGOTTEN);
      return undefined;
    }
    this.used += 1;
    for (const rejection of outcome.leftOut) this.leftOut.add(file, outcome.line, rejection);
    const { asOf } = outcome.sourced;
    if (Date.parse(asOf) < this.#today.endsMs) return outcome.sourced;
    // A clock that was wrong where the data was written must not make it the freshest for ever.
    this.leftOut.add(file, outcome.line, { reason: LATER_THAN_TODAY, detail: asOf });
    return { ...outcome.sourced, asOf: this.#today.asOf };
  }
}

/** The day of the import in UTC. */
interface Today {
  readonly asOf: string;
  readonly endsMs: number;
}

function todayAt(nowMs: number): Today {
  const beginsMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { asOf: new Date(beginsMs).toISOString(), endsMs: beginsMs + DAY_MS };
}

/** The same bytes, and whether the last of them is a line break. */
function endingOf(chunks: AsyncIterable<Buffer>): {
  chunks: AsyncIterable<Buffer>;
  isLineBreak: () => boolean;
} {
  let last: number | undefined;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  }
  return { chunks: watched(), isLineBreak: () => last === 10 || last === 13 };
}
