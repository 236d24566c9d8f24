import { setTimeout as pause } from "node:timers/promises";
import { cleanFacts, type MergedCompany } from "../company/merge.ts";
import { type ByNeed, type Need, VIEWS } from "../company/views.ts";
import { ApiError } from "../contract/errors.ts";
import { isKvkNumber, type KvkNumber } from "../contract/numbers.ts";
import type { AutocompleteItem, BasicCompany, BranchList, Company } from "../contract/resources.ts";
import { MOST_COUNTED } from "../contract/totals.ts";
import { inTurns, type Steps } from "../lib/steps.ts";
import type { Answer, LookupResult, SearchResult } from "../lookup/answer.ts";
import type { BatchItem, BatchResult } from "../lookup/batch.ts";
import { vatNumberOf, withVerdict } from "../lookup/companyVat.ts";
import type { BranchesUnknown, Lookups, RequesterRefused, VatVerdict } from "../lookup/lookup.ts";
import type { VatQuestion } from "../lookup/vatQuestion.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { Finder, FoundPage } from "../search/finder.ts";
import type { CheckedVatNumber } from "../vat/numbers/parse.ts";
import type { Verdict } from "../vat/verdicts/verdict.ts";
import { TEST_COMPANIES } from "./companies.ts";
import { findTestCompanies } from "./names.ts";
import { SLOW_MS, SLOW_NUMBER, TEST_OUTCOMES } from "./outcomes.ts";
import { UNCOUNTED } from "./queries.ts";
import { REFUSED_REQUESTER, TEST_CONSULTATION, TEST_VAT_NUMBERS, type TestVies } from "./vatNumbers.ts";

/** Slow answers that may be waited for at once on this thread, at some kilobytes each: whoever comes then is told 503. */
const MOST_SLOW = 500;
const UNKNOWN_NUMBER: TestVies = { is: "answer", valid: false };

const byNumber = new Map<string, MergedCompany & { readonly branchesFail?: true }>(
  TEST_COMPANIES.map(({ facts, origin: kvk, asOf: cachedAt, branchesFail }) => [
    facts.kvkNumber,
    { facts: cleanFacts(facts), source: { kvk, cachedAt }, ...(branchesFail && { branchesFail }) },
  ]),
);
const vatNumbers = new Map(TEST_VAT_NUMBERS.map((row) => [row.vatNumber, row]));
const outcomes = new Map(
  TEST_OUTCOMES.flatMap(({ kvkNumber, vatNumber, code }) => [
    [kvkNumber, code] as const,
    [vatNumber, code] as const,
  ]),
);

/**
 * What answers a call with a test key: the table of this room, and nothing else. Whatever is asked of it, nobody outside is asked. A number
 * that stands for an error throws it as an ApiError; one of RATE_LIMIT_EXCEEDED or QUOTA_EXCEEDED is without the words and times that only
 * whoever knows the key's balance can give it.
 */
export class Sandbox implements Lookups {
  readonly snapshotInfo = undefined;
  readonly isSearchLive = false;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  #finder: Finder | undefined;
  #making: Steps<Finder> | undefined;
  #slow = 0;

  /** @param wait how slow answers wait; it holds no thread */
  constructor({
    now = Date.now,
    wait = pause,
  }: { now?: () => number; wait?: (ms: number) => Promise<unknown> } = {}) {
    this.#now = now;
    this.#wait = wait;
  }

  basic(kvkNumber: KvkNumber): LookupResult<BasicCompany> {
    return this.#answered(kvkNumber, () => this.#company("basic", kvkNumber));
  }

  enriched(kvkNumber: KvkNumber): LookupResult<Company> {
    return this.#answered(kvkNumber, () => this.#enriched(kvkNumber));
  }

