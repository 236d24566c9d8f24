/** Text that makes an expression backtrack. */
import { variants } from "../../kit/thorough.ts";
import { type Part, parse } from "./parse.ts";

/** A text of any length: a beginning, a repeated piece, an end. */
export interface Pump {
  readonly prefix: string;
  readonly piece: string;
  readonly suffix: string;
}

/** Ends that most expressions do not match. */
const SUFFIXES = variants(["", "\u0001", "\n!"], { ordinary: 2 });
/** A beginning that most expressions do not match, so that a repetition begins in the middle of the text. */
const BEGINNING = "\u0001";
/** Pieces of text as people, lists and attackers send it. */
const GENERIC = [
  " ",
  "@",
  "1",
  "a",
  ",",
  ".",
  "-",
  "a ",
  "a.",
  "a@",
  "a,",
  "1.",
  " ,",
  "- ",
  "\t",
  "\n",
  '"',
  '","',
  "<",
  "=",
  "€",
  "é",
];
/** Repetitions of at least this many count as unbounded. */
const MANY = 8;
/** Pairs of letters are only tried for expressions that distinguish few letters. */
const MAX_LETTERS_FOR_PAIRS = 16;
const MAX_LETTERS_FOR_PREFIXED_PAIRS = 7;

type Sequence = readonly Part[];

export function textOf({ prefix, piece, suffix }: Pump, length: number): string {
  const room = Math.max(0, length - prefix.length - suffix.length);
  return prefix + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + suffix;
}

/**
 * Returns pumps for an expression: generic ones, and for each of its repetitions the text before it and what it may
 * repeat.
 */
export function pumpsOf(expression: RegExp): readonly Pump[] {
  const alternatives = parse(expression);
  const letters = lettersOf(alternatives);
  const pairs = letters.length > MAX_LETTERS_FOR_PAIRS ? [] : pairsOf(letters);
  const repeated = alternatives.flatMap((sequence) => [...repetitionsIn(sequence, "")]);
  const pieces = [
    ...GENERIC,
    ...letters,
    ...pairs,
    ...repeated.flatMap(({ before, bodies }) => bodies.map((body) => before + body)),
  ];
  const prefixed = repeated.flatMap(({ before, bodies }) =>
    [...letters, ...bodies, ...(letters.length > MAX_LETTERS_FOR_PREFIXED_PAIRS ? [] : pairs)].map(
      (piece) => [before, piece] as const,
    ),
  );
  const all = [
    ...pieces.map((piece) => ["", piece] as const),
    ...letters.map((piece) => [BEGINNING, piece] as const),
    ...prefixed,
  ];
  const distinct = new Map(
    all.filter(([, piece]) => piece !== "").map((pair) => [JSON.stringify(pair), pair]),
  );
  return [...distinct.values()].flatMap(([prefix, piece]) =>
    SUFFIXES.map((suffix) => ({ prefix, piece, suffix })),
  );
}

/** One letter of each kind that the expression distinguishes. */
function lettersOf(alternatives: readonly Sequence[]): readonly string[] {
  const sets = [...setsIn(alternatives)];
  const kinds = new Map<string, string>();
  for (const letter of new Set(sets.flatMap((set) => [...set]))) {
    const kind = sets.map((set) => Number(set.has(letter))).join("");
    if (!kinds.has(kind)) kinds.set(kind, letter);
  }
  return [...kinds.values()];
}

function* setsIn(alternatives: readonly Sequence[]): Generator<ReadonlySet<string>> {
  for (const part of alternatives.flat()) {
    const inner = part.kind === "repeat" ? part.part : part;
    if (inner.kind === "set") yield new Set(inner.letters);
    else if (inner.kind === "group") yield* setsIn(inner.alternatives);
    else if (inner.kind === "repeat") yield* setsIn([[inner]]);
  }
}

interface Repetition {
  /** Text that the expression matches before the repetition. */
  readonly before: string;
  /** Texts that the repetition may repeat. */
  readonly bodies: readonly string[];
}

function* repetitionsIn(sequence: Sequence, before: string): Generator<Repetition> {
  let soFar = before;
  for (const part of sequence) {
    yield* repetitionsOf(part, soFar);
    soFar += sampleOf(part);
  }
}

function* repetitionsOf(part: Part, before: string): Generator<Repetition> {
  if (part.kind === "group") {
    for (const sequence of part.alternatives) yield* repetitionsIn(sequence, before);
  } else if (part.kind === "repeat") {
    if (part.max >= MANY) yield { before, bodies: bodiesOf(part.part) };
    yield* repetitionsOf(part.part, before);
  }
}

function bodiesOf(part: Part): readonly string[] {
  if (part.kind !== "group") return [sampleOf(part, 1)];
  return part.alternatives.map((sequence) => sequence.map((inner) => sampleOf(inner, 1)).join(""));
}

/** A short text that a part matches. @param least how often a repetition is repeated at least */
function sampleOf(part: Part, least = 0): string {
  switch (part.kind) {
    case "set":
      return part.letters[0] ?? "";
    case "group":
      return part.isLook ? "" : (part.alternatives[0] ?? []).map((inner) => sampleOf(inner, least)).join("");
    case "repeat":
      return sampleOf(part.part, least).repeat(Math.max(part.min, Math.min(least, part.max)));
    default:
      return "";
  }
}

function pairsOf(letters: readonly string[]): readonly string[] {
  return letters.flatMap((one) => letters.filter((other) => other !== one).map((other) => one + other));
}
