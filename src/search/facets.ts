import type { SbiVersion } from "../contract/activities.ts";
import type { Activity } from "../contract/resources.ts";
import { normalise, withoutSpaces } from "./normalise.ts";

/** An SBI code, with its version where it is known. */
export type VersionedCode = Pick<Activity, "sbiCode" | "sbiVersion">;

/**
 * Facets are indexed as words too. Their first character marks the kind of facet and never occurs in a normalised text.
 */
export const FACET_MARKERS = { city: "@", postalCode: "#", sbiCode: "%", legalForm: "$" } as const;

const FACET_MARKER_BYTES = new Set(Object.values(FACET_MARKERS).map((sign) => sign.charCodeAt(0)));

/** Whether a first byte marks a facet rather than a word of a name. */
export function isFacetMarker(byte: number): boolean {
  return FACET_MARKER_BYTES.has(byte);
}

/** Informal and English names of cities, and the official ones. */
const CITY_ALIASES: Readonly<Record<string, string>> = {
  denhaag: "gravenhage",
  thehague: "gravenhage",
  denbosch: "hertogenbosch",
};

/** Provinces, which distinguish cities with the same name, and their abbreviations. */
const PROVINCES: Readonly<Record<string, string>> = {
  gr: "gr|gn|gron|groningen",
  fr: "fr|frl|friesland|frijslan",
  dr: "dr|drenthe",
  ov: "ov|overijssel",
  fl: "fl|flevoland",
  gld: "gld|ge|gelderland",
  ut: "ut|utr|utrecht",
  nh: "nh|n h|noord holland",
  zh: "zh|z h|zuid holland",
  zld: "zld|ze|zeeland",
  nb: "nb|n b|nbr|n br|noord brabant",
  lb: "lb|l|limburg",
};
const PROVINCE_OF = new Map(
  Object.entries(PROVINCES).flatMap(([province, ways]) => ways.split("|").map((way) => [way, province])),
);
const PROVINCE_WAYS = [...PROVINCE_OF];
const PROVINCE = [...PROVINCE_OF.keys()].join("|");
const CITY_WITH_PROVINCE = new RegExp(`^(.+?) (gem .+|${PROVINCE})$`, "s");
/** Separates a city from its province or municipality. Never occurs in a normalised text. */
export const PROVINCE_SEPARATOR = "(";

/** Abbreviations in names of cities: `Hoek v. Holland`. */
const CITY_ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/(?<![^ ])(?:st|sinte)(?= )/g, "sint"],
  [/(?<=[^ ] )(?:aan|a)(?: (?:d|den?|der|het|t))?(?![^ ])|(?<=[^ ] )ad(?![^ ])/g, "aan"],
  [/(?<= aan )z$|(?<=[^ ] )az$/, "zee"],
  [/(?<=[^ ] )v(?= )/g, "van"],
  [/(?<=[^ ] )o(?= )/g, "op"],
  [/(?<=[^ ] )b(?= )/g, "bij"],
  [/^het (?=.)/, "t "],
];
/** A cheap first test, which most city names do not match. */
const IS_SPECIAL = new RegExp(`(?<![^ ])(?:st|sinte|aan|a|ad|az|v|o|b|het|gem|${PROVINCE})(?![^ ])`);
/** The article of `'s-Gravenhage`, which is often omitted. */
const GENITIVE = /^s(?=graven|gravel|hertogen|heer)/;

export function cityWord(city: string): string | undefined {
  return normalCityWord(normalise(city));
}

/**
 * Returns the facet word of a normalised city name. Variants have the same word: `Capelle a/d IJssel` and
 * `Capelle aan den IJssel`, `Den Bosch` and `'s-Hertogenbosch`. A province follows {@link PROVINCE_SEPARATOR}:
 * `Rijswijk (GLD)`.
 */
export function normalCityWord(normal: string): string | undefined {
  const isSpecial = IS_SPECIAL.test(normal);
  const [, city = normal, suffix = ""] = (isSpecial && CITY_WITH_PROVINCE.exec(normal)) || [];
  const expanded = isSpecial
    ? CITY_ABBREVIATIONS.reduce((text, [short, replacement]) => text.replace(short, replacement), city)
    : city;
  const key = withoutSpaces(expanded).replace(GENITIVE, "");
  if (key === "") return undefined;
  const province =
    suffix === "" ? "" : PROVINCE_SEPARATOR + (PROVINCE_OF.get(suffix) ?? withoutSpaces(suffix));
  return FACET_MARKERS.city + (CITY_ALIASES[key] ?? key) + province;
}

/** Returns the facet words of a partly typed city, including cities with a matching alias. */
export function partialCityWords(normal: string): string[] {
  const word = normalCityWord(normal);
  if (word === undefined) return [];
  const typed = word.slice(FACET_MARKERS.city.length);
  const others = Object.entries(CITY_ALIASES).filter(([alias]) => alias.startsWith(typed));
  return [word, ...others.map(([, city]) => FACET_MARKERS.city + city)];
}

/** Returns the facet words of a city with a province that is still being typed: `bergen (n`, `rijswijk zuid-h`. */
export function citiesWithPartialProvince(words: readonly string[]): string[] {
  return [1, 2].flatMap((count) => {
    const mark = words.slice(-count).join(" ");
    const provinces = PROVINCE_WAYS.filter(([way]) => words.length > count && way.startsWith(mark));
    if (provinces.length === 0) return [];
    const city = normalCityWord(words.slice(0, -count).join(" ")) ?? PROVINCE_SEPARATOR;
    const cities = provinces.map(([, province]) => city + PROVINCE_SEPARATOR + province);
    return city.includes(PROVINCE_SEPARATOR) ? [] : [...new Set(cities)];
  });
}

/** Returns the facet word of a postal code or its prefix; undefined without a letter or digit. */
export function postalCodeWord(postalCode: string): string | undefined {
  const key = postalCode.toLowerCase().replace(/[^a-z0-9]/g, "");
  return key === "" ? undefined : FACET_MARKERS.postalCode + key;
}

/** Follows the digits of an SBI code in its facet word, if its version is known. */
const VERSION_ENDS: Readonly<Record<SbiVersion, string>> = { "2008": "a", "2025": "b" };

/** Returns the facet word of an activity. */
export function activityWord({ sbiCode, sbiVersion }: VersionedCode): string | undefined {
  const word = sbiWord(sbiCode);
  return word && word + (sbiVersion === undefined ? "" : VERSION_ENDS[sbiVersion]);
}

/** Whether an indexed facet word of an activity is of a version. */
export function isOfVersion(word: string, version: SbiVersion): boolean {
  return word.endsWith(VERSION_ENDS[version]);
}

/** Returns the prefix of the facet words of an SBI code or its beginning, with or without dots. */
export function sbiWord(sbiCode: string): string | undefined {
  const key = sbiCode.replace(/[^0-9]/g, "");
  return key === "" ? undefined : FACET_MARKERS.sbiCode + key;
}

export function legalFormWord(legalForm: string): string {
  return FACET_MARKERS.legalForm + legalForm.toLowerCase();
}
