import type { CliContext } from "./command.ts";
import { bar, type StatusLine, statusLine } from "./progress.ts";
import type { StagedWork } from "./stageProgress.ts";

/** What share of an import each stage takes, about; the rest is for those at its end, which say no number. */
const STAGES: readonly (readonly [beginning: string, share: number])[] = [
  ["reading", 0.8],
  ["merging", 0.03],
  ["writing companies", 0.06],
  ["indexing", 0.06],
];
const READING = "reading";
/** What was done in less time says nothing about a second. */
const LEAST_RATED_MS = 200;

/** One bar for all of an import, with the rate of what is being done and the time that is left. */
export class ImportProgressBar {
  readonly #line: StatusLine;
  readonly #files: number;
  /** The stages of reading so far, one for each file. */
  readonly #read = new Set<string>();
  #share = 0;
  #stage: { readonly name: string; readonly sinceMs: number } | undefined;

  /** @param files how many are read, one after the other */
  constructor(context: CliContext, files: number) {
    this.#line = statusLine(context);
    this.#files = files;
  }

  update(work: StagedWork): void {
    const nowMs = performance.now();
    if (this.#stage?.name !== work.stage) this.#stage = { name: work.stage, sinceMs: nowMs };
    const stageMs = nowMs - this.#stage.sinceMs;
    this.#line.show((elapsedMs) => importLine(work, this.shareDone(work), { elapsedMs, stageMs }));
  }

  end(): void {
    this.#line.end();
  }

  /** How much of the import is done, from 0 to 1; a stage that comes again, to merge layers, does not take it back. */
  shareDone(work: StagedWork): number {
    this.#share = Math.max(this.#share, this.#shareOf(work));
    return this.#share;
  }

  #shareOf({ stage, done, total }: StagedWork): number {
    if (stage.startsWith(READING)) this.#read.add(stage);
    const ofStage = total === undefined || total === 0 ? 0 : Math.min(1, done / total);
    let before = 0;
    for (const [beginning, share] of STAGES) {
      if (!stage.startsWith(beginning)) {
        before += share;
        continue;
      }
      const files = beginning === READING ? this.#files : 1;
      const filesBefore = beginning === READING ? this.#read.size - 1 : 0;
      return before + (share * (filesBefore + ofStage)) / files;
    }
    return before;
  }
}

/**
 * `import  [#####-----] 50 %  reading companies.jsonl: 6.2 of 12.4 MB, 3.1 a second, about 0:04 left`
 * @param elapsedMs since the import began, `stageMs` since this stage did
 */
export function importLine(
  { stage, unit, done, total }: StagedWork,
  share: number,
  { elapsedMs, stageMs }: { readonly elapsedMs: number; readonly stageMs: number },
): string {
  const isBytes = unit === "bytes";
  const shown = (count: number) =>
    (isBytes ? Math.round(count / 1e5) / 10 : Math.round(count)).toLocaleString("en");
  const seconds = Math.max(elapsedMs / 1_000, 0.001);
  const counted = total === undefined ? shown(done) : `${shown(done)} of ${shown(total)}`;
  const rate = stageMs < LEAST_RATED_MS ? "" : `, ${shown((done * 1_000) / stageMs)} a second`;
  const what = done === 0 ? stage : `${stage}: ${counted}${isBytes ? " MB" : ""}${rate}`;
  if (share <= 0) return `import  ${what}`;
  const left = Math.round((seconds * (1 - share)) / share);
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return `import  ${bar(share)}  ${what}, about ${time} left`;
}
