import type { CompanyFacts } from "../../company/facts.ts";
import { cleanFacts } from "../../company/merge.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { SingleFlight } from "../../lib/singleFlight.ts";
import type { ObserveWait } from "../../upstream/observe.ts";
import { dutchDay } from "../budget/dutchDay.ts";
import { NotFoundQuota } from "../budget/notFoundQuota.ts";
import type { Cause, LiveHealth, LiveSource, NoLiveAnswer, PaidBy, SourceResult } from "../liveSource.ts";
import type { LiveQueries } from "../queries/live.ts";
import { type CachedCompany, CompanyCache, isYoung } from "./companyCache.ts";

/** Why there is no answer about a company: the causes of the source, and ours. */
export type MissCause = Cause | "not-found-quota";

/** A company from the cache or the source, or why there is none. */
export type CompanyHit =
  | { readonly kind: "hit"; readonly company: CachedCompany }
  | { readonly kind: "miss"; readonly cause: MissCause };

export interface LiveLifetimes {
  /** How long a company is returned without asking again. */
  readonly freshForMs: number;
  /** The same for a number that the source does not know. */
  readonly notFoundFreshForMs: number;
  /** Age at which an answer is deleted. */
  readonly keepForMs: number;
}

export interface LiveCompaniesOptions {
  readonly source: LiveSource;
  readonly store: LiveQueries;
  readonly budget: { readonly isSpent: boolean; readonly permitsCalls: boolean };
  /** Returns who pays for an account's calls. */
  readonly payerOf: (accountId: string) => Promise<PayingAccount>;
  readonly lifetimes: LiveLifetimes;
  /** Paid calls a day that one address may cause for numbers that are not known. */
  readonly notFoundADay: number;
  /** Called on each failure that the operator must fix (key, address, certificate). */
  readonly onConfiguration?: (reason: string) => void;
  readonly now?: () => number;
  /** Observes waits for the source. */
  readonly observe?: ObserveWait | undefined;
}

/** The payer of an account's calls. */
export interface PayingAccount {
  /** Keyed hash of its mail address, so that deleting and recreating an account does not reset its counts. */
  readonly subject: string;
  readonly payer: PaidBy;
}

/** The calling account, and how long it waits. */
export interface LiveRequest {
  readonly accountId: string;
  readonly deadlineMs: number;
  /** Maximum age of a cached answer. */
  readonly maxAgeMs: number;
}

/** Branches with an address missing because a call failed are requested again after this time. */
const PARTIAL_FRESH_FOR_MS = 600_000;
/** Counts of days are kept for a month, to show how the budget was spent. */
const KEEP_DAYS_MS = 31 * 86_400_000;
const CLEAR_EVERY_MS = 60_000;
const MAX_CLEARED = 500;
/** Older searches are useful only while the source is down. */
const KEEP_SEARCHES_MS = 86_400_000;

/**
 * Companies of a live source: from the cache while they are fresh, else from the source. Concurrent callers of one
 * company share a call, calls for unknown numbers are limited per mail address, and each answer is stored before it is
 * returned.
 */
