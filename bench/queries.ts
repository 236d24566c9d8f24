import { Random } from "../src/demo/random.ts";
import { normalise } from "../src/search/normalise.ts";

/** Queries of one kind. */
export interface QueryClass {
  readonly name: string;
  readonly queries: readonly TypedQuery[];
}

export interface TypedQuery {
  readonly q: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Queries as people type them, made out of names. */
export function queryClasses(
  names: readonly string[],
  { each, seed = 1 }: { readonly each: number; readonly seed?: number },
): QueryClass[] {
  const random = new Random(seed);
  const of = (make: (name: string) => string | undefined): TypedQuery[] => {
    const queries: TypedQuery[] = [];
    for (let tries = 0; queries.length < each && tries < each * 20; tries++) {
      const q = make(random.pick(names));
      if (q !== undefined && q.trim().length >= 2) queries.push({ q });
    }
    return queries;
  };
  return [
    {
      name: "beginnings of 2–14 characters",
      queries: of((name) => name.slice(0, random.between(2, 14)).toLowerCase()),
    },
    { name: "a word and 1–4 letters of the next", queries: of((name) => wordAndABit(name, random)) },
    { name: "full names", queries: of((name) => name) },
    { name: "two letters of each word", queries: of(twoOfEach) },
    { name: "one typo", queries: of((name) => withTypo(name, random)) },
    { name: "hard queries", queries: HARD.map((q) => ({ q })) },
  ];
}

function wordAndABit(name: string, random: Random): string | undefined {
  const [first, second] = normalise(name).split(" ");
  return second === undefined ? undefined : `${first} ${second.slice(0, random.between(1, 4))}`;
}

function twoOfEach(name: string): string | undefined {
  const words = normalise(name).split(" ");
  return words.length < 2 ? undefined : words.map((word) => word.slice(0, 2)).join(" ");
}

/** One letter of a name changed, left out, added or swapped with the next; undefined where it has too few. */
function withTypo(name: string, random: Random): string | undefined {
  const places = [...name.matchAll(/\p{L}/gu)].map(({ index }) => index);
  if (places.length < 4) return undefined;
  const at = random.pick(places);
  const letter = LETTERS[random.between(0, 25)] ?? "a";
  const [before, behind] = [name.slice(0, at), name.slice(at + 1)];
  const typed = [
    `${before}${letter}${behind}`,
    `${before}${behind}`,
    `${before}${letter}${name.slice(at)}`,
    `${before}${name[at + 1] ?? ""}${name[at] ?? ""}${name.slice(at + 2)}`,
  ][random.between(0, 3)];
  return typed === undefined || normalise(typed) === normalise(name) ? undefined : typed;
}

/** Common words together, single letters, long and misspelled ones. */
const HARD: readonly string[] = [
  "bv holding",
  "de van en",
  "stichting beheer jansen",
  "a b",
  "a d h be",
  "stzqichting van",
  "holdingjansen holding",
  "administratiekantor beheer s",
  "aa bb cc dd ee ff gg hh ii jj kk",
  "de de de de van van van van en en en bv",
  "a b c d e f g h i j k l m n o p q r s t u v w x y z",
  "bv bv bv bv bv holding holding holding",
  "onderlinge waarborgmaatschapij stichtnig",
  "internationaltransportmaatschappijnederland",
  "x".repeat(64),
  "stichting administratiekantoor van de van der en de bv",
  "10 20 30 40 50",
  "00",
  "vereniging van eigenaars a",
  "van den van der van de v",
  "s s s s s s s s s s",
];
