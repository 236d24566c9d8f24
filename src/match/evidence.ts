import type { CompanyFacts } from "../company/facts.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { normalise, withoutSpaces } from "../search/normalise.ts";
import { type Alignment, align, type Relation, type WordMatch } from "./alignment.ts";
import type { NameCandidate } from "./candidates.ts";
import { editDistance } from "./editDistance.ts";
import { groupOfForm, isShortForm, type NameParts, nameParts } from "./nameParts.ts";
import type { PreparedQuery } from "./preparedQuery.ts";

/**
 * The evidence for or against a candidate. Each is a number that a weight of weights.ts multiplies; the sum is the logarithm of the odds that the candidate
 * is meant rather than a company that is not in the registry.
 */
export const EVIDENCE = {
  any: "1 for every candidate",
  noName: "the query has no name",
  sameName: "the names are equal, legal form included",
  sameWords: "the names are equal without their legal forms",
  chance: "shared words are so common that some company has them by chance: nats below ln(names)",
  surplus: "shared words are rarer than that: nats above ln(names), at most 8",
  missingInQuery: "words of the name that the query lacks, nats",
  missingInName: "words of the query that the name lacks, nats",
  missingCount: "number of these words",
  cutOff: "words of the name behind the place where a long query ends, nats; not counted as missing",
  share: "share of the shared words in the information of both names",
  groupInQuery: "the query names a holding, a foundation's office or another part of a group",
  groupInName: "only the registered name does",
  placeInQuery: "the query has another place or country in its name",
  placeInName: "only the registered name has a place or country",
  number: "the names have different numbers, or only one has a number",
  joined: "words with other spaces",
  variant: "synonyms or customary abbreviations",
  short: "other abbreviations, and a last word that was cut off",
  initials: "initials for words",
  oneEdit: "words with one typo",
  twoEdits: "words with two typos",
  shortTypo: "typos in words of at most five letters",
  order: "the words have another order",
  otherForm: "another legal form",
  missingForm: "only one name states a legal form",
  city: "the city is the same: 1, with one typo 0.5",
  cityInformation: "the same city, nats: more for a small one",
  otherCity: "another city",
  cityInName: "the name of the query contains the candidate's city",
  postalCode: "the same postal code",
  postalArea: "the same four digits only",
  otherPostalCode: "another postal code",
  houseNumber: "the same house number at the same postal code or street",
  otherHouseNumber: "another house number there",
  street: "the same street: 1, similar: 0.5",
  otherStreet: "another street",
  website: "the same website: 1, a website that is the name: 0.5",
  otherWebsite: "another website",
  inactive: "the company has ended",
  otherName: "a trading or statutory name, not the main name",
} as const;

export type EvidenceName = keyof typeof EVIDENCE;
export const EVIDENCE_NAMES = Object.keys(EVIDENCE) as readonly EvidenceName[];

/** Only what is not 0. */
export type Evidence = { [Name in EvidenceName]?: number };

/** A name of a company that is compared with a query. */
export interface ComparedName extends NameCandidate {
  readonly parts: NameParts;
  readonly evidence: Evidence;
  /** 0 to 1: how much of both names is shared, typos included. Undefined without a name. */
  readonly nameShare: number | undefined;
}

/** A company that may be meant, with its name that fits best. */
export interface Compared extends ComparedName {
  readonly kvkNumber: KvkNumber;
}

/** Words that distinguish companies of one group, which otherwise have the same name. */
const GROUP_WORDS = new Set(
  "holding holdings beheer groep group management beleggingen beleggingsmaatschappij participaties participatie administratiekantoor stak vastgoed onroerend pensioenfonds pensioen investments invest exploitatie services service trading ventures capital finance international products production operations".split(
    " ",
  ),
);
const COUNTRY_WORDS = new Set(
  "nederland nederlandse netherlands holland dutch benelux belgie europe european europa emea international nl eu noord zuid oost west".split(
    " ",
  ),
);
/** Lower bounds keep one word from deciding alone. */
const MAX_MISSING = 9;
const MAX_MISSING_IN_ALL = 18;
const MAX_SURPLUS = 8;
const MIN_CHANCE = -12;
const MAX_SHORT_TYPO_LENGTH = 5;
/** How much of a word's information each relation keeps; for typos see {@link keptBy}. */
const KEPT: Readonly<Record<Exclude<Relation, "oneEdit" | "twoEdits">, number>> = {
  equal: 1,
  joined: 1,
  variant: 0.9,
  short: 0.7,
  initials: 0.3,
};

/** The share of its information that a matched word keeps. A typo in a long word leaves more. @param letters of the matched words */
function keptBy(relation: Relation, letters: number): number {
  if (relation === "oneEdit") return 1 - 1 / letters;
  return relation === "twoEdits" ? 1 - 2 / letters : KEPT[relation];
}

