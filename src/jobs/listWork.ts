/** Looks up the numbers of a list, or matches its rows, and prices the results. */
import { enrichedCharge } from "../contract/enrichedCharge.ts";
import { ApiError } from "../contract/errors.ts";
import { type JobKind, priceOfItem } from "../contract/jobs.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import type { BasicCompany, Company } from "../contract/resources.ts";
import type { VatValidation } from "../contract/vatResources.ts";
import { known } from "../lib/values.ts";
import { type Answer, companyError, NOT_FINDABLE, noAnswer, paid, verdictUnknown } from "../lookup/answer.ts";
import type { BatchItem } from "../lookup/batch.ts";
import type { Lookup, RequesterRefused, VatVerdict } from "../lookup/lookup.ts";
import { parseVatQuery } from "../lookup/vatQuery.ts";
import { monitorResource } from "../monitors/monitorResource.ts";
import type { Monitors } from "../monitors/monitors.ts";
import { unpackRow } from "./matchRow.ts";
import type { ResultLine, ResultPlace } from "./results.ts";
import type { RowMatcher } from "./rowMatcher.ts";

/** The result of one item. `isOutage`: no source could answer; a retry may succeed. */
export interface ItemResult {
  readonly line: ResultLine;
  readonly charge: number;
  readonly isOutage: boolean;
}

/** The account of a list. */
export interface WorkOwner {
  readonly accountId: string;
  readonly keyId: string;
  readonly isTest?: true | undefined;
  readonly tierName: string;
}

interface ListWorkParts {
  readonly lookup: ListLookup;
  readonly rows: RowMatcher;
  readonly monitors: ListMonitors;
}

/** The lookups that lists use. */
export type ListLookup = Pick<Lookup, "basicBatch" | "enrichedBatch" | "verdict">;

/** The monitors that lists add to. */
export type ListMonitors = Pick<Monitors, "add" | "service">;

export class ListWork {
  readonly #lookup: ListLookup;
  readonly #rows: RowMatcher;
  readonly #monitors: ListMonitors;
  readonly #canChange: boolean;

  /** @param canChange whether a retry may give another result; false for test keys, whose results never change */
  constructor(
    { lookup, rows, monitors }: ListWorkParts,
    { canChange = true }: { readonly canChange?: boolean } = {},
  ) {
    this.#lookup = lookup;
    this.#rows = rows;
    this.#monitors = monitors;
    this.#canChange = canChange;
  }

