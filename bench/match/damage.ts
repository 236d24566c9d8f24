/** The ways in which lists of customers and suppliers write a company: queries made from real companies. */
import type { Address } from "../../src/contract/resources.ts";
import { visitingAddress } from "../../src/demo/registry/addresses.ts";
import type { Random } from "../../src/demo/registry/random.ts";
import { known } from "../../src/lib/values.ts";
import type { MatchQuery } from "../../src/match/types.ts";
import { normalise } from "../../src/search/normalise.ts";
import { CLASSES, type QueryClass } from "../relevance/classes.ts";
import { type Rule, rewrites } from "../relevance/rewriting.ts";
import { lengthOf, type TypedName, typedName, withWords } from "../relevance/typedName.ts";
import { otherLetter } from "../relevance/typos.ts";
import type { RealCompany } from "./data.ts";

/** The data given: name and city, the name alone, or as the class defines. */
export type Variant = "city" | "name" | "own";

/** One way to write a company. */
export interface DamageClass {
  readonly id: string;
  /** For the report. */
  readonly title: string;
  readonly variants: readonly Variant[];
  /** Returns undefined if the damage would not change the company's data. All chance comes from `random`. */
  readonly query: (company: RealCompany, random: Random, variant: Variant) => MatchQuery | undefined;
}

type DamageName = (name: TypedName, random: Random) => string | undefined;

const MAX_LENGTH = 40;
/** Attempts to make a typo that changes the name: swapping two equal letters does not. */
const MAX_TRIES = 20;
const MIN_TYPO_WORD = 4;
const MIN_CUT_WORD = 8;
const OTHER_CITY_NAMES: Readonly<Record<string, string>> = {
  "'s-Gravenhage": "Den Haag",
  "'s-Hertogenbosch": "Den Bosch",
};

/** The damages of a name. Each is matched with the city and without. */
const NAME_DAMAGES: readonly (readonly [id: string, title: string, damage: DamageName])[] = [
  ["as-is", "as is", ({ name }) => name],
  ["form-dropped", "legal form dropped", typed("form-dropped")],
  ["typo", "one typo, in a word of four or more letters", makeTypo],
  ["words-swapped", "two words swapped", typed("words-swapped")],
  ["word-dropped", "a word dropped, any of three or more", typed("word-left-out")],
  ["abbreviated", "a word abbreviated", abbreviate],
  ["capitals", "capitals", ({ name }) => changed(name, name.toUpperCase())],
  ["cut", `cut at ${MAX_LENGTH} characters`, ({ name }) => changed(name, firstCharacters(name))],
];

/** The classes that the goals are about. */
export const NAME_DAMAGE_IDS: ReadonlySet<string> = new Set(NAME_DAMAGES.map(([id]) => id));

/** Every class, in the order of the report. */
export const DAMAGE_CLASSES: readonly DamageClass[] = [
  ...NAME_DAMAGES.map(([id, title, damage]): DamageClass => {
    const query: DamageClass["query"] = (company, random, variant) => {
      const name = damage(typedName(company.name), random);
      // Drawn in both variants, so that both damage a name in the same way.
      const city = cityOf(company.address, random);
      return name === undefined ? undefined : { name, ...(variant === "city" && city) };
    };
    return { id, title, variants: ["city", "name"], query };
  }),
  {
    id: "city-missing",
    title: "city missing: one of the above, postal code and house number",
    variants: ["own"],
    query: ({ name, address }, random) => {
      const damaged = random.pick(NAME_DAMAGES)[2](typedName(name), random);
      return { name: damaged ?? name, ...codeOf(address) };
    },
  },
  {
    id: "old-city",
    title: "old city: the name as is, another city",
    variants: ["own"],
    query: ({ name, address }, random) => {
      const { city } = visitingAddress(random).address;
      return city === undefined || city === address.city ? undefined : { name, city };
    },
  },
  {
    id: "address-only",
    title: "address only: postal code and house number",
    variants: ["own"],
    query: ({ address }) => codeOf(address),
  },
  {
    id: "noise",
    title: "name plus noise, city",
    variants: ["own"],
    query: ({ name, address }, random) => ({
      name: addNoise(name, address.city ?? "", random),
      ...cityOf(address, random),
    }),
  },
];

function cityOf({ city }: Address, random: Random): Pick<MatchQuery, "city"> {
  const other = OTHER_CITY_NAMES[city ?? ""];
  return known("city", other !== undefined && random.chance(0.5) ? other : city);
}

