/**
 * The evidence for or against a candidate. Each is a number that a weight of weights.ts multiplies; the sum is the
 * logarithm of the odds that the candidate is meant rather than a company that is not in the registry.
 */
export const EVIDENCE = {
  any: "1 for every candidate",
  noName: "the query has no name",
  sameName: "the names are equal, legal form included",
  sameWords: "the names are equal without their legal forms",
  chance: "shared words are so common that some company has them by chance: nats below ln(names)",
  surplus: "shared words are rarer than that: nats above ln(names), at most 8",
  missingInName: "words of the query that the name lacks, nats",
  missingCount: "number of words that only one of both has",
  stopWords: "number of `de`, `van` and similar words that only one of both has; not counted as missing",
  cutOff: "words of the name behind the place where a long query ends, nats; not counted as missing",
  share: "share of the shared words in the information of both names",
  groupInQuery: "the query names a holding, a foundation's office or another part of a group",
  groupInName: "only the registered name does",
  placeInQuery: "the query has another place or country in its name",
  placeInName: "only the registered name has a place or country",
  number: "the names have different numbers or numbering letters, or only one has any",
  joined: "words with other spaces",
  variant: "synonyms or customary abbreviations",
  short: "other abbreviations, and a last word that was cut off",
  initials: "initials for words",
  oneEdit: "words with one typo",
  twoEdits: "words with two typos",
  shortTypo: "typos in words of at most five letters",
  order: "the words have another order",
  otherForm: "another legal form",
  convertedForm: "a B.V. for a partnership or a sole trader, or the other way round: companies convert",
  missingForm: "only one name states a legal form",
  city: "the city is the same: 1, with one typo 0.5",
  cityInformation: "the same city, nats: more for a small one",
  otherCity: "another city",
  cityInName: "the name of the query contains the candidate's city, not before a legal form",
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
