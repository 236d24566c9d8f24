import type { Trie, WordRange } from "./trie.ts";

/** The budget of one query, in steps of a few nanoseconds. Once it is used up, nothing more is found. */
export interface Work {
  left: number;
}

/** Words of the dictionary that are alike, by how many edits: entry 0 holds the word itself, 1 those one edit away, and so on. */
export interface SimilarWords {
  readonly whole: readonly number[][];
  /** Words of which a beginning is alike. */
  readonly starts: readonly WordRange[][];
}

/** A state for each letter and one before them, in the bits of a number. */
const MAX_BYTES = 30;
const MAX_EDITS = 2;
const MAX_DEPTH = 255;
const STATES = MAX_EDITS + 1;

/** One frame for each byte on the way from the root, reused by every walk. */
const states = new Int32Array((MAX_DEPTH + 1) * STATES);
const labels = new Uint8Array(MAX_DEPTH + 1);
const nextChild = new Uint32Array(MAX_DEPTH + 1);
const lastChild = new Uint32Array(MAX_DEPTH + 1);
const wordEnds = new Uint32Array(MAX_DEPTH + 1);
/** For each byte the places of the word at which it stands. */
const places = new Int32Array(256);

/** In dialects and in the mouth these are one: `Kluis` and `Cluis`. */
const ALIKE: readonly (readonly [string, string])[] = [["c", "k"]];

/**
 * The words within some edits of a coded word: a letter left out, added, changed, or two swapped (optimal string alignment). The
 * automaton of Levenshtein is followed through the trie with all of its states in the bits of a number for each count of edits
 * (Wu and Manber, 1992; swaps as Hyyrö, 2003, has them); a branch in which no state is left is not entered. `c` and `k` are one letter.
 * @param isSign whether a first byte begins no word of a name
 */
export function wordsWithin(
  trie: Trie,
  coded: string,
  edits: 1 | 2,
  work: Work,
  isSign: (byte: number) => boolean,
): SimilarWords {
  const found: SimilarWords = { whole: [[], [], []], starts: [[], [], []] };
  const bytes = Buffer.from(coded);
  if (bytes.length > MAX_BYTES || bytes.length === 0) return found;
  places.fill(0);
  for (const [at, byte] of bytes.entries()) places[byte] = (places[byte] ?? 0) | (2 << at);
  for (const [one, other] of ALIKE) {
    const both = (places[one.charCodeAt(0)] ?? 0) | (places[other.charCodeAt(0)] ?? 0);
    places[one.charCodeAt(0)] = both;
    places[other.charCodeAt(0)] = both;
  }
  walk(trie, 1 << bytes.length, edits, work, isSign, found);
  return found;
}

function walk(
  trie: Trie,
  accepting: number,
  edits: 1 | 2,
  work: Work,
  isSign: (byte: number) => boolean,
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
    if (child === last || work.left <= 0) {
      depth--;
      continue;
    }
    nextChild[depth] = child + 1;
    work.left--;
    const label = nodeLabels[child] ?? 0;
    if (depth === 0 && isSign(label)) continue;
    if (edits === 1 && isDead(depth, label)) continue;
    const accepted = step(depth, label, edits, all, accepting);
    if (accepted === DEAD) continue;
    const from = firstWord[child] ?? 0;
    const to = child + 1 < last ? (firstWord[child + 1] ?? 0) : (wordEnds[depth] ?? 0);
    if (accepted >= 0) {
      found.starts[accepted]?.push({ from, to });
      if (dictionary.bytesOf(from) === depth + 1) found.whole[accepted]?.push(from);
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

/** Whether one edit was made already and this byte is none that may follow: of most bytes that is all there is to know. */
function isDead(depth: number, label: number): boolean {
  const at = depth * STATES;
  if (states[at] !== 0) return false;
  const here = places[label] ?? 0;
  if ((((states[at + 1] ?? 0) << 1) & here) !== 0) return false;
  return depth === 0 || ((here << 1) & (places[labels[depth] ?? 0] ?? 0)) === 0;
}

/**
 * The states after one more byte, written to the frame below.
 * @returns with how many edits the word is accepted; or that it is not yet, or cannot be any more
 */
function step(depth: number, label: number, edits: 1 | 2, all: number, accepting: number): number {
  const at = depth * STATES;
  const below = at + STATES;
  const here = places[label] ?? 0;
  const [zero, one] = [states[at] ?? 0, states[at + 1] ?? 0];
  const nextZero = (zero << 1) & here;
  let nextOne = (((one << 1) & here) | zero | (zero << 1) | (nextZero << 1)) & all;
  const above = at - STATES;
  const swapped = depth === 0 ? 0 : (here << 1) & (places[labels[depth] ?? 0] ?? 0);
  if (swapped !== 0) nextOne |= ((states[above] ?? 0) << 2) & swapped & all;
  let nextTwo = 0;
  if (edits === 2) {
    const two = states[at + 2] ?? 0;
    nextTwo = (((two << 1) & here) | one | (one << 1) | (nextOne << 1)) & all;
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

/** Ranges as ones that ascend and do not overlap. */
export function unitedRanges(ranges: Iterable<WordRange>): WordRange[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from || b.to - a.to);
  const united: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = united.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else united.push({ from, to });
  }
  return united;
}

/** Subtracts ranges from others. Both are ascending and do not overlap. */
export function without(ranges: readonly WordRange[], others: readonly WordRange[]): WordRange[] {
  let left: readonly WordRange[] = ranges;
  for (const other of others) {
    left = left.flatMap(({ from, to }) => [
      ...(from < other.from ? [{ from, to: Math.min(to, other.from) }] : []),
      ...(to > other.to ? [{ from: Math.max(from, other.to), to }] : []),
    ]);
  }
  return [...left];
}
