import type { CliContext } from "./command.ts";

const BAR_WIDTH = 30;
const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;

/** Progress of one stage of some work. */
export interface StagedWork {
  readonly stage: string;
  /** `bytes` are shown as megabytes. */
  readonly unit?: string;
  readonly done: number;
  /** Absent when unknown. */
  readonly total?: number | undefined;
}

/** Shows progress on stderr: a line that is redrawn on a terminal, a new line every few seconds elsewhere. */
export class Progress {
  readonly #context: Pick<CliContext, "err" | "stderrIsTerminal">;
  #shownMs: number;
  #isDrawn = false;
  #stage: string | undefined;
  #stageStartMs = 0;

  constructor(context: Pick<CliContext, "err" | "stderrIsTerminal">) {
    this.#context = context;
    this.#shownMs = context.stderrIsTerminal ? Number.NEGATIVE_INFINITY : performance.now();
  }

  /** Shows a stage's progress; cheap enough to call for every thousand records. */
  update(work: StagedWork): void {
    if (work.stage !== this.#stage) {
      this.#stage = work.stage;
      this.#stageStartMs = performance.now();
    }
    this.say(() => progressLine(work, performance.now() - this.#stageStartMs));
  }

  /** Shows a line, unless one was shown a moment ago. */
  say(line: () => string): void {
    const { err, stderrIsTerminal } = this.#context;
    const nowMs = performance.now();
    if (nowMs - this.#shownMs < (stderrIsTerminal ? TERMINAL_EVERY_MS : LINE_EVERY_MS)) return;
    this.#shownMs = nowMs;
    this.#isDrawn = stderrIsTerminal;
    if (stderrIsTerminal) process.stderr.write(`\r\u001b[K${line()}`);
    else err(line());
  }

  /** Clears the terminal's line; call it whether or not the work succeeded. */
  end(): void {
    if (this.#isDrawn) process.stderr.write("\r\u001b[K");
    this.#isDrawn = false;
  }
}

/** Runs work with a progress line that is cleared when the work ends. */
export async function withProgress<T>(
  context: CliContext,
  work: (progress: Progress) => T | Promise<T>,
): Promise<T> {
  const progress = new Progress(context);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

/** `companies  [#####-----] 50 %  12,500 of 25,000, 6,100 a second` */
export function progressLine({ stage, unit, done, total }: StagedWork, elapsedMs: number): string {
  if (done === 0) return stage;
  const isBytes = unit === "bytes";
  const shown = (count: number) =>
    (isBytes ? Math.round(count / 1e5) / 10 : Math.round(count)).toLocaleString("en");
  const speed = `${isBytes ? " MB" : ""}, ${shown((done * 1_000) / Math.max(elapsedMs, 1))} a second`;
  if (total === undefined || total <= 0) return `${stage}  ${shown(done)}${speed}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} %`;
  return `${stage}  ${bar}  ${shown(done)} of ${shown(total)}${speed}`;
}
