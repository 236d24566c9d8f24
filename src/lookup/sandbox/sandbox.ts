import { setTimeout as pause } from "node:timers/promises";
import type { Coverage } from "../../contract/coverage.ts";
import { ApiError, retryLater } from "../../contract/errors.ts";
import { MAX_COUNTED } from "../../contract/totals.ts";
import type { StoredOpenData } from "../../kvk/openData/queries.ts";
import type { SearchCriteria } from "../../search/criteria.ts";
import type { FoundPage } from "../../search/finder.ts";
import {
  type Answer,
  andThen,
  type LookupResult,
  type MaybePromise,
  paid,
  type WhenPaid,
} from "../answer.ts";
import type { BatchItem } from "../batch.ts";
import { Companies } from "../companies.ts";
import { CompanyFinder, type Finders } from "../finding.ts";
import { Lookup, type Lookups } from "../lookup.ts";
import { TEST_COMPANIES } from "./companies.ts";
import { TEST_COURT, TEST_INSOLVENCY } from "./court.ts";
import { BRANCHES_OUTAGE, SLOW, SLOW_MS, TEST_OUTCOMES, UNCOUNTED } from "./outcomes.ts";
import { TEST_PEPPOL, TEST_VERDICTS, testRegistry } from "./sources.ts";

/** Slow answers in progress at once; further calls get 503. */
const MAX_SLOW = 500;

const outcomes = new Map(
  TEST_OUTCOMES.flatMap(({ kvkNumber, vatNumber, code }) => [
    [kvkNumber, code] as const,
    [vatNumber, code] as const,
  ]),
);

const OPEN_DATA: ReadonlyMap<string, StoredOpenData> = new Map(
  TEST_COMPANIES.flatMap(({ facts, openData }) => (openData ? [[facts.kvkNumber, openData] as const] : [])),
);

const COVERAGE: Coverage = {
  companies: TEST_COMPANIES.length,
  sources: [...Map.groupBy(TEST_COMPANIES, ({ origin }) => origin)].map(([source, ofSource]) => {
    const asOf = ofSource.map((one) => one.asOf).reduce((newest, one) => (one > newest ? one : newest));
    return { source, companies: ofSource.length, asOf };
  }),
};

/**
 * The lookups of test keys: the normal lookup over the test data, except for inputs with a special outcome. An input
 * that stands for an error throws it as an ApiError; the caller adds the texts and times of RATE_LIMIT_EXCEEDED and
 * QUOTA_EXCEEDED, which depend on the key's balance.
 */
