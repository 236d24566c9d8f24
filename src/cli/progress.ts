import type { CliContext } from "./command.ts";

const BAR_WIDTH = 30;
const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;

export interface Progress {
  /** Says how much is done; cheap enough for every thousand records. */
  update(done: number): void;
  /** Leaves the terminal's line clean; call it whether the work succeeded or not. */
  end(): void;
}

/**
 * Shows on stderr how far long work is: a bar that is drawn over itself on a terminal, a line every few seconds
 * elsewhere. `total` may be unknown.
 */
export function showProgress(context: CliContext, what: string, total?: number): Progress {
  const line = statusLine(context);
  return {
    update: (done) => line.show((elapsedMs) => progressLine(what, done, total, elapsedMs)),
    end: () => line.end(),
  };
}

export interface StatusLine {
  /** Shows what `lineOf` makes of the time since the beginning, unless something was shown a moment ago. */
  show(lineOf: (elapsedMs: number) => string): void;
  /** Leaves the terminal's line clean. */
  end(): void;
}

/** One line on stderr that says how far something is. */
export function statusLine(context: CliContext): StatusLine {
  const everyMs = context.stderrIsTerminal ? TERMINAL_EVERY_MS : LINE_EVERY_MS;
  const startedMs = performance.now();
  let shownMs = context.stderrIsTerminal ? Number.NEGATIVE_INFINITY : startedMs;
  let isDrawn = false;
  return {
    show(lineOf) {
      const nowMs = performance.now();
      if (nowMs - shownMs < everyMs) return;
      shownMs = nowMs;
      const line = lineOf(nowMs - startedMs);
      if (!context.stderrIsTerminal) return context.err(line);
      process.stderr.write(`\r\u001b[K${line}`);
      isDrawn = true;
    },
    end() {
      if (isDrawn) process.stderr.write("\r\u001b[K");
    },
  };
}

/** `[#####-----] 50 %` */
export function bar(share: number): string {
  const shown = Math.max(0, Math.min(1, share));
  const filled = Math.round(shown * BAR_WIDTH);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${Math.floor(shown * 100)} %`;
}

/** `companies  [#####-----] 50 %  12,500 of 25,000, 6,100 a second` */
export function progressLine(
  what: string,
  done: number,
  total: number | undefined,
  elapsedMs: number,
): string {
  const aSecond = Math.round(done / Math.max(elapsedMs / 1_000, 0.001));
  const speed = `${aSecond.toLocaleString("en")} a second`;
  if (total === undefined || total <= 0) return `${what}  ${done.toLocaleString("en")}, ${speed}`;
  const counts = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return `${what}  ${bar(done / total)}  ${counts}, ${speed}`;
}
