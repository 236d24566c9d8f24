import type { CliContext } from "./command.ts";

const BAR_WIDTH = 30;
const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
const CLEARED = "\r\u001b[K";

/** Progress of one stage of some work. */
export interface StagedWork {
  readonly stage: string;
  /** `bytes` are shown as megabytes. */
  readonly unit?: string;
  readonly done: number;
  /** Absent when unknown. */
  readonly total?: number | undefined;
}

/** Receives progress; cheap enough to call for every thousand records. */
export interface Progress {
  /** Shows the progress of a stage. */
  readonly update: (work: StagedWork) => void;
  /** Shows a line, unless one was shown a moment ago. */
  readonly say: (line: () => string) => void;
}

/**
 * Runs work with its progress on stderr: on a terminal a line that is redrawn and cleared at the end, otherwise a new
 * line every few seconds.
 */
export async function withProgress<T>(
  { err, stderrIsTerminal }: Pick<CliContext, "err" | "stderrIsTerminal">,
  work: (progress: Progress) => T | Promise<T>,
): Promise<T> {
  const everyMs = stderrIsTerminal ? TERMINAL_EVERY_MS : LINE_EVERY_MS;
  let shownMs = stderrIsTerminal ? Number.NEGATIVE_INFINITY : performance.now();
  let stage = { name: "", startMs: 0 };
  const say = (line: () => string): void => {
    const nowMs = performance.now();
    if (nowMs - shownMs < everyMs) return;
    shownMs = nowMs;
    if (stderrIsTerminal) process.stderr.write(`${CLEARED}${line()}`);
    else err(line());
  };
  const update = (now: StagedWork): void => {
    if (now.stage !== stage.name) stage = { name: now.stage, startMs: performance.now() };
    say(() => progressLine(now, performance.now() - stage.startMs));
  };
  try {
    return await work({ update, say });
  } finally {
    if (stderrIsTerminal && Number.isFinite(shownMs)) process.stderr.write(CLEARED);
  }
}

/** `companies  [#####-----] 50 %  12,500 of 25,000, 6,100/s` */
export function progressLine({ stage, unit, done, total }: StagedWork, elapsedMs: number): string {
  if (done === 0) return stage;
  const isBytes = unit === "bytes";
  const shown = (count: number) =>
    (isBytes ? Math.round(count / 1e5) / 10 : Math.round(count)).toLocaleString("en");
  const speed = `${isBytes ? " MB" : ""}, ${shown((done * 1_000) / Math.max(elapsedMs, 1))}/s`;
  if (total === undefined || total <= 0) return `${stage}  ${shown(done)}${speed}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} %`;
  return `${stage}  ${bar}  ${shown(done)} of ${shown(total)}${speed}`;
}
