/** The numbers of a query: which companies have them, and which contradict them or the name. */
import type { CompanyFacts } from "../company/facts.ts";
import type { MatchNote } from "../contract/matchResources.ts";
import { euidOf, type KvkNumber, kvkNumberOf, kvkNumberOfEuid } from "../contract/numbers.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import type { NameCandidate } from "./candidates.ts";
import type { Compared } from "./comparison.ts";
import { NUMBER_FIELDS, NUMBER_LABELS, type NumberField } from "./numberFields.ts";
import type { MatchQuery } from "./types.ts";

type FactsOf = (kvkNumber: KvkNumber) => CompanyFacts | undefined;

/** Returns the companies that have a number of the query, one name each. */
export function companiesWithNumber(
  indexes: readonly NameIndex[],
  fields: MatchQuery,
  field: NumberField,
  factsOf: FactsOf,
): NameCandidate[] {
  const number = fields[field];
  if (number === undefined) return [];
  const rsin = rsinOfVatNumber(number);
  return indexes.flatMap((index) => {
    const rank = index.numbers.rankOf(Number(kvkNumberOfEuid(number) ?? number));
    const ranks =
      field === "kvkNumber" || field === "euid"
        ? rank !== undefined && index.isShown(rank)
          ? [rank]
          : []
        : [...new Set([number, rsin ?? number].flatMap((one) => [...index.withNumber(one)]))];
    return ranks
      .filter((one) => {
        const kvkNumber = kvkNumberOf(index.records.kvk(one));
        return hasNumber(fields, field, kvkNumber, factsOf(kvkNumber)) === true;
      })
      .map((one) => ({ index, rank: one, text: index.records.text(one) }));
  });
}

/**
 * Whether a company has a number of a query. Undefined if the query or the registry does not state it. A VAT number is
 * the company's if the registry states it or if it contains the RSIN.
 */
export function hasNumber(
  fields: MatchQuery,
  field: NumberField,
  kvkNumber: KvkNumber,
  facts: CompanyFacts | undefined,
): boolean | undefined {
  const number = fields[field];
  if (number === undefined) return undefined;
  if (field === "kvkNumber") return number === kvkNumber;
  if (field === "euid") return number === euidOf(kvkNumber);
  const stated = {
    rsin: [facts?.rsin],
    vatNumber: [facts?.vatNumber, facts?.rsin],
    lei: [facts?.identifiers?.lei],
  };
  const own = stated[field];
  const given = [number, rsinOfVatNumber(number)];
  const known = own.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known.some((one) => given.includes(one));
}

/** The RSIN in the VAT number of a legal person. */
function rsinOfVatNumber(vatNumber: string): string | undefined {
  return /^NL([0-9]{9})B[0-9]{2}$/.exec(vatNumber)?.[1];
}

/** The share of the names below which a company with the right number has another name. */
const MIN_NAME_SHARE = 0.3;

/**
 * Whether the name of a company with a number of the query may be the query's, misspelled, shortened or with other
 * words around it.
 */
export function agreesInName({ name, evidence }: Compared): boolean {
  if (name === undefined || name.fit === "around") return true;
  return name.fit !== "apart" && (name.share >= MIN_NAME_SHARE || evidence.initials !== undefined);
}

/** A company with a number of the query. */
export interface Holder extends Compared {
  readonly fields: readonly NumberField[];
}

/** Says what is unusual about the numbers of a query. @param rival another company has the whole name of the query */
export function numberNotes(query: MatchQuery, holders: readonly Holder[], hasRival: boolean): MatchNote[] {
  const notes: MatchNote[] = [];
  for (const field of NUMBER_FIELDS) {
    if (query[field] === undefined) continue;
    const label = NUMBER_LABELS[field];
    const own = holders.filter(({ fields }) => fields.includes(field));
    if (own.length === 0)
      notes.push({ code: "number_unknown", message: `no company of this registry has the ${label}` });
    if (own.length > 1) notes.push({ code: "number_shared", message: `several companies have the ${label}` });
    if (own.length > 0 && own.every((one) => (hasRival || !agreesInName(one)) && !one.evidence.otherForm))
      notes.push({ code: "name_differs", message: `the ${label} belongs to a company with another name` });
  }
  if (holders.some(({ isOtherNumber }) => isOtherNumber === true))
    notes.push({ code: "numbers_differ", message: "the numbers belong to different companies" });
  return notes;
}