export class LiveCompanies {
  readonly #options: LiveCompaniesOptions;
  readonly #now: () => number;
  readonly #cache: CompanyCache;
  readonly #flights = new SingleFlight<CompanyHit>();
  readonly #notFoundQuota: NotFoundQuota;
  /** The companies of a batch share a look-up of their payer. */
  readonly #payers = new SingleFlight<PayingAccount>();
  #isMisconfigured = false;
  #clearedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LiveCompaniesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cache = new CompanyCache(options.store);
    this.#notFoundQuota = new NotFoundQuota(options.store, options.notFoundADay, this.#now);
  }

  get origin(): string {
    return this.#options.source.origin;
  }

  /** Why the source cannot be called now; undefined while it can. */
  get unavailableBecause(): MissCause | undefined {
    const { source, budget } = this.#options;
    if (budget.isSpent) return "budget";
    return source.permitsCalls && budget.permitsCalls ? undefined : "outage";
  }

  get health(): LiveHealth {
    const { source, budget } = this.#options;
    if (this.#isMisconfigured) return "down";
    return source.health === "up" && !budget.permitsCalls ? "degraded" : source.health;
  }

  /** The company in the memory of this process, of any age. */
  fromMemory(kvkNumber: KvkNumber): CachedCompany | undefined {
    return this.#cache.get(kvkNumber);
  }

  /** Reads companies from the store into memory, for {@link fromMemory}. */
  async read(kvkNumbers: readonly KvkNumber[]): Promise<void> {
    await this.#cache.read(kvkNumbers);
  }

  /** Whether an answer, or its branches, may be returned without calling the source. */
  isFresh(
    { facts, answeredAtMs, branchesAtMs }: CachedCompany,
    maxAgeMs: number,
    withBranches: boolean,
  ): boolean {
    const { freshForMs, notFoundFreshForMs } = this.#options.lifetimes;
    const usableForMs = Math.min(facts === undefined ? notFoundFreshForMs : freshForMs, maxAgeMs);
    if (!isYoung(answeredAtMs, usableForMs, this.#now())) return false;
    if (!withBranches || facts === undefined) return true;
    return branchesAtMs !== undefined && isYoung(branchesAtMs, usableForMs, this.#now());
  }

  /** A company from the source, within the caller's deadline. @throws {StoreUnavailable} when it cannot be stored */
  company(kvkNumber: KvkNumber, request: LiveRequest): Promise<CompanyHit> {
    return this.#within(request, (deadline) => this.#company(kvkNumber, request, deadline));
  }

  /** A company with its branches; requests only the missing part. */
  branches(kvkNumber: KvkNumber, request: LiveRequest): Promise<CompanyHit> {
    return this.#within(request, (deadline) => this.#withBranches(kvkNumber, request, deadline));
  }

  /**
   * Requests a company from the source, whatever its age, and stores it. No caller waits for it.
   * @param needsBranches requests the branches too; otherwise only if they were requested before
   */
  async renew(
    kvkNumber: KvkNumber,
    payer: PaidBy,
    deadline: AbortSignal,
    needsBranches = false,
  ): Promise<CompanyHit> {
    await this.#cache.read([kvkNumber]);
    const hit = await this.#store(kvkNumber, await this.#options.source.company(kvkNumber, deadline, payer));
    if (hit.kind === "miss" || hit.company.facts === undefined) return hit;
    const { branches, branchesAtMs, answeredAtMs } = hit.company;
    if (branchesAtMs === answeredAtMs || (branches === undefined && !needsBranches)) return hit;
    return this.#askForBranches(hit.company, deadline, payer);
  }

  #within(
    { deadlineMs }: LiveRequest,
    ask: (deadline: AbortSignal) => Promise<CompanyHit>,
  ): Promise<CompanyHit> {
    const { observe = (work) => work() } = this.#options;
    const wait = async () =>
      (await withTimeout(deadlineMs, ask(AbortSignal.timeout(deadlineMs)))) ?? miss("outage");
    return observe(wait, (hit) => (hit.kind === "miss" ? hit.cause : hit.kind));
  }

  async #company(kvkNumber: KvkNumber, request: LiveRequest, deadline: AbortSignal): Promise<CompanyHit> {
    const id = `company ${kvkNumber}`;
    const { subject, payer } = await this.#payerOf(request.accountId);
    for (;;) {
      const joined = await this.#join(id, payer, deadline);
      if (joined !== undefined) return joined;
      // A number may be unknown, so the call needs a permit of the quota first.
      const permit = await this.#notFoundQuota.enter(subject, deadline);
      if (permit === "late") return miss("outage");
      // Another caller may have started or finished the call in the meantime.
      const known = this.#freshHit(kvkNumber, request);
      if (permit === "none-left") {
        return known ?? (await this.#join(id, payer, deadline)) ?? miss("not-found-quota");
      }
      if (known !== undefined || this.#flights.inProgress(id) !== undefined) {
        await permit.release(false);
        if (known !== undefined) return known;
        continue;
      }
      return this.#flights.run(id, async () => {
        let wasNotFound = false;
        try {
          const result = await this.#options.source.company(kvkNumber, deadline, payer);
          wasNotFound = result.kind === "not-found";
          return await this.#store(kvkNumber, result);
        } finally {
          await permit.release(wasNotFound);
        }
      });
    }
  }

  async #withBranches(
    kvkNumber: KvkNumber,
    request: LiveRequest,
    deadline: AbortSignal,
  ): Promise<CompanyHit> {
    if (this.#freshHit(kvkNumber, request) === undefined) await this.#cache.read([kvkNumber]);
    const own = this.#freshHit(kvkNumber, request) ?? (await this.#company(kvkNumber, request, deadline));
    if (own.kind === "miss" || own.company.facts === undefined) return own;
    if (this.isFresh(own.company, request.maxAgeMs, true)) return own;
    const { company } = own;
    const { payer } = await this.#payerOf(request.accountId);
    const id = `branches ${kvkNumber}`;
    const joined = await this.#join(id, payer, deadline);
    return joined ?? this.#flights.run(id, () => this.#askForBranches(company, deadline, payer));
  }

  /**
   * The result of the call in progress, if there is one. If it was refused because free accounts have used their share,
   * callers of other tiers make their own.
   */
  async #join(id: string, payer: PaidBy, deadline: AbortSignal): Promise<CompanyHit | undefined> {
    for (;;) {
      const inProgress = this.#flights.inProgress(id);
      if (inProgress === undefined) return undefined;
      const outcome = await inProgress;
      if (payer === "free" || outcome.kind === "hit" || outcome.cause !== "free-share") return outcome;
      if (deadline.aborted) return miss("outage");
    }
  }

  #payerOf(accountId: string): Promise<PayingAccount> {
    return this.#payers.run(accountId, () => this.#options.payerOf(accountId));
  }

  #freshHit(kvkNumber: KvkNumber, request: LiveRequest): CompanyHit | undefined {
    const company = this.#cache.get(kvkNumber);
    const isHit = company !== undefined && this.isFresh(company, request.maxAgeMs, false);
    return isHit ? { kind: "hit", company } : undefined;
  }

  async #store(kvkNumber: KvkNumber, result: SourceResult<CompanyFacts>): Promise<CompanyHit> {
    if (result.kind === "no-answer") return this.#unanswered(result);
    this.#isMisconfigured = false;
    const facts = result.kind === "found" ? cleanFacts(result.value) : undefined;
    const company = await this.#cache.storeCompany(kvkNumber, facts, Date.parse(result.asOf));
    this.#clear();
    return { kind: "hit", company };
  }

  async #askForBranches(company: CachedCompany, deadline: AbortSignal, payer: PaidBy): Promise<CompanyHit> {
    const { facts } = company;
    if (facts === undefined) return { kind: "hit", company };
    const known = { facts, asOf: company.answeredAt };
    const result = await this.#options.source.branches(known, deadline, payer);
    if (result.kind === "no-answer") return this.#unanswered(result);
    const { lifetimes } = this.#options;
    const early = result.isPartial === true ? Math.max(0, lifetimes.freshForMs - PARTIAL_FRESH_FOR_MS) : 0;
    const clean = cleanFacts(result.value);
    const branches = clean.branches ?? [];
    return {
      kind: "hit",
      company: await this.#cache.storeBranches(company, clean, branches, this.#now() - early),
    };
  }

  #unanswered({ cause, reason }: NoLiveAnswer): CompanyHit {
    if (cause === "configuration") {
      this.#isMisconfigured = true;
      this.#options.onConfiguration?.(reason);
    }
    return miss(cause);
  }

  /** From time to time deletes old data from the store, in the background. */
  #clear(): void {
    const elapsedMs = performance.now();
    if (elapsedMs - this.#clearedAtMs < CLEAR_EVERY_MS) return;
    this.#clearedAtMs = elapsedMs;
    const nowMs = this.#now();
    const tooOld = {
      companiesBeforeMs: nowMs - this.#options.lifetimes.keepForMs,
      searchesBeforeMs: nowMs - KEEP_SEARCHES_MS,
      beforeDay: dutchDay(nowMs - KEEP_DAYS_MS),
      maxRows: MAX_CLEARED,
    };
    this.#options.store.clearLive(tooOld).catch(() => {
      this.#clearedAtMs = Number.NEGATIVE_INFINITY;
    });
  }
}

function miss(cause: MissCause): CompanyHit {
  return { kind: "miss", cause };
}
