import type { Company, Insolvency } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import type { Answer, MaybePromise } from "./answer.ts";

/** The insolvency of companies, where it is known. */
export interface InsolvencySource {
  /** @throws {StoreUnavailable} (the promise) */
  of(kvkNumbers: readonly string[]): MaybePromise<ReadonlyMap<string, Insolvency>>;
}

/** A company of a batch. */
interface Item {
  readonly sent: string;
  readonly answer: Answer<Company> | { readonly kind: "invalid" };
}

/** Adds its insolvency to an enriched company. */
export function withInsolvency(source: InsolvencySource, company: Company): MaybePromise<Answer<Company>> {
  const { kvkNumber } = company;
  return mapped(source.of([kvkNumber]), (found) => ({
    kind: "found",
    found: { ...company, ...known("insolvency", found.get(kvkNumber)) },
  }));
}

/** Adds their insolvency to the companies of a batch. */
export function withInsolvencies(
  source: InsolvencySource,
  items: readonly Item[],
): MaybePromise<Answer<readonly Item[]>> {
  const numbers = items.flatMap(({ answer }) => (answer.kind === "found" ? answer.found.kvkNumber : []));
  return mapped(source.of(numbers), (insolvencies) => ({
    kind: "found",
    found: items.map((item) => {
      if (item.answer.kind !== "found") return item;
      const company = item.answer.found;
      const insolvency = insolvencies.get(company.kvkNumber);
      return insolvency === undefined
        ? item
        : { ...item, answer: { kind: "found", found: { ...company, insolvency } } };
    }),
  }));
}

function mapped<T, U>(value: MaybePromise<T>, map: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(map) : map(value);
}
