import type { CompanyFacts } from "../company/facts.ts";
import { normalise, withoutSpaces } from "../search/normalise.ts";
import { normalStreet } from "../search/streetText.ts";
import type { NameCandidate } from "./candidates.ts";
import { editDistance } from "./editDistance.ts";
import type { Evidence } from "./evidence.ts";
import { nameParts } from "./nameParts.ts";
import type { PreparedQuery } from "./preparedQuery.ts";

/** Compares city and postal code, which the index has. */
export function placeEvidence(query: PreparedQuery, { index, rank }: NameCandidate): Evidence {
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

/**
 * Compares street, house number and website, which are not in the index. Of a shielded address only the city is known.
 */
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

function streetSimilarity(one: string, other: string): number {
  const [a, b] = [one, other].map((street) => withoutSpaces(normalStreet(street)));
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