export function openSandbox(): { readonly lookup: Lookups; readonly finder: Finders } {
  const registry = testRegistry();
  const lookup = new Lookup({
    companies: new Companies({
      registry,
      freshForMs: 0,
      absentHint: "a test key knows the fictional companies of the documentation alone",
    }),
    verdicts: TEST_VERDICTS,
    openData: { of: () => OPEN_DATA },
    insolvency: TEST_INSOLVENCY,
    peppol: TEST_PEPPOL,
    liveWaits: { oneMs: 0, batchMs: 0 },
  });
  const finder = new CompanyFinder({ registry, court: TEST_COURT });
  let slow = 0;

  /** Answers after a pause, as paid work, so that the price is reserved as for a slow source. */
  function slowly<Found>(answer: () => MaybePromise<LookupResult<Found>>): WhenPaid<Answer<Found>> {
    return {
      whenPaid: async (payer) => {
        if (slow >= MAX_SLOW) {
          throw retryLater("SERVICE_UNAVAILABLE", 1, "too many calls wait for slow test answers; try again");
        }
        slow += 1;
        await pause(SLOW_MS).finally(() => {
          slow -= 1;
        });
        return paid(answer(), payer);
      },
    };
  }

  /** The normal answer, unless one of the inputs is slow. @throws {ApiError} when one of them stands for an error */
  function special<Found>(
    inputs: readonly string[],
    answer: () => MaybePromise<LookupResult<Found>>,
  ): MaybePromise<LookupResult<Found>> {
    for (const input of inputs) throwOutcomeOf(input);
    const isSlow = inputs.includes(SLOW.kvkNumber) || inputs.includes(SLOW.vatNumber);
    return isSlow ? slowly(answer) : answer();
  }

  const lookups: Lookups = {
    snapshotInfo: undefined,
    coverage: COVERAGE,
    basic: (kvkNumber, maxAgeMs) => special([kvkNumber], () => lookup.basic(kvkNumber, maxAgeMs)),
    enriched: (kvkNumber, ages) => special([kvkNumber], () => lookup.enriched(kvkNumber, ages)),
    branches: (kvkNumber, maxAgeMs) =>
      special([kvkNumber], () =>
        andThen(lookup.branches(kvkNumber, maxAgeMs), (found) => ({
          kind: "found",
          found: kvkNumber === BRANCHES_OUTAGE ? { ...found, hasLiveSource: true } : found,
        })),
      ),
    basicBatch: (sent) =>
      special(sent.filter(isAnswered), () => andThen(lookup.basicBatch(sent), withOutage)),
    enrichedBatch: (sent) =>
      special(sent.filter(isAnswered), () => andThen(lookup.enrichedBatch(sent), withOutage)),
    insolvencies: (sent) =>
      special(sent.filter(isAnswered), () => andThen(lookup.insolvencies(sent), withOutage)),
    noCourt: undefined,
    hasPeppol: true,
    peppol: (kvkNumber) => special([kvkNumber], () => lookup.peppol(kvkNumber)),
    verdict: (vatQuery, maxAgeMs) =>
      special([vatQuery.number.vatNumber], () => lookup.verdict(vatQuery, maxAgeMs)),
  };
  const finders: Finders = {
    isLive: false,
    noCourt: undefined,
    match: (queries, options) =>
      special(
        queries.flatMap(({ name, kvkNumber, vatNumber }) =>
          [name, kvkNumber, vatNumber].filter((input) => input !== undefined),
        ),
        () => finder.match(queries, options),
      ),
    autocomplete: (q, limit) => special([q.trim()], () => finder.autocomplete(q, limit)),
    search: (criteria) => {
      const q = criteria.q?.trim() ?? "";
      return q === UNCOUNTED
        ? { kind: "found", found: uncounted(criteria) }
        : special([q], () => finder.search(criteria));
    },
  };
  return { lookup: lookups, finder: finders };
}

function throwOutcomeOf(input: string): void {
  const code = outcomes.get(input);
  if (code === undefined) return;
  throw new ApiError(
    code,
    `the test answer ${code}: this is what the number asks for; nothing was charged`,
    code === "SERVICE_UNAVAILABLE" ? { retryAfterSeconds: 1 } : {},
  );
}

/** Whether a number of a batch has an answer of its own; other outcomes fail the whole call. */
function isAnswered(sent: string): boolean {
  return outcomes.get(sent) !== "UPSTREAM_ERROR";
}

function withOutage<Found>(items: readonly BatchItem<Found>[]): Answer<readonly BatchItem<Found>[]> {
  const outage = { kind: "unavailable", cause: "outage" } as const;
  const found = items.map(({ sent, answer }) => ({ sent, answer: isAnswered(sent) ? answer : outage }));
  return { kind: "found", found };
}

/** A page of more companies than are counted: the test companies repeated. */
function uncounted({ page, pageSize }: SearchCriteria): FoundPage {
  const rows = TEST_COMPANIES.map(({ facts: { kvkNumber, name, isActive } }) => ({
    kvkNumber,
    name,
    isActive,
  }));
  const first = ((page - 1) * pageSize) % rows.length;
  const repeated = Array.from({ length: Math.ceil(pageSize / rows.length) + 1 }, () => rows).flat();
  return { results: repeated.slice(first, first + pageSize), total: MAX_COUNTED, totalIsExact: false };
}
