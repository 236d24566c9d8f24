import { isRegistrationDay } from "../company/dates.ts";
import type { SourcedFacts } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";
import type { OriginInfo } from "../registry/info.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { continuedSource } from "./continued.ts";
import { type CsvImportOptions, readTable } from "./formats/csv/read.ts";
import type { FormatContext } from "./formats/format.ts";
import { readGleif } from "./formats/gleif.ts";
import { readJsonl, readKvk } from "./formats/json.ts";
import { formatFacts } from "./jsonl.ts";
import { type ImportInput, openInput } from "./open/openInput.ts";
import { originOf } from "./origin.ts";
import type { RecordResult } from "./outcome.ts";
import type { Rejects } from "./rejects.ts";
import { lostRecord, type RecordPlace } from "./repeats.ts";
import { Tally } from "./report.ts";
import type { ImportRequest } from "./request.ts";
import { ShieldedCities } from "./shieldedCities.ts";

const CSV_DEFAULTS: CsvImportOptions = {
  encoding: "utf8",
  map: new Map(),
  assumeActive: false,
  padKvkNumbers: false,
};
const RECORDS_PER_PROGRESS = 256;
/** Of further companies a repeated record is not reported. */
const MAX_PLACES = 250_000;
const DAY_MS = 24 * 60 * 60 * 1000;

export const FORGOTTEN_COMPANY: Rejection = { reason: "is on the list of what must be forgotten" };
const IMPOSSIBLE_DATE = "a value that is no registrationDate";
const LATER_THAN_TODAY = "a date of the data after today (UTC): today is taken";

/** Returns midnight UTC of a day as ISO 8601, and the end of that day. Data with a later date gets this one. */
export function dataDay(nowMs: number): { readonly asOf: string; readonly endsMs: number } {
  const beginsMs = nowMs - (nowMs % DAY_MS);
  return { asOf: new Date(beginsMs).toISOString(), endsMs: beginsMs + DAY_MS };
}

/** Reads the files one after another and counts what it finds. */
export class FileReading {
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
  readonly #today: ReturnType<typeof dataDay>;
  readonly #sources: Pick<OriginInfo, "origin" | "asOf">[];
  readonly #cities: ShieldedCities;
  readonly #earlierOfLast: SourcedFacts[] = [];
  #isLastForgotten = false;

  /** @param sources the sources in the registry */
  constructor(request: ImportRequest, rejects: Rejects | undefined, sources: readonly OriginInfo[]) {
    this.#sources = [...sources];
    this.#request = request;
    this.#rejects = rejects;
    this.#cities = new ShieldedCities(() => {
      // A damaged snapshot, which `replace` ignores, has no layers.
      const snapshot = sources.length === 0 ? undefined : openCurrentSnapshot(request.directory);
      const cities = snapshot?.layers.flatMap((layer) => layer.openCities()) ?? [];
      snapshot?.close();
      return cities;
    });
    this.#today = dataDay((request.now ?? Date.now)());
  }

  /** The facts of all files. Each is counted when the next one is requested, as it may be refused until then. */
  async *facts(): AsyncGenerator<SourcedFacts> {
    const { files, stdin } = this.#request;
    await this.#rejects?.open(files);
    /** Where the companies are that are not reported as repeated. */
    const places = new Map<number, RecordPlace>();
    for (const file of files) {
      const input = await openInput(file, stdin);
      try {
        let untilProgress = 0;
        for await (const outcome of this.#outcomes(file, input)) {
          if (--untilProgress < 0) {
            untilProgress = RECORDS_PER_PROGRESS;
            this.#report(input);
          }
          if (outcome.kind === "outside") {
            this.read += outcome.rows;
            this.outside += outcome.rows;
            continue;
          }
          this.read += 1;
          if (outcome.kind === "skipped") {
            const { line, rejection, record } = outcome;
            this.skipped.add(input.shownName, line, rejection);
            await this.#rejects?.add(input.shownName, line, rejection, record);
            continue;
          }
          const { line, leftOut } = outcome;
          const sourced = { ...outcome.sourced, facts: this.#cities.cleaned(outcome.sourced.facts) };
          const isLater = Date.parse(sourced.asOf) >= this.#today.endsMs;
          this.#isLastForgotten = false;
          // A wrong clock at the source must not make its data the newest for ever.
          const dated = isLater ? { ...sourced, asOf: this.#today.asOf } : sourced;
          yield dated;
          if (this.#isLastForgotten) {
            // Not written to the file of rejects either.
            this.skipped.add(input.shownName, line, FORGOTTEN_COMPANY);
            continue;
          }
          const kvk = Number(dated.facts.kvkNumber);
          const place = { file: input.shownName, line };
          const [earlier] = this.#earlierOfLast.splice(0);
          const lost = earlier && lostRecord(earlier, dated, [places.get(kvk), place]);
          if (lost !== undefined) {
            this.leftOut.add(lost.file, lost.line, lost.rejection);
            await this.#rejects?.add(lost.file, lost.line, lost.rejection, formatFacts(lost.record));
            places.delete(kvk);
          } else if (earlier === undefined && places.size < MAX_PLACES) {
            places.set(kvk, place);
          }
          const { registrationDate = "2000-01-01" } = dated.facts;
          if (!isRegistrationDay(registrationDate))
            this.leftOut.add(input.shownName, line, { reason: IMPOSSIBLE_DATE, detail: registrationDate });
          this.used += 1;
          for (const rejection of leftOut) this.leftOut.add(input.shownName, line, rejection);
          if (isLater)
            this.leftOut.add(input.shownName, line, { reason: LATER_THAN_TODAY, detail: sourced.asOf });
        }
      } finally {
        await input.close();
      }
    }
  }

  /** Notes that the facts that {@link facts} yielded last are about a company of earlier ones in this import. */
  repeatLast(earlier: SourcedFacts): void {
    this.#earlierOfLast.push(earlier);
  }

  /** Counts the facts that {@link facts} yielded last as skipped, as their company must be forgotten. */
  forgetLast(): void {
    this.#isLastForgotten = true;
  }

  #report({ shownName, totalBytes, bytesRead }: ImportInput): void {
    this.#request.onProgress?.({
      stage: `reading ${shownName}`,
      unit: "bytes",
      done: bytesRead(),
      ...(totalBytes === undefined ? {} : { total: totalBytes }),
    });
  }

  #sourceOf(file: string, name: string | undefined): string {
    const own = originOf(file, name);
    const { origin, notice } = name === undefined ? continuedSource(own, this.#sources) : { origin: own };
    if (notice !== undefined) this.#request.onNotice?.(notice);
    // The next file of this import may continue it.
    this.#sources.push({ origin, asOf: this.#today.asOf });
    return origin;
  }

  #outcomes(file: string, input: ImportInput): AsyncIterable<RecordResult> {
    const { format, asOf, csv = CSV_DEFAULTS, isFromKvkApi, name } = this.#request;
    const context: FormatContext = {
      input,
      origin: isFromKvkApi === true ? "kvk-api" : format === "gleif" ? "gleif" : this.#sourceOf(file, name),
      asOf: asOf ?? input.modifiedAt?.toISOString(),
      onUnused: (columns) => {
        if (columns.length > 0) this.unused.push({ file: input.shownName, columns });
      },
      onUnended: () => this.unended.push(input.shownName),
    };
    switch (format) {
      case "gleif":
        return readGleif(context);
      case "kvk":
        return readKvk(context);
      case "jsonl":
        return readJsonl(context);
      case "csv":
        return readTable(context, csv);
    }
  }
}