  branches(kvkNumber: KvkNumber): LookupResult<BranchList | BranchesUnknown> {
    return this.#answered(kvkNumber, (): Answer<BranchList | BranchesUnknown> => {
      const answer = this.#company("branches", kvkNumber);
      if (answer.kind !== "found") return answer;
      const { name, branches, origin } = answer.found;
      if (branches !== undefined) return { kind: "found", found: { kvkNumber, name, branches } };
      const hasLiveSource = byNumber.get(kvkNumber)?.branchesFail === true;
      return { kind: "found", found: { kvkNumber, origin, hasLiveSource } };
    });
  }

  basicBatch(sent: readonly string[]): BatchResult<BasicCompany> {
    return this.#batch(sent, (kvkNumber) => this.#company("basic", kvkNumber));
  }

  enrichedBatch(sent: readonly string[]): BatchResult<Company> {
    return this.#batch(sent, (kvkNumber) => this.#enriched(kvkNumber));
  }

  verdict({ number, requester }: VatQuestion): LookupResult<VatVerdict | RequesterRefused> {
    const { vatNumber } = number;
    const answer = (): Answer<VatVerdict | RequesterRefused> => {
      const verdict = this.#verdictOn(number);
      if (requester === undefined || verdict.status === "malformed") {
        return { kind: "found", found: { vatNumber, verdict } };
      }
      if (requester.countryCode + requester.national === REFUSED_REQUESTER) {
        return { kind: "found", found: { requesterRefused: REFUSED_REQUESTER } };
      }
      const proof = verdict.status === "validated" ? { consultationNumber: TEST_CONSULTATION } : undefined;
      return { kind: "found", found: { vatNumber, verdict, ...proof } };
    };
    throwOutcomeOf(vatNumber);
    return vatNumbers.get(vatNumber)?.isSlow ? this.#slowly(answer) : answer();
  }

  autocomplete(q: string, limit: number): SearchResult<AutocompleteItem[]> {
    return this.#found(q.trim(), this.#completing(q, limit));
  }

  search(criteria: SearchCriteria): SearchResult<FoundPage> {
    const q = criteria.q?.trim();
    if (q === UNCOUNTED) return { kind: "found", found: uncounted(criteria) };
    return this.#found(q, this.#searching(criteria));
  }

  /** What is found in steps, unless what was typed stands for something else. */
  #found<Found>(q: string | undefined, steps: Steps<Found>): SearchResult<Found> {
    throwOutcomeOf(q);
    if (q !== SLOW_NUMBER) return { kind: "in-steps", steps };
    return this.#slowly(async () => ({ kind: "found", found: await inTurns(steps) }));
  }

  *#completing(q: string, limit: number): Steps<AutocompleteItem[]> {
    const finder = yield* this.#names();
    return finder.autocomplete(q, limit);
  }

  *#searching(criteria: SearchCriteria): Steps<FoundPage> {
    const finder = yield* this.#names();
    return yield* finder.search(criteria);
  }

  /** The index is made with the first search, by all calls together that wait for it. */
  *#names(): Steps<Finder> {
    while (this.#finder === undefined) {
      this.#making ??= findTestCompanies();
      const step = this.#making.next();
      if (step.done === true) this.#finder = step.value;
      else yield;
    }
    return this.#finder;
  }

  /** The answer to what was asked for, unless that stands for an error; after some seconds if it stands for that. */
  #answered<Found>(asked: string, answer: () => Answer<Found>): LookupResult<Found> {
    throwOutcomeOf(asked);
    return asked === SLOW_NUMBER ? this.#slowly(answer) : answer();
  }

  /** Given back as paid work: its price is reserved while it waits, as for an answer that an upstream is slow to give. */
  #slowly<Found>(answer: () => Answer<Found> | Promise<Answer<Found>>): LookupResult<Found> {
    return {
      kind: "paid-work",
      run: async () => {
        if (this.#slow >= MOST_SLOW) {
          throw new ApiError("SERVICE_UNAVAILABLE", "too many calls wait for slow test answers; try again", {
            retryAfterSeconds: 1,
          });
        }
        this.#slow += 1;
        try {
          await this.#wait(SLOW_MS);
        } finally {
          this.#slow -= 1;
        }
        return answer();
      },
    };
  }

  #batch<Found>(
    sent: readonly string[],
    answerTo: (kvkNumber: KvkNumber) => Answer<Found>,
  ): BatchResult<Found> {
    const numbers = [...new Set(sent)];
    // What is no answer of one number is the answer to the call.
    for (const number of numbers) if (outcomes.get(number) !== "UPSTREAM_ERROR") throwOutcomeOf(number);
    const answer = (): Answer<BatchItem<Found>[]> => ({
      kind: "found",
      found: numbers.map((number) => ({ sent: number, answer: itemOf(number, answerTo) })),
    });
    return numbers.includes(SLOW_NUMBER) ? this.#slowly(answer) : answer();
  }

  #company<N extends Need>(need: N, kvkNumber: KvkNumber): Answer<ByNeed[N]> {
    const held = byNumber.get(kvkNumber);
    if (held === undefined) return { kind: "absent", kvkNumber, hint: IN_THE_SANDBOX };
    return { kind: "found", found: VIEWS[need].ofFacts(held) };
  }

  #enriched(kvkNumber: KvkNumber): Answer<Company> {
    const answer = this.#company("enriched", kvkNumber);
    if (answer.kind !== "found") return answer;
    const asked = vatNumberOf(answer.found);
    const { company } = answer.found;
    if (asked === undefined) return { kind: "found", found: company };
    return { kind: "found", found: withVerdict(company, asked, this.#verdictOn(asked.number)) };
  }

  #verdictOn(number: CheckedVatNumber): Verdict {
    const { checksumValid, isMalformed } = number.check;
    if (isMalformed) return { status: "malformed", valid: false, checksumValid: false };
    const { vies } = vatNumbers.get(number.vatNumber) ?? { vies: UNKNOWN_NUMBER };
    if (vies.is === "no-answer") return { status: "unvalidated", checksumValid };
    const { is, valid, ...told } = vies;
    const ageSeconds = "ageSeconds" in told ? told.ageSeconds : 0;
    const validatedAt = new Date(this.#now() - ageSeconds * 1_000).toISOString();
    return { status: is === "stale" ? "stale" : "validated", valid, checksumValid, validatedAt, ...told };
  }
}