function codeOf({ postalCode, houseNumber }: Address): MatchQuery {
  return { ...known("postalCode", postalCode), ...known("houseNumber", houseNumber) };
}

function changed(name: string, other: string): string | undefined {
  return other === name ? undefined : other;
}

function firstCharacters(name: string): string {
  return [...name].slice(0, MAX_LENGTH).join("").trimEnd();
}

/** A way of typing that search is measured with. */
function typed(id: string): QueryClass["type"] {
  const found = CLASSES.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`there is no way of typing ${id}`);
  return found.type;
}

/** Omits, doubles, swaps or changes one letter. */
export function makeTypo(name: TypedName, random: Random): string | undefined {
  const places = name.words.flatMap((word, place) => (lengthOf(word) >= MIN_TYPO_WORD ? [place] : []));
  for (let tries = 0; tries < MAX_TRIES && places.length > 0; tries++) {
    const place = random.pick(places);
    const word = name.words[place] ?? "";
    const other = withTypo([...word], random);
    if (normalise(other) !== normalise(word)) return withWords(name, place, 1, other);
  }
  return undefined;
}

function withTypo(letters: readonly string[], random: Random): string {
  const place = random.pick(letters.flatMap((one, index) => (/\p{L}|\p{N}/u.test(one) ? [index] : [])));
  const letter = letters[place] ?? "";
  const lower = letter.toLowerCase();
  const wrong = otherLetter(lower, random);
  const next = letters[place + 1] ?? "";
  const replacements = [
    [1, []],
    [1, [letter, lower]],
    [2, [next, letter]],
    [1, [letter === lower ? wrong : wrong.toUpperCase()]],
  ] as const;
  const [count, written] = random.pick(replacements);
  return letters.toSpliced(place, count, ...written).join("");
}

const ABBREVIATIONS: readonly Rule[] = `
  Stichting=St. Vereniging=Ver. Maatschappij=Mij. Gebroeders=Gebr. Administratiekantoor=Adm.kant. Koninklijke=Kon.
  International=Int. Internationaal=Int. Internationale=Int. Nederland=Ned. Nederlandse=Ned. Netherlands=Ned.
  Holding=Hold. Holdings=Hold. Management=Mgt. Services=Serv. Technologies=Techn. Technology=Techn.
`
  .trim()
  .split(/\s+/)
  .map((pair) => {
    const [word = "", short = ""] = pair.split("=");
    return [new RegExp(`(?<!\\S)${word}(?!\\S)`, "giu"), short];
  });

/**
 * Abbreviates one word as is customary, at a random place. A name without such a word gets a long one cut before a
 * vowel, in about the middle, but never its only word.
 */
function abbreviate(name: TypedName, random: Random): string | undefined {
  const customary = rewrites(name.name, ABBREVIATIONS);
  if (customary.length > 0) return random.pick(customary);
  const cuts = name.words.flatMap((word, place) => {
    const [start] = /^\p{L}{3,}?[^aeiouy\P{L}](?=[aeiouy])/iu.exec(word.slice(0, -2)) ?? [];
    const isLong = lengthOf(word) >= MIN_CUT_WORD && name.words.length > 1;
    return start === undefined || !isLong ? [] : [withWords(name, place, 1, `${start}.`)];
  });
  return cuts.length === 0 ? undefined : random.pick(cuts);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "'": "&#39;",
  '"': "&quot;",
  "’": "&rsquo;",
  é: "&eacute;",
  ë: "&euml;",
  ö: "&ouml;",
};
const ENTITY_LETTERS = new RegExp(`[${Object.keys(ENTITIES).join("")}]`, "g");

function addNoise(name: string, city: string, random: Random): string {
  const escaped = name.replace(ENTITY_LETTERS, (letter) => ENTITIES[letter] ?? letter);
  const attention = ["t.a.v. afd. inkoop", "t.a.v. de heer Jansen", "TAV crediteurenadministratie"];
  const departments = ["afd. Inkoop", "Afdeling Personeelszaken", "Finance Department", "- Accounts Payable"];
  const written = [
    [`${name} ${random.pick(attention)}`, `${name}, ${random.pick(attention)}`],
    [`p/a ${name}`, `${name} p/a administratie`, `c/o ${name}`],
    departments.map((department) => `${name} ${department}`),
    [`${name} ${city}`, `${name} (${city})`, `${name}, ${city}`, `${name} - ${city}`],
    ...(escaped === name ? [] : [[escaped]]),
  ];
  return random.pick(random.pick(written));
}
