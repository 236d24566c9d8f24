/** The processor time of an expression on hostile input. */
import { type Pump, pumpsOf, textOf } from "./hostile.ts";

/** Letters of the shorter text; the longer one has four times as many. */
const LETTERS = 2_500;
/** Lengths on the way there, so that an exponential expression is found before it takes minutes. */
const LADDER = [16, 20, 22, 24, 26, 28, 64, 160, 640, LETTERS];
const MAX_RATIO = 8;
/** A longer text that takes less is harmless, and a ratio of such times says nothing. */
const MIN_COUNTED_MS = 1;
/** An expression that takes so long on the way is measured there. */
const MAX_LADDER_MS = 25;
const MAX_BOUNDED_MS = 2;
const RUNS = 8;
const MIN_PROCESSOR_US = 60_000;

export interface Slow {
  readonly pump: Pump;
  /** Letters of the text. */
  readonly letters: number;
  readonly tookMs: number;
  /** The time divided by that of a text of a quarter of the letters. */
  readonly ratio: number;
}

/** Returns the input whose time grows faster than the text; undefined if there is none. */
export function findSlow(expression: RegExp): Slow | undefined {
  for (const pump of pumpsOf(expression)) {
    const found = slowOn(expression, pump);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the input of a bounded length that takes long; undefined if there is none. */
export function findSlowWithin(expression: RegExp, letters: number): Slow | undefined {
  for (const pump of pumpsOf(expression)) {
    for (const length of [...LADDER.filter((rung) => rung < letters), letters]) {
      const text = textOf(pump, length);
      if (timeMs(expression, text) < MAX_BOUNDED_MS) continue;
      // Other programs slow a run down; they add nothing to its processor time.
      const tookMs = Math.min(leastMs(expression, text), processorMs(expression, text));
      if (tookMs >= MAX_BOUNDED_MS) return { pump, letters: length, tookMs, ratio: Number.NaN };
    }
  }
  return undefined;
}

function slowOn(expression: RegExp, pump: Pump): Slow | undefined {
  let tookMs = 0;
  for (const letters of LADDER) {
    tookMs = timeMs(expression, textOf(pump, letters));
    if (tookMs > MAX_LADDER_MS) {
      const slow = compare(expression, pump, letters);
      if (slow !== undefined) return slow;
    }
  }
  // Even a cubic expression takes too little for four times the text.
  if (tookMs < MIN_COUNTED_MS / 4 ** 3) return undefined;
  if (timeMs(expression, textOf(pump, 4 * LETTERS)) < MIN_COUNTED_MS) return undefined;
  return compare(expression, pump, 4 * LETTERS);
}

/**
 * Compares the least times of several runs, and, if they are suspicious, the processor time, which other programs do
 * not add to.
 */
function compare(expression: RegExp, pump: Pump, letters: number): Slow | undefined {
  const [text, quarter] = [textOf(pump, letters), textOf(pump, letters >> 2)];
  let [tookMs, quarterMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS; run++) {
    quarterMs = Math.min(quarterMs, timeMs(expression, quarter));
    tookMs = Math.min(tookMs, timeMs(expression, text));
    if (tookMs < MIN_COUNTED_MS || (run > 0 && tookMs / quarterMs < MAX_RATIO)) return undefined;
    if (run > 0 && tookMs / quarterMs > 2 * MAX_RATIO) break;
  }
  const ratio = processorMs(expression, text) / processorMs(expression, quarter);
  return ratio < MAX_RATIO ? undefined : { pump, letters, tookMs, ratio };
}

/** The processor time of one run, from as many runs as its coarse clock needs. */
function processorMs(expression: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    matchAll(expression, text);
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= MIN_PROCESSOR_US) return (user + system) / 1_000 / runs;
  }
}

/** The least of several runs: the one that no other program interrupted. */
function leastMs(expression: RegExp, text: string): number {
  let leastSoFarMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && leastSoFarMs >= MAX_BOUNDED_MS; run++) {
    leastSoFarMs = Math.min(leastSoFarMs, timeMs(expression, text));
  }
  return leastSoFarMs;
}

function timeMs(expression: RegExp, text: string): number {
  const startedMs = performance.now();
  matchAll(expression, text);
  return performance.now() - startedMs;
}

/**
 * Matches as the program does: all matches of a global expression, the matches from the start of a sticky one, the
 * first of any other.
 */
function matchAll(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  if (expression.global) text.replace(expression, "");
  else if (expression.sticky) while (expression.test(text) && expression.lastIndex > 0);
  else expression.test(text);
}