/** Compares a query with a name: its words, city, postal code and status. */
export function compareName(query: PreparedQuery, candidate: NameCandidate, names: number): ComparedName {
  const { index, rank, text } = candidate;
  const { records } = index;
  const parts = nameParts(text);
  const evidence: Evidence = { any: 1 };
  const place = placeOf(query, candidate);
  Object.assign(evidence, place);
  if (!records.isActive(rank)) evidence.inactive = 1;
  if (text !== records.text(index.mainRank(rank))) evidence.otherName = 1;
  if (query.name === undefined)
    return { ...candidate, parts, evidence: { ...evidence, noName: 1 }, nameShare: undefined };
  const alignment = align(query.name, parts);
  const city = normalise(records.cities.text(rank) ?? "");
  const nameShare = addNameEvidence(evidence, query, parts, alignment, { city, names });
  const form = parts.form ?? groupOfForm(records.legalForm(rank));
  if (query.name.form !== undefined && form !== undefined && query.name.form !== form) evidence.otherForm = 1;
  else if (query.name.form !== parts.form) evidence.missingForm = 1;
  return { ...candidate, parts, evidence, nameShare };
}

/** Adds what the words of both names prove. @returns the share of the information that both have */
function addNameEvidence(
  evidence: Evidence,
  { name: query, informationOf, fields }: PreparedQuery,
  name: NameParts,
  { matches, unmatchedQuery, unmatchedName, isInOrder }: Alignment,
  { city, names }: { readonly city: string; readonly names: number },
): number {
  if (query === undefined) return 0;
  let shared = 0;
  let whole = 0;
  for (const { relation, name: positions } of matches) {
    const words = positions.map((at) => name.words[at] ?? "");
    const information = words.reduce((sum, word) => sum + informationOf(word), 0);
    whole += information;
    shared += keptBy(relation, words.join("").length) * information;
    if (relation === "equal") continue;
    // A list that abbreviates one word abbreviates others too.
    evidence[relation] = relation === "variant" ? 1 : (evidence[relation] ?? 0) + 1;
    if (relation.endsWith("Edit") || relation.endsWith("Edits")) {
      if ((words[0]?.length ?? 0) <= MAX_SHORT_TYPO_LENGTH)
        evidence.shortTypo = (evidence.shortTypo ?? 0) + 1;
    }
  }
  const cityWords = new Set(city.split(" "));
  const askedCity = new Set(normalise(fields.city ?? "").split(" "));
  const missing = { query: 0, name: 0, count: 0 };
  const digits = { query: false, name: false };
  for (const at of unmatchedQuery) {
    const word = query.words[at] ?? "";
    if (cityWords.has(word)) {
      evidence.cityInName = 1;
      continue;
    }
    if (isShortForm(word, name.form) || (query.isCut && at === query.words.length - 1 && word.length <= 2))
      continue;
    missing.query += Math.min(informationOf(word), MAX_MISSING);
    missing.count++;
    if (GROUP_WORDS.has(word)) evidence.groupInQuery = 1;
    if (COUNTRY_WORDS.has(word)) evidence.placeInQuery = 1;
    digits.query ||= /[0-9]/.test(word);
  }
  const end = query.isCut && missing.count === 0 && isInOrder ? lastMatched(matches) : name.words.length;
  for (const at of unmatchedName) {
    const word = name.words[at] ?? "";
    if (isShortForm(word, query.form)) continue;
    if (at > end) {
      evidence.cutOff = Math.min((evidence.cutOff ?? 0) + informationOf(word), MAX_MISSING_IN_ALL);
      continue;
    }
    if (askedCity.has(word) || (cityWords.has(word) && word.length > 3)) {
      evidence.placeInName = 1;
      continue;
    }
    missing.name += Math.min(informationOf(word), MAX_MISSING);
    missing.count++;
    if (GROUP_WORDS.has(word)) evidence.groupInName = 1;
    if (COUNTRY_WORDS.has(word)) evidence.placeInName = 1;
    digits.name ||= /[0-9]/.test(word);
  }
  if (digits.query || digits.name) evidence.number = 1;
  const areEqual = missing.count === 0 && isInOrder && matches.every(({ relation }) => relation === "equal");
  if (areEqual) evidence.sameWords = 1;
  if (query.normal === name.normal) evidence.sameName = 1;
  if (!isInOrder) evidence.order = 1;
  const surplus = shared - Math.log(names);
  evidence.chance = Math.max(MIN_CHANCE, Math.min(0, surplus));
  evidence.surplus = Math.min(MAX_SURPLUS, Math.max(0, surplus));
  evidence.missingInName = Math.min(missing.query, MAX_MISSING_IN_ALL);
  evidence.missingInQuery = Math.min(missing.name, MAX_MISSING_IN_ALL);
  evidence.missingCount = missing.count;
  evidence.share = (2 * shared) / Math.max(1e-9, 2 * whole + missing.query + missing.name);
  return evidence.share;
}

