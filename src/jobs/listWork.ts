/** The work of lists: looks up their numbers, or matches their rows, and prices the results. */
import { ApiError, type ErrorCode } from "../contract/errors.ts";
import { priceOfItem } from "../contract/jobs.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import { isKvkNumber } from "../contract/numbers.ts";
import type { VatValidation } from "../contract/vatResources.ts";
import { known } from "../lib/values.ts";
import {
  type Answer,
  companyError,
  type MaybePromise,
  NOT_FINDABLE,
  noAnswer,
  paid,
  verdictUnknown,
} from "../lookup/answer.ts";
import type { BatchItem, BatchResult } from "../lookup/batch.ts";
import type { Lookup, RequesterRefused, VatVerdict } from "../lookup/lookup.ts";
import { parseVatQuery } from "../lookup/vatQuery.ts";
import type { Ranking } from "../match/types.ts";
import { monitorResource } from "../monitors/monitorResource.ts";
import type { Monitors } from "../monitors/monitors.ts";
import { type RowPlace, unpackRow } from "./matchRow.ts";
import type { RowMatcher } from "./rowMatcher.ts";

/** A number as it was sent, or the place of a row. */
type ResultPlace = { readonly number: string } | RowPlace;

/** The result of one item. Except for rows and VAT numbers it names its company. */
export type ResultLine = ResultPlace &
  (
    | { readonly result: Ranking | VatValidation | { readonly kvkNumber: string } }
    | { readonly error: { readonly code: ErrorCode; readonly message: string } }
  );

/** The result of one item, and its charge. `isOutage`: no source could answer; a retry may succeed. */
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

/** The services of lists. */
export interface ListServices {
  readonly lookup: Pick<Lookup, "basicBatch" | "enrichedBatch" | "insolvencies" | "verdict" | "peppol">;
  readonly rows: RowMatcher;
  readonly monitors: Pick<Monitors, "add" | "service">;
  /** Whether a retry may give another result; false for test keys, whose results never change. */
  readonly canChange: boolean;
}

/**
 * Processes at most as many items as the kind of the list allows and returns the results in the same order. The caller
 * has reserved their full price.
 * @throws {StoreUnavailable} (the promise) when the store cannot be reached
 */
export type ListWork = (
  items: readonly string[],
  owner: WorkOwner,
  services: ListServices,
) => Promise<readonly ItemResult[]>;

/**
 * Looks up companies.
 * @param chargeOf the charge of a company that was found
 * @param shown the part of it that a list returns
 */
export function companyWork<Found extends { readonly kvkNumber: string }>(
  lookUp: (lookup: ListServices["lookup"], kvkNumbers: readonly string[]) => MaybePromise<BatchResult<Found>>,
  chargeOf: (found: Found) => number,
  shown = (found: Found): Found => found,
): ListWork {
  const answered: ListWork = async (numbers, owner, { lookup, canChange }) => {
    const asKvk = numbers.map(kvkDigitsOf);
    const answer = await paid(lookUp(lookup, asKvk), owner);
    const items: readonly BatchItem<Found>[] =
      answer.kind === "found" ? answer.found : asKvk.map((sent) => ({ sent, answer }));
    return items.map(({ sent, answer }, index) => {
      const number = numbers[index] ?? sent;
      if (answer.kind === "found") {
        return {
          line: { number, result: shown(answer.found) },
          charge: chargeOf(answer.found),
          isOutage: false,
        };
      }
      const isOutage =
        answer.kind === "no-registry" ||
        answer.kind === "no-court" ||
        (answer.kind === "unavailable" && answer.cause !== "request");
      return failed({ number }, companyError(number, answer), isOutage && canChange);
    });
  };
  return async (numbers, owner, services) => {
    try {
      return await answered(numbers, owner, services);
    } catch (error) {
      // Some test numbers fail a whole call. In a list only that number fails.
      if (!(error instanceof ApiError)) throw error;
      return separately(numbers, (number) => answered([number], owner, services));
    }
  };
}

export const matchRows: ListWork = async (items, owner, { rows: matcher, canChange }) => {
  const rows = items.map(unpackRow);
  const queries = rows.flatMap((row) => ("query" in row ? [row.query] : []));
  const results = queries.length === 0 ? [] : await matcher.match(queries, owner);
  let matched = 0;
  return rows.map((row): ItemResult => {
    const place = { row: row.row, ...known("id", row.id) };
    if ("error" in row) return failed(place, row.error);
    if (results === undefined) return failed(place, noAnswer(NOT_FINDABLE), canChange);
    const result = results[matched++] ?? NOT_MATCHED;
    if ("message" in result) return failed(place, result);
    return { line: { ...place, result }, charge: priceOfItem("match"), isOutage: false };
  });
};

export const addMonitors: ListWork = async (numbers, owner, { monitors, canChange }) => {
  const added = await monitors.add(owner, numbers.map(kvkDigitsOf), {});
  if (typeof added === "string") throw new Error("a webhook was refused, but none was given");
  return numbers.map((number, index): ItemResult => {
    const one = added[index] ?? NOT_ADDED;
    if ("error" in one) {
      return failed({ number }, one.error, one.error.code === "SERVICE_UNAVAILABLE" && canChange);
    }
    const result = monitorResource(one.monitor, monitors.service);
    return { line: { number, result }, charge: 0, isOutage: false };
  });
};

export const checkVatNumbers: ListWork = (numbers, owner, { lookup, canChange }) =>
  separately(numbers, async (number) => {
    const vatQuery = parseVatQuery(number, undefined);
    if ("wrongPart" in vatQuery) {
      return [failed({ number }, { code: "INVALID_VAT_NUMBER", message: vatQuery.message })];
    }
    const validation = validationIn(await paid(lookup.verdict(vatQuery, undefined), owner));
    if (validation === undefined) return [failed({ number }, verdictUnknown(), canChange)];
    return [{ line: { number, result: validation }, charge: priceOfItem("vat"), isOutage: false }];
  });

export const checkPeppolNumbers: ListWork = (numbers, owner, { lookup, canChange }) =>
  separately(numbers, async (number) => {
    const kvkNumber = kvkDigitsOf(number);
    if (!isKvkNumber(kvkNumber)) return [failed({ number }, companyError(kvkNumber, { kind: "invalid" }))];
    const answer = await paid(lookup.peppol(kvkNumber), owner);
    if (answer.kind !== "found") {
      return [
        failed({ number }, companyError(kvkNumber, answer), answer.kind === "unavailable" && canChange),
      ];
    }
    return [{ line: { number, result: answer.found }, charge: priceOfItem("peppol"), isOutage: false }];
  });

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
