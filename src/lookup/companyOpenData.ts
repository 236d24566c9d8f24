import { describedActivity, withVersions } from "../company/activities.ts";
import { type Company, OPEN_DATA_FIELDS, type Source } from "../contract/resources.ts";
import { OPEN_DATA_ORIGIN } from "../kvk/liveSource.ts";
import type { StoredOpenData } from "../kvk/openData/queries.ts";
import { known } from "../lib/values.ts";
import type { Answer, MaybePromise } from "./answer.ts";

/** The answers of KVK's open data, where there are any. */
export interface OpenDataSource {
  /** @throws {StoreUnavailable} (the promise) */
  of(kvkNumbers: readonly string[]): MaybePromise<ReadonlyMap<string, StoredOpenData>>;
}

/** A company of a batch. */
interface Item {
  readonly sent: string;
  readonly answer: Answer<Company> | { readonly kind: "invalid" };
}

/** Adds KVK's open data to an enriched company. */
export function withOpenData(source: OpenDataSource, company: Company): MaybePromise<Answer<Company>> {
  const { kvkNumber } = company;
  return mapped(source.of([kvkNumber]), (found) => ({
    kind: "found",
    found: completed(company, found.get(kvkNumber)),
  }));
}

/** Adds KVK's open data to the companies of a batch. */
export function withOpenDataInBatch(
  source: OpenDataSource,
  items: readonly Item[],
): MaybePromise<Answer<readonly Item[]>> {
  const numbers = items.flatMap(({ answer }) => (answer.kind === "found" ? answer.found.kvkNumber : []));
  return mapped(source.of(numbers), (answers) => ({
    kind: "found",
    found: items.map((item) => {
      if (item.answer.kind !== "found") return item;
      const company = item.answer.found;
      const found = completed(company, answers.get(company.kvkNumber));
      return found === company ? item : { ...item, answer: { kind: "found", found } };
    }),
  }));
}

/** The company with its insolvency, and with the fields that no other origin has. */
function completed(company: Company, answer: StoredOpenData | undefined): Company {
  if (answer === undefined) return company;
  const observedAt = new Date(answer.observedAtMs).toISOString();
  const dated = { origin: OPEN_DATA_ORIGIN, asOfMs: answer.observedAtMs };
  const { insolvency: type, activities, startDate } = withVersions(answer, dated);
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
    ...known("insolvency", type && { type, observedAt, source: OPEN_DATA_ORIGIN }),
  };
}

function mapped<T, U>(value: MaybePromise<T>, map: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(map) : map(value);
}
