import { normalise, squeeze } from "./normalise.ts";

/** Other criteria than names are indexed as words too, marked by a first character that no normalised text contains. */
export const SIGNS = { city: "@", postalCode: "#", sbiCode: "%", legalForm: "$" } as const;

const SIGN_BYTES = new Set(Object.values(SIGNS).map((sign) => sign.charCodeAt(0)));

/** Whether a byte begins such a marked word rather than a word of a name. */
export function isSignByte(byte: number): boolean {
  return SIGN_BYTES.has(byte);
}

/** Cities with two names in daily use: people type the second where registers write the first. */
const CITY_ALIASES: Readonly<Record<string, string>> = {
  denhaag: "gravenhage",
  thehague: "gravenhage",
  denbosch: "hertogenbosch",
};

/** The addition to a city name that several places share: its province, or its municipality behind `gem`. */
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
const PROVINCE = [...PROVINCE_OF.keys()].join("|");
const BEHIND_CITY = new RegExp(`^(.+?) (gem .+|${PROVINCE})$`);
/** Between the city and its province, or its municipality; no normalised text holds it. */
export const PROVINCE_SIGN = "(";

/** Abbreviated words in names of cities: `Hoek v. Holland`. */
const CITY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/(?<![^ ])(?:st|sinte)(?= )/g, "sint"],
  [/(?<=[^ ] )(?:aan|a)(?: (?:d|den?|der|het|t))?(?![^ ])|(?<=[^ ] )ad(?![^ ])/g, "aan"],
  [/(?<= aan )z$|(?<=[^ ] )az$/, "zee"],
  [/(?<=[^ ] )v(?= )/g, "van"],
  [/(?<=[^ ] )o(?= )/g, "op"],
  [/(?<=[^ ] )b(?= )/g, "bij"],
  [/^het (?=.)/, "t "],
];
/** A cheap first test: most names of cities have none of this. */
const IS_SPECIAL = new RegExp(`(?<![^ ])(?:st|sinte|aan|a|ad|az|v|o|b|het|gem|${PROVINCE})(?![^ ])`);
/** The article of `'s-Gravenhage`, which some leave out. */
const GENITIVE = /^s(?=graven|gravel|hertogen|heer)/;

export function cityWord(city: string): string | undefined {
  return normalCityWord(normalise(city));
}

/**
 * The same of a city that was normalised: `Capelle a/d IJssel` for `Capelle aan den IJssel`, `St.` for `Sint`, `Den Bosch` for `'s-Hertogenbosch`. The
 * province comes behind {@link PROVINCE_SIGN}: `Rijswijk (GLD)`.
 */
export function normalCityWord(normal: string): string | undefined {
  const isSpecial = IS_SPECIAL.test(normal);
  const [, city = normal, behind = ""] = (isSpecial && BEHIND_CITY.exec(normal)) || [];
  const written = isSpecial
    ? CITY_WORDS.reduce((text, [short, meant]) => text.replace(short, meant), city)
    : city;
  const key = squeeze(written).replace(GENITIVE, "");
  if (key === "") return undefined;
  const province = behind === "" ? "" : PROVINCE_SIGN + (PROVINCE_OF.get(behind) ?? squeeze(behind));
  return SIGNS.city + (CITY_ALIASES[key] ?? key) + province;
}

/** The words of cities that begin as somebody types one: its own, and those of cities with another name that begins so. */
export function partialCityWords(normal: string): string[] {
  const word = normalCityWord(normal);
  if (word === undefined) return [];
  const typed = word.slice(SIGNS.city.length);
  const others = Object.entries(CITY_ALIASES).filter(([alias]) => alias.startsWith(typed));
  return [word, ...others.map(([, city]) => SIGNS.city + city)];
}

/** A postal code or the start of one; undefined without a letter or digit. */
export function postalCodeWord(postalCode: string): string | undefined {
  const key = postalCode.toLowerCase().replace(/[^a-z0-9]/g, "");
  return key === "" ? undefined : SIGNS.postalCode + key;
}

/** An SBI code or the start of one, with or without dots. */
export function sbiWord(sbiCode: string): string | undefined {
  const key = sbiCode.replace(/[^0-9]/g, "");
  return key === "" ? undefined : SIGNS.sbiCode + key;
}

export function legalFormWord(legalForm: string): string {
  return SIGNS.legalForm + legalForm.toLowerCase();
}
