import type { SourcedFacts } from "../company/facts.ts";
import type { PackedFacts } from "../snapshot/incoming/packedFacts.ts";
import type { IncomingFacts } from "../snapshot/types.ts";
import { FORGOTTEN, LATER_THAN_TODAY, type Today, todayAt } from "./admission.ts";
import { type CsvImportOptions, readTable } from "./formats/csv/read.ts";
import type { FormatContext } from "./formats/format.ts";
import { readGleif } from "./formats/gleif.ts";
import { jsonlChunks, readJsonl } from "./formats/jsonl.ts";
import { readKvk } from "./formats/kvk.ts";
import { type Input, openInput } from "./open/openInput.ts";
import { originOf } from "./origin.ts";
import type { Outcome } from "./outcome.ts";
import { jsonForm, MAX_JSON_BYTES } from "./records/json.ts";
import type { Rejects } from "./rejects.ts";
import { Tally } from "./report.ts";
import type { ImportRequest } from "./request.ts";
import { BlockCounting } from "./threads/blockCounting.ts";
import { lineBlocks } from "./threads/lineBlocks.ts";
import type { LineFormat } from "./threads/readBlock.ts";
import { readOnThreads } from "./threads/readingThreads.ts";

const CSV_DEFAULTS: CsvImportOptions = {
  encoding: "utf8",
  map: new Map(),
  assumeActive: false,
  padKvkNumbers: false,
};
const PROGRESS_EVERY = 256;
const TABLES: readonly ImportRequest["format"][] = ["csv", "gleif"];
/** Smaller files are read before threads would have started. */
const WORTH_THREADS_BYTES = 8 << 20;

/** Reads the files one after the other and keeps count. */
export class Reading {
  read = 0;
  outside = 0;
  used = 0;
  readonly skipped = new Tally();
  readonly leftOut = new Tally();
  /** Tables that end without a line break. */
  readonly unended: string[] = [];
  /** Columns of tables that hold no known field, by file. */
  readonly unused: { readonly file: string; readonly columns: readonly string[] }[] = [];
  readonly #request: ImportRequest;
  readonly #rejects: Rejects | undefined;
  readonly #today: Today;

  constructor(request: ImportRequest, rejects: Rejects | undefined) {
    this.#request = request;
    this.#rejects = rejects;
    this.#today = todayAt((request.now ?? Date.now)());
  }

  /** @param withNames whether an index is to be made of the names of all companies as they come */
  async *facts(withNames: boolean): AsyncGenerator<IncomingFacts> {
    await this.#rejects?.open(this.#request.files);
    for (const file of this.#request.files) yield* this.#factsOf(file, withNames);
  }

  async *#factsOf(file: string, withNames: boolean): AsyncGenerator<IncomingFacts> {
    const { stdin, limits, asOf, format } = this.#request;
    const input = await openInput(file, stdin, limits);
    try {
      const ending = endingOf(input.chunks);
      const whole = { ...input, chunks: ending.chunks };
      const { chunks, lineFormat } = isLarge(input)
        ? await linesOf(format, whole)
        : { chunks: whole.chunks, lineFormat: undefined };
      const context = {
        input: { ...input, chunks },
        origin: this.#origin(file),
        asOf: asOf ?? input.modifiedAt?.toISOString(),
        onUnused: (columns: readonly string[]) => {
          if (columns.length > 0) this.unused.push({ file: input.shownName, columns });
        },
      };
      if (lineFormat !== undefined) yield* this.#onThreads(lineFormat, context, withNames);
      else yield* this.#oneByOne(context);
      if (TABLES.includes(format) && !ending.isLineBreak()) this.unended.push(input.shownName);
    } finally {
      await input.close();
    }
  }

  async *#oneByOne(context: FormatContext): AsyncGenerator<SourcedFacts> {
    let untilProgress = 0;
    for await (const outcome of this.#outcomes(context)) {
      if (--untilProgress < 0) {
        untilProgress = PROGRESS_EVERY;
        this.#tell(context.input, context.input.bytesRead());
      }
      const sourced = await this.#take(outcome, context.input.shownName);
      if (sourced !== undefined) yield sourced;
    }
  }

  async *#onThreads(
    format: LineFormat,
    { input, origin, asOf }: FormatContext,
    withNames: boolean,
  ): AsyncGenerator<PackedFacts> {
    const task = { format, origin, asOf, withNames, withRecords: this.#rejects !== undefined };
    const counting = new BlockCounting({
      file: input.shownName,
      counts: this,
      omit: this.#request.omit,
      today: this.#today,
      rejects: this.#rejects,
    });
    const blocks = lineBlocks(input.chunks, MAX_JSON_BYTES);
    for await (const { read, note } of readOnThreads(blocks, task, () => input.bytesRead())) {
      this.#tell(input, note);
      await counting.take(read);
      yield read.facts;
    }
  }

  #tell({ shownName, totalBytes }: Input, done: number): void {
    this.#request.onProgress?.({
      stage: `reading ${shownName}`,
      unit: "bytes",
      done,
      ...(totalBytes === undefined ? {} : { total: totalBytes }),
    });
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

/** A pipe may be large. */
function isLarge({ totalBytes }: Input): boolean {
  return totalBytes === undefined || totalBytes >= WORTH_THREADS_BYTES;
}

/** All of a file, and the format of its lines where these can be read by themselves. */
async function linesOf(
  format: ImportRequest["format"],
  input: Input,
): Promise<{ chunks: AsyncIterable<Buffer>; lineFormat: LineFormat | undefined }> {
  if (format === "jsonl") return { chunks: await jsonlChunks(input), lineFormat: format };
  if (format !== "kvk") return { chunks: input.chunks, lineFormat: undefined };
  const { form, whole } = await jsonForm(input.chunks, input.shownName);
  return { chunks: whole, lineFormat: form === "lines" ? format : undefined };
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
