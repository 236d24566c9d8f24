import { Random } from "../../src/demo/random.ts";
import { normalise } from "../../src/search/normalise.ts";

/** What is typed of one kind; `wanted` are the names as they were meant, where that is counted. */
export interface QueryClass {
  readonly name: string;
  readonly queries: readonly TypedQuery[];
}

export interface TypedQuery {
  readonly q: string;
  /** The company that was meant, by its name normalised. */
  readonly meant?: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** The classes of queries that finding is measured with, out of generated names and real ones. */
export function queryClasses(
  generated: readonly string[],
  real: readonly string[],
  { each, seed = 1 }: { readonly each: number; readonly seed?: number },
): QueryClass[] {
  const random = new Random(seed);
  const of = (names: readonly string[], make: (name: string) => string | undefined): TypedQuery[] => {
    const queries: TypedQuery[] = [];
    for (let tries = 0; queries.length < each && tries < each * 20; tries++) {
      const name = random.pick(names);
      const q = make(name);
      if (q !== undefined && q.trim().length >= 2) queries.push({ q, meant: normalise(name) });
    }
    return queries;
  };
  const withReal = real.length > 0;
  return [
    {
      name: "beginnings of 2–14 characters",
      queries: of(generated, (name) => name.slice(0, random.between(2, 14)).toLowerCase()),
    },
    {
      name: "a word and 1–4 letters of the next",
      queries: of(generated, (name) => wordAndABit(name, random)),
    },
    { name: "full names, generated", queries: of(generated, (name) => name) },
    ...(withReal ? [{ name: "full names, real", queries: of(real, (name) => name) }] : []),
    { name: "two letters of each word", queries: of(generated, (name) => twoOfEach(name)) },
    ...(withReal
      ? [{ name: "one typo, real names", queries: of(real, (name) => withTypo(name, random)) }]
      : []),
    { name: "one typo, generated names", queries: of(generated, (name) => withTypo(name, random)) },
    { name: "a hundred adversarial ones", queries: ADVERSARIAL.map((q) => ({ q })) },
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
export function withTypo(name: string, random: Random): string | undefined {
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

const COMMON = ["bv", "holding", "stichting", "de", "van", "en", "beheer", "jansen", "groep", "nederland"];
const SHORT = ["a", "b", "d", "s", "v", "h", "be", "st", "ho", "va"];

/** Queries that are hard to answer: common words together, single letters, long ones, misspelled long ones. */
const ADVERSARIAL: readonly string[] = [
  ...COMMON.flatMap((one, index) => [
    `${one} ${COMMON[(index + 1) % 10]}`,
    `${one} ${COMMON[(index + 3) % 10]} ${COMMON[(index + 7) % 10]}`,
    `${SHORT[index]} ${SHORT[(index + 3) % 10]}`,
    `${SHORT[index]} ${SHORT[(index + 1) % 10]} ${SHORT[(index + 2) % 10]} ${SHORT[(index + 5) % 10]}`,
    `${one} x${SHORT[index]}`,
    `${one}${COMMON[(index + 4) % 10]} ${one}`,
    `${one.slice(0, 2)}zq${one.slice(2)} ${COMMON[(index + 2) % 10]}`,
    `administratiekantor ${one} ${SHORT[index]}`,
  ]),
  "aa bb cc dd ee ff gg hh ii jj kk",
  "de de de de van van van van en en en bv",
  "a b c d e f g h i j k l m n o p q r s t u v w x y z",
  "bv bv bv bv bv holding holding holding",
  "onderlinge waarborgmaatschapij stichtnig",
  "internationaltransportmaatschappijnederland",
  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "qwertyuiop asdfghjkl zxcvbnm",
  "stichting administratiekantoor van de van der en de bv",
  "10 20 30 40 50",
  "1 2 3",
  "00",
  "99",
  "5",
  "vereniging van eigenaars a",
  "holding beheer holding beheer b",
  "van den van der van de v",
  "&& ++ & en",
  "s s s s s s s s s s",
  "administratiekantoor administratiekantoor",
];