const IN_THE_SANDBOX = "a test key knows the fictional companies of the documentation alone";

/** @throws {ApiError} that a number, or what was typed, stands for */
function throwOutcomeOf(asked: string | undefined): void {
  const code = asked === undefined ? undefined : outcomes.get(asked);
  if (code === undefined) return;
  throw new ApiError(
    code,
    `the test answer ${code}: this is what the number asks for; nothing was charged`,
    code === "SERVICE_UNAVAILABLE" ? { retryAfterSeconds: 1 } : {},
  );
}

function itemOf<Found>(
  sent: string,
  answerTo: (kvkNumber: KvkNumber) => Answer<Found>,
): BatchItem<Found>["answer"] {
  if (!isKvkNumber(sent)) return { kind: "invalid" };
  if (outcomes.get(sent) === "UPSTREAM_ERROR") return { kind: "unavailable", cause: "outage" };
  return answerTo(sent);
}

/** A page of more companies than are counted: those there are, again and again. */
function uncounted({ page, pageSize }: SearchCriteria): FoundPage {
  const rows = TEST_COMPANIES.map(({ facts: { kvkNumber, name, isActive } }) => ({
    kvkNumber,
    name,
    isActive,
  }));
  const results = Array.from(
    { length: pageSize },
    (_, nth) => rows[((page - 1) * pageSize + nth) % rows.length],
  );
  return {
    results: results.flatMap((row) => row ?? []),
    total: MOST_COUNTED,
    totalIsExact: false,
  };
}
