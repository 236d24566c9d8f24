import { describedActivity, withVersions } from "../company/activities.ts";
import type { Insolvency } from "../contract/insolvency.ts";
import { type Company, OPEN_DATA_FIELDS, type Source } from "../contract/resources.ts";
import { OPEN_DATA_ORIGIN } from "../kvk/liveSource.ts";
import type { StoredOpenData } from "../kvk/openData/queries.ts";
import { known } from "../lib/values.ts";
import type { Answer, MaybePromise } from "./answer.ts";
import type { InsolvencyRule } from "./companyInsolvency.ts";

/** The answers of KVK's open data, where there are any. */
export interface OpenDataSource {
  /** @throws {StoreUnavailable} (the promise) */
  of(kvkNumbers: readonly string[]): MaybePromise<ReadonlyMap<string, StoredOpenData>>;
}

/** The sources of an enriched company next to the registry; each may be off. */
export interface Additions {
  readonly openData?: OpenDataSource | undefined;
  /** Undefined without the court's register. */
  readonly insolvency?: InsolvencyRule | undefined;
}

/** A company of a batch. */
interface Item {
  readonly sent: string;
  readonly answer: Answer<Company> | { readonly kind: "invalid" };
}

/** Adds KVK's open data and the insolvency to an enriched company. */
export function withAdditions(additions: Additions, company: Company): MaybePromise<Answer<Company>> {
  const { kvkNumber } = company;
  return mapped(openDataOf(additions, [kvkNumber]), (found) => ({
    kind: "found",
    found: completed(company, found.get(kvkNumber), additions.insolvency),
  }));
}

/** Adds KVK's open data and the insolvency to the companies of a batch. */
export function withAdditionsInBatch(
  additions: Additions,
  items: readonly Item[],
): MaybePromise<Answer<readonly Item[]>> {
  const numbers = items.flatMap(({ answer }) => (answer.kind === "found" ? answer.found.kvkNumber : []));
  return mapped(openDataOf(additions, numbers), (answers) => ({
    kind: "found",
    found: items.map((item) => {
      if (item.answer.kind !== "found") return item;
      const company = item.answer.found;
      const found = completed(company, answers.get(company.kvkNumber), additions.insolvency);
      return found === company ? item : { ...item, answer: { kind: "found", found } };
    }),
  }));
}

/** Returns the answers of KVK's open data about some companies. */
export function openDataOf(
  { openData }: Additions,
  kvkNumbers: readonly string[],
): ReturnType<OpenDataSource["of"]> {
  return openData === undefined ? new Map() : openData.of(kvkNumbers);
}

/** Returns the insolvency that KVK's open data reports. */
export function statedInsolvency(answer: StoredOpenData | undefined): Insolvency | undefined {
  if (answer?.insolvency === undefined) return undefined;
  const observedAt = new Date(answer.observedAtMs).toISOString();
  return { type: answer.insolvency, observedAt, source: OPEN_DATA_ORIGIN };
}

/** Returns the company with its insolvency, and with the fields that no other origin has. */
function completed(company: Company, answer: StoredOpenData | undefined, rule?: InsolvencyRule): Company {
  const stated = statedInsolvency(answer);
  const insolvency = rule === undefined ? stated : rule.of(company, stated);
  const withFields = answer === undefined ? company : withOpenDataFields(company, answer);
  return insolvency === undefined ? withFields : { ...withFields, insolvency };
}

function withOpenDataFields(company: Company, answer: StoredOpenData): Company {
  const observedAt = new Date(answer.observedAtMs).toISOString();
  const dated = { origin: OPEN_DATA_ORIGIN, asOfMs: answer.observedAtMs };
  const { activities, startDate } = withVersions(answer, dated);
  const { source } = company;
  const stated = {
    ...known("activities", activities?.map(describedActivity)),
    ...known("startDate", startDate),
  };
  const fields = OPEN_DATA_FIELDS.filter(
    (field) => source !== undefined && stated[field] !== undefined && company[field] === undefined,
  );
  const openData: Source["openData"] = fields.length === 0 ? undefined : { fields, observedAt };
  return {
    ...company,
    ...Object.fromEntries(fields.map((field) => [field, stated[field]])),
    ...known("source", source && { ...source, ...known("openData", openData) }),
  };
}

function mapped<T, U>(value: MaybePromise<T>, map: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(map) : map(value);
}