function lastMatched(matches: readonly WordMatch[]): number {
  return Math.max(...matches.flatMap(({ name }) => name));
}

function placeOf(query: PreparedQuery, { index, rank }: NameCandidate): Evidence {
  const evidence: Evidence = {};
  const { records } = index;
  const city = records.cities.text(rank);
  if (query.cityWord !== undefined && city !== undefined) {
    const term = index.cityTerm([query.cityWord]);
    if (term.matches(rank)) {
      evidence.city = 1;
      evidence.cityInformation = Math.log((index.names + 1) / (term.maxNames + 1));
    } else if (areSimilar(query.fields.city ?? "", city)) evidence.city = 0.5;
    else evidence.otherCity = 1;
  }
  const postalCode = records.postalCodes.text(rank);
  if (query.postalCode !== undefined && postalCode !== undefined) {
    if (postalCode === query.postalCode) evidence.postalCode = 1;
    else if (postalCode.slice(0, 4) === query.postalCode.slice(0, 4)) evidence.postalArea = 1;
    else evidence.otherPostalCode = 1;
  }
  return evidence;
}

const MIN_SIMILAR_LENGTH = 5;

/** Whether two texts differ by at most one typo. */
function areSimilar(one: string, other: string): boolean {
  const [a, b] = [normalise(one), normalise(other)];
  return a === b || (Math.min(a.length, b.length) >= MIN_SIMILAR_LENGTH && editDistance(a, b, 1) <= 1);
}

/** Compares the fields that are not in the index. Of a shielded address only the city is known. */
export function factEvidence({ fields }: PreparedQuery, facts: CompanyFacts, own: Evidence): Evidence {
  const evidence: Evidence = {};
  const { street, houseNumber } = facts.address ?? {};
  if (fields.street !== undefined && street !== undefined) {
    const similarity = streetSimilarity(fields.street, street);
    if (similarity > 0) evidence.street = similarity;
    else evidence.otherStreet = 1;
  }
  if (fields.houseNumber !== undefined && houseNumber !== undefined && (own.postalCode ?? evidence.street)) {
    if (digitsOf(fields.houseNumber) === digitsOf(houseNumber)) evidence.houseNumber = 1;
    else evidence.otherHouseNumber = 1;
  }
  return { ...evidence, ...websiteEvidence(fields.website, facts) };
}

const digitsOf = (text: string) => /[0-9]+/.exec(text)?.[0];

/** Endings of streets that are often abbreviated. */
const STREET_ENDS: readonly (readonly [RegExp, string])[] = [
  [/str\b/g, "straat"],
  [/ln\b/g, "laan"],
  [/pln\b/g, "plein"],
  [/wg\b/g, "weg"],
  [/^burg\b/g, "burgemeester"],
  [/^dr\b/g, "doctor"],
  [/^prof\b/g, "professor"],
];

function streetSimilarity(one: string, other: string): number {
  const [a, b] = [one, other].map((street) =>
    withoutSpaces(STREET_ENDS.reduce((text, [short, long]) => text.replace(short, long), normalise(street))),
  );
  if (a === undefined || b === undefined) return 0;
  if (a === b) return 1;
  return editDistance(a, b, 2) <= (a.length >= 8 ? 2 : 1) || a.endsWith(b) || b.endsWith(a) ? 0.5 : 0;
}

function websiteEvidence(website: string | undefined, facts: CompanyFacts): Evidence {
  const host = website === undefined ? undefined : hostOf(website);
  if (host === undefined) return {};
  const hosts = (facts.websites ?? []).map(hostOf);
  if (hosts.includes(host)) return { website: 1 };
  const label = normalise(host.split(".").at(-2) ?? "").replaceAll(" ", "");
  const names = [facts.name, facts.statutoryName ?? "", ...(facts.tradingNames ?? [])];
  if (names.some((name) => withoutSpaces(nameParts(name).words.join("")) === label)) return { website: 0.5 };
  return hosts.length > 0 ? { otherWebsite: 1 } : {};
}

/** `example.nl` for `https://www.example.nl/contact` */
function hostOf(website: string): string | undefined {
  const host = website
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .replace(/^www\./, "")
    .replace(/[/?#:].*$/s, "");
  return /^[^\s.]+(?:\.[^\s.]+)+$/.test(host) ? host : undefined;
}
