import type { Trie, WordRange } from "./trie.ts";

/** The remaining budget of a query, in steps of a few nanoseconds. At zero the search ends. */
export interface Budget {
  left: number;
}

/**
 * Similar words of the dictionary, by number of edits: entry 0 is the word itself, entry 1 those one edit away, and so
 * on.
 */
export interface SimilarWords {
  readonly exact: readonly number[][];
  /** Words with a similar prefix. */
  readonly prefixes: readonly WordRange[][];
}

/** The automaton has one state more than the word has bytes, and its states must fit into the bits of a number. */
const MAX_BYTES = 30;
const MAX_EDITS = 2;
const MAX_DEPTH = 255;
const STATES = MAX_EDITS + 1;

/** One frame per byte on the path from the root, reused by every walk. */
const states = new Int32Array((MAX_DEPTH + 1) * STATES);
const labels = new Uint8Array(MAX_DEPTH + 1);
const nextChild = new Uint32Array(MAX_DEPTH + 1);
const lastChild = new Uint32Array(MAX_DEPTH + 1);
const wordEnds = new Uint32Array(MAX_DEPTH + 1);
/** For each byte, a bitmask of its positions in the word. */
const positions = new Int32Array(256);

/** Letters that count as equal: `Kluis` and `Cluis`. */
const EQUAL_LETTERS: readonly (readonly [string, string])[] = [["c", "k"]];

/**
 * Finds the words within some edits of an encoded word: a letter omitted, added or changed, or two adjacent letters
 * swapped (optimal string alignment). Walks the trie with a bit-parallel Levenshtein automaton (Wu and Manber, 1992;
 * swaps as in Hyyrö, 2003) and skips dead branches. `c` and `k` count as equal.
 * @param isFacet whether a first byte marks a facet, not a word of a name
 */
export function wordsWithin(
  trie: Trie,
  coded: string,
  edits: 1 | 2,
  budget: Budget,
  isFacet: (byte: number) => boolean,
): SimilarWords {
  const found: SimilarWords = { exact: [[], [], []], prefixes: [[], [], []] };
  const bytes = Buffer.from(coded);
  if (bytes.length > MAX_BYTES || bytes.length === 0) return found;
  positions.fill(0);
  for (const [at, byte] of bytes.entries()) positions[byte] = (positions[byte] ?? 0) | (2 << at);
  for (const [one, other] of EQUAL_LETTERS) {
    const both = (positions[one.charCodeAt(0)] ?? 0) | (positions[other.charCodeAt(0)] ?? 0);
    positions[one.charCodeAt(0)] = both;
    positions[other.charCodeAt(0)] = both;
  }
  walk(trie, 1 << bytes.length, edits, budget, isFacet, found);
  return found;
}

function walk(
  trie: Trie,
  accepting: number,
  edits: 1 | 2,
  budget: Budget,
  isFacet: (byte: number) => boolean,
  found: SimilarWords,
): void {
  const { labels: nodeLabels, firstChild, firstWord, dictionary } = trie;
  const all = accepting * 2 - 1;
  states[0] = 1;
  states[1] = 3 & all;
  states[2] = edits === 2 ? 7 & all : 0;
  nextChild[0] = firstChild[0] ?? 0;
  lastChild[0] = firstChild[1] ?? 0;
  wordEnds[0] = dictionary.count;
  for (let depth = 0; depth >= 0; ) {
    const child = nextChild[depth] ?? 0;
    const last = lastChild[depth] ?? 0;
    if (child === last || budget.left <= 0) {
      depth--;
      continue;
    }
    nextChild[depth] = child + 1;
    budget.left--;
    const label = nodeLabels[child] ?? 0;
    if (depth === 0 && isFacet(label)) continue;
    if (edits === 1 && isDead(depth, label)) continue;
    const acceptedEdits = step(depth, label, edits, all, accepting);
    if (acceptedEdits === DEAD) continue;
    const from = firstWord[child] ?? 0;
    const to = child + 1 < last ? (firstWord[child + 1] ?? 0) : (wordEnds[depth] ?? 0);
    if (acceptedEdits >= 0) {
      found.prefixes[acceptedEdits]?.push({ from, to });
      if (dictionary.bytesOf(from) === depth + 1) found.exact[acceptedEdits]?.push(from);
    }
    if (depth + 1 === MAX_DEPTH) continue;
    depth++;
    labels[depth] = label;
    nextChild[depth] = firstChild[child] ?? 0;
    lastChild[depth] = firstChild[child + 1] ?? 0;
    wordEnds[depth] = to;
  }
}

const DEAD = -2;
const NOT_YET = -1;

/** A cheap test that rejects most bytes: whether the one edit is used up and this byte cannot follow. */
function isDead(depth: number, label: number): boolean {
  const at = depth * STATES;
  if (states[at] !== 0) return false;
  const bytePositions = positions[label] ?? 0;
  if ((((states[at + 1] ?? 0) << 1) & bytePositions) !== 0) return false;
  return depth === 0 || ((bytePositions << 1) & (positions[labels[depth] ?? 0] ?? 0)) === 0;
}

/**
 * Computes the states after one more byte, in the next frame.
 * @returns the number of edits with which the word is accepted, NOT_YET or DEAD
 */
function step(depth: number, label: number, edits: 1 | 2, all: number, accepting: number): number {
  const at = depth * STATES;
  const below = at + STATES;
  const bytePositions = positions[label] ?? 0;
  const [zero, one] = [states[at] ?? 0, states[at + 1] ?? 0];
  const nextZero = (zero << 1) & bytePositions;
  let nextOne = (((one << 1) & bytePositions) | zero | (zero << 1) | (nextZero << 1)) & all;
  const above = at - STATES;
  const swapped = depth === 0 ? 0 : (bytePositions << 1) & (positions[labels[depth] ?? 0] ?? 0);
  if (swapped !== 0) nextOne |= ((states[above] ?? 0) << 2) & swapped & all;
  let nextTwo = 0;
  if (edits === 2) {
    const two = states[at + 2] ?? 0;
    nextTwo = (((two << 1) & bytePositions) | one | (one << 1) | (nextOne << 1)) & all;
    if (swapped !== 0) nextTwo |= ((states[above + 1] ?? 0) << 2) & swapped & all;
  }
  if ((nextZero | nextOne | nextTwo) === 0) return DEAD;
  states[below] = nextZero;
  states[below + 1] = nextOne;
  states[below + 2] = nextTwo;
  if ((nextZero & accepting) !== 0) return 0;
  if ((nextOne & accepting) !== 0) return 1;
  return (nextTwo & accepting) !== 0 ? 2 : NOT_YET;
}

/** Sorts ranges and merges overlapping ones. */
export function mergeRanges(ranges: Iterable<WordRange>): WordRange[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from || b.to - a.to);
  const united: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = united.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else united.push({ from, to });
  }
  return united;
}

/** Subtracts `others` from `ranges`. Both must ascend without overlap. */
export function subtractRanges(ranges: readonly WordRange[], others: readonly WordRange[]): WordRange[] {
  let left: readonly WordRange[] = ranges;
  for (const other of others) {
    left = left.flatMap(({ from, to }) => [
      ...(from < other.from ? [{ from, to: Math.min(to, other.from) }] : []),
      ...(to > other.to ? [{ from: Math.max(from, other.to), to }] : []),
    ]);
  }
  return [...left];
}