  /**
   * Processes at most as many items as {@link LIST_KINDS} allows and returns the results in the same order. The caller has reserved their full price.
   * @throws {StoreUnavailable} (the promise) when the store cannot be reached
   */
  async answer(kind: JobKind, items: readonly string[], owner: WorkOwner): Promise<readonly ItemResult[]> {
    switch (kind) {
      case "match":
        return this.#matches(items, owner);
      case "monitor":
        return this.#addMonitors(items, owner);
      case "vat":
        return separately(items, async (item) => [await this.#verdict(item, owner)]);
      default:
        try {
          return await this.#companies(kind, items, owner);
        } catch (error) {
          // Some test numbers fail a whole call. In a list only that number fails.
          if (!(error instanceof ApiError)) throw error;
          return separately(items, (item) => this.#companies(kind, [item], owner));
        }
    }
  }

  async #companies(
    kind: Exclude<JobKind, "vat" | "match" | "monitor">,
    numbers: readonly string[],
    owner: WorkOwner,
  ): Promise<readonly ItemResult[]> {
    const asKvk = numbers.map(kvkDigitsOf);
    const answer =
      kind === "lookup"
        ? await paid(this.#lookup.basicBatch(asKvk), owner)
        : await paid(this.#lookup.enrichedBatch(asKvk), owner);
    const items: readonly BatchItem<BasicCompany | Company>[] =
      answer.kind === "found" ? answer.found : asKvk.map((sent) => ({ sent, answer }));
    const price = priceOfItem(kind);
    return items.map(({ sent, answer }, index) => {
      const number = numbers[index] ?? sent;
      if (answer.kind !== "found") {
        const isOutage =
          answer.kind === "no-registry" || (answer.kind === "unavailable" && answer.cause !== "request");
        return failed({ number }, companyError(number, answer), isOutage && this.#canChange);
      }
      const charge = kind === "lookup" ? price : enrichedCharge(answer.found);
      return { line: { number, result: answer.found }, charge, isOutage: false };
    });
  }

  async #matches(items: readonly string[], owner: WorkOwner): Promise<readonly ItemResult[]> {
    const rows = items.map(unpackRow);
    const queries = rows.flatMap((row) => ("query" in row ? [row.query] : []));
    const results = queries.length === 0 ? [] : await this.#rows.match(queries, owner);
    let matched = 0;
    return rows.map((row): ItemResult => {
      const place = { row: row.row, ...known("id", row.id) };
      if ("error" in row) return failed(place, row.error);
      if (results === undefined) return failed(place, noAnswer(NOT_FINDABLE), this.#canChange);
      const result = results[matched++] ?? NOT_MATCHED;
      if ("message" in result) return failed(place, result);
      return { line: { ...place, result }, charge: priceOfItem("match"), isOutage: false };
    });
  }

  async #addMonitors(numbers: readonly string[], owner: WorkOwner): Promise<readonly ItemResult[]> {
    const added = await this.#monitors.add(owner, numbers.map(kvkDigitsOf), {});
    if (typeof added === "string") throw new Error("a webhook was refused, but none was given");
    return numbers.map((number, index): ItemResult => {
      const one = added[index] ?? NOT_ADDED;
      if ("error" in one) {
        const isOutage = one.error.code === "SERVICE_UNAVAILABLE";
        return failed({ number }, one.error, isOutage && this.#canChange);
      }
      const result = monitorResource(one.monitor, this.#monitors.service);
      return { line: { number, result }, charge: 0, isOutage: false };
    });
  }

  async #verdict(number: string, owner: WorkOwner): Promise<ItemResult> {
    const vatQuery = parseVatQuery(number, undefined);
    if ("wrongPart" in vatQuery) {
      return failed({ number }, { code: "INVALID_VAT_NUMBER", message: vatQuery.message });
    }
    const validation = validationIn(await paid(this.#lookup.verdict(vatQuery, undefined), owner));
    if (validation !== undefined) {
      return { line: { number, result: validation }, charge: priceOfItem("vat"), isOutage: false };
    }
    return failed({ number }, verdictUnknown(), this.#canChange);
  }
}

const NOT_ADDED = {
  error: { code: "INTERNAL_ERROR", message: "this number could not be monitored" },
} as const;
const NOT_MATCHED = { code: "INTERNAL_ERROR", message: "this row could not be matched" } as const;

/** Processes each item on its own. An API error becomes the result of its item. */
async function separately(
  items: readonly string[],
  answer: (number: string) => Promise<readonly ItemResult[]>,
): Promise<readonly ItemResult[]> {
  const results = items.map(async (number) => {
    try {
      return await answer(number);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return [failed({ number }, error)];
    }
  });
  return (await Promise.all(results)).flat();
}

function failed(
  place: ResultPlace,
  { code, message }: Pick<ApiError, "code" | "message">,
  isOutage = false,
): ItemResult {
  return { line: { ...place, error: { code, message } }, charge: 0, isOutage };
}

/** Returns the verdict, or undefined if there is none: an outage is never reported as a verdict. */
function validationIn(answer: Answer<VatVerdict | RequesterRefused>): VatValidation | undefined {
  if (answer.kind !== "found" || "requesterRefused" in answer.found) return undefined;
  const { vatNumber, verdict } = answer.found;
  return verdict.status === "unvalidated" ? undefined : { vatNumber, ...verdict };
}
