import { cleanFacts } from "../../company/merge.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { dutchDay } from "../budget/dutchDay.ts";
import { Misses } from "../budget/misses.ts";
import type { Cause, LiveHealth, LiveSource, LiveWord, NoAnswer, Payer } from "../liveSource.ts";
import type { LiveStore } from "../store.ts";
import { type Held, HeldCompanies } from "./heldCompanies.ts";

/** Why the source has no word on a company: its own causes, and ours. */
export type Missing = Cause | "misses";

export type LiveTold =
  | { readonly kind: "held"; readonly held: Held }
  | { readonly kind: "missing"; readonly cause: Missing };

export interface LiveLifetimes {
  /** A company is told again without asking. */
  readonly freshForMs: number;
  /** The same for a number that the source does not know. */
  readonly notFoundFreshForMs: number;
  /** What was told before is deleted. */
  readonly keepForMs: number;
}

export interface LiveCompaniesOptions {
  readonly source: LiveSource;
  readonly store: LiveStore;
  readonly budget: { readonly isSpent: boolean; readonly admits: boolean };
  /** Who pays for an account's calls. */
  readonly payerOf: (accountId: string) => Promise<PayingAccount>;
  readonly lifetimes: LiveLifetimes;
  /** Paid calls a day that one address may cause for numbers that are not known. */
  readonly missesADay: number;
  /** Told when the operator must act (a key, an address, a certificate), each time that shows. */
  readonly onConfiguration?: (reason: string) => void;
  readonly now?: () => number;
}

/** An account as paid calls are counted by it. */
export interface PayingAccount {
  /** Keyed hash of its address: an account that is deleted and made anew goes on where it was. */
  readonly subject: string;
  readonly payer: Payer;
}

/** Who asks, and how long they wait. */
export interface Asking {
  readonly accountId: string;
  readonly deadlineMs: number;
  /** How old what is told may be; only what is younger saves a call. */
  readonly maxAgeMs: number;
}

/** Branches of which one has no address now because a call failed are asked for again after so long. */
const PARTIAL_FRESH_FOR_MS = 600_000;
const CLEAR_EVERY_MS = 60_000;
const MOST_CLEARED = 500;
/** A search is of no use when it is older than that, but while the source is away. */
const KEEP_SEARCHES_MS = 86_400_000;

/**
 * Companies of a live source: from what is held while it is fresh, else from the source, each asked once however many callers
 * wait for it, and kept before anybody is told.
 */
export class LiveCompanies {
  readonly #options: LiveCompaniesOptions;
  readonly #now: () => number;
  readonly #held: HeldCompanies;
  readonly #misses: Misses;
  readonly #flights = new Map<string, Promise<LiveTold>>();
  /** Of accounts whose payer is being looked up: those of a batch ask at once. */
  readonly #payers = new Map<string, Promise<PayingAccount>>();
  #isMisconfigured = false;
  #clearedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LiveCompaniesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#held = new HeldCompanies(options.store);
    this.#misses = new Misses(options.store, options.missesADay, this.#now);
  }

  /** The origin of what it tells. */
  get origin(): string {
    return this.#options.source.origin;
  }

  /** Why nobody need wait for the source now; undefined while it would be asked. */
  get awayBecause(): Missing | undefined {
    const { source, budget } = this.#options;
    if (budget.isSpent) return "budget";
    return source.admits && budget.admits ? undefined : "outage";
  }

  get health(): LiveHealth {
    const { source, budget } = this.#options;
    if (this.#isMisconfigured) return "down";
    return source.health === "up" && !budget.admits ? "degraded" : source.health;
  }

  /** What this process knows to be held of a company, however old. */
  held(kvkNumber: KvkNumber): Held | undefined {
    return this.#held.get(kvkNumber);
  }

  /** Has the store tell what it holds; `held` tells it afterwards. */
  read(kvkNumbers: readonly KvkNumber[]): Promise<void> {
    return this.#held.read(kvkNumbers);
  }

  /** Whether what is held can be told without asking; with branches, whether these can. */
  isFresh(held: Held, maxAgeMs: number, withBranches: boolean): boolean {
    const { freshForMs, notFoundFreshForMs } = this.#options.lifetimes;
    if (held.facts === undefined) return this.#isYoung(held.toldAtMs, Math.min(notFoundFreshForMs, maxAgeMs));
    const usableForMs = Math.min(freshForMs, maxAgeMs);
    if (!this.#isYoung(held.toldAtMs, usableForMs)) return false;
    return (
      !withBranches || (held.branchesAtMs !== undefined && this.#isYoung(held.branchesAtMs, usableForMs))
    );
  }

  /** A company by asking the source, within the caller's deadline. @throws {StoreUnavailable} when it cannot be kept */
  company(kvkNumber: KvkNumber, asking: Asking): Promise<LiveTold> {
    const deadline = AbortSignal.timeout(asking.deadlineMs);
    return this.#within(asking, this.#company(kvkNumber, asking, deadline));
  }

  /** The same with its branches: what is missing of the two is asked for. */
  branches(kvkNumber: KvkNumber, asking: Asking): Promise<LiveTold> {
    const deadline = AbortSignal.timeout(asking.deadlineMs);
    return this.#within(asking, this.#withBranches(kvkNumber, asking, deadline));
  }

  async #within({ deadlineMs }: Asking, told: Promise<LiveTold>): Promise<LiveTold> {
    return (await withTimeout(deadlineMs, told)) ?? missing("outage");
  }

  async #company(kvkNumber: KvkNumber, asking: Asking, deadline: AbortSignal): Promise<LiveTold> {
    const id = `company ${kvkNumber}`;
    const { subject, payer } = await this.#payerOf(asking.accountId);
    for (;;) {
      const joined = await this.#join(id, payer, deadline);
      if (joined !== undefined) return joined;
      const place = await this.#misses.enter(subject, deadline);
      if (place === "late") return missing("outage");
      // In the meantime somebody else may have begun, or be done.
      const landed = this.#landed(kvkNumber, asking);
      if (place === "none-left") {
        return landed ?? (await this.#join(id, payer, deadline)) ?? missing("misses");
      }
      if (landed !== undefined || this.#flights.has(id)) {
        await place.leave(false);
        if (landed !== undefined) return landed;
        continue;
      }
      return this.#flight(id, async () => {
        let wasMiss = false;
        try {
          const word = await this.#options.source.company(kvkNumber, deadline, payer);
          wasMiss = word.kind === "not-found" && word.paidCalls > 0;
          return await this.#keep(kvkNumber, word);
        } finally {
          await place.leave(wasMiss);
        }
      });
    }
  }

  async #withBranches(kvkNumber: KvkNumber, asking: Asking, deadline: AbortSignal): Promise<LiveTold> {
    const known = this.#held.get(kvkNumber);
    const own: LiveTold =
      known !== undefined && this.isFresh(known, asking.maxAgeMs, false)
        ? { kind: "held", held: known }
        : await this.#company(kvkNumber, asking, deadline);
    if (own.kind === "missing" || own.held.facts === undefined) return own;
    if (this.isFresh(own.held, asking.maxAgeMs, true)) return own;
    const { held } = own;
    const { payer } = await this.#payerOf(asking.accountId);
    const id = `branches ${kvkNumber}`;
    const joined = await this.#join(id, payer, deadline);
    return joined ?? this.#flight(id, () => this.#flyForBranches(kvkNumber, held, deadline, payer));
  }

  /**
   * What the flight that is under way brings, if there is one. One that ended because free accounts have had their share says
   * nothing to others, who then fly themselves.
   */
  async #join(id: string, payer: Payer, deadline: AbortSignal): Promise<LiveTold | undefined> {
    for (;;) {
      const underWay = this.#flights.get(id);
      if (underWay === undefined) return undefined;
      const told = await underWay;
      if (payer === "free" || told.kind === "held" || told.cause !== "free-share") return told;
      if (deadline.aborted) return missing("outage");
    }
  }

  #payerOf(accountId: string): Promise<PayingAccount> {
    const known = this.#payers.get(accountId);
    if (known !== undefined) return known;
    const found = this.#options.payerOf(accountId).finally(() => this.#payers.delete(accountId));
    this.#payers.set(accountId, found);
    return found;
  }

  /** One flight at a time for whatever it brings. */
  #flight(id: string, fly: () => Promise<LiveTold>): Promise<LiveTold> {
    const flight = fly().finally(() => this.#flights.delete(id));
    this.#flights.set(id, flight);
    // Who waited may have gone: then nobody hears of a store that failed.
    flight.catch(() => {});
    return flight;
  }

  #landed(kvkNumber: KvkNumber, { maxAgeMs }: Asking): LiveTold | undefined {
    const held = this.#held.get(kvkNumber);
    return held !== undefined && this.isFresh(held, maxAgeMs, false) ? { kind: "held", held } : undefined;
  }

  async #keep(kvkNumber: KvkNumber, word: LiveWord<Parameters<typeof cleanFacts>[0]>): Promise<LiveTold> {
    if (word.kind === "no-answer") return this.#unanswered(word);
    this.#isMisconfigured = false;
    const facts = word.kind === "found" ? cleanFacts(word.value) : undefined;
    const held = await this.#held.keep(kvkNumber, facts, Date.parse(word.asOf));
    this.#clear();
    return { kind: "held", held };
  }

  async #flyForBranches(
    kvkNumber: KvkNumber,
    held: Held,
    deadline: AbortSignal,
    payer: Payer,
  ): Promise<LiveTold> {
    const { facts } = held;
    if (facts === undefined) return { kind: "held", held };
    const known = { facts, asOf: held.toldAt };
    const word = await this.#options.source.branches(kvkNumber, deadline, known, payer);
    if (word.kind === "no-answer") return this.#unanswered(word);
    if (word.kind === "not-found") return { kind: "held", held };
    const { lifetimes } = this.#options;
    const early = word.isPartial === true ? Math.max(0, lifetimes.freshForMs - PARTIAL_FRESH_FOR_MS) : 0;
    const clean = cleanFacts(word.value);
    const branches = clean.branches ?? [];
    return {
      kind: "held",
      held: await this.#held.keepBranches(held, clean, branches, this.#now() - early),
    };
  }

  #unanswered({ cause, reason }: NoAnswer): LiveTold {
    if (cause === "configuration") {
      this.#isMisconfigured = true;
      this.#options.onConfiguration?.(reason);
    }
    return missing(cause);
  }

  /** What is from the future was kept while the clock was wrong: it is as far from now as what is past. */
  #isYoung(atMs: number, forMs: number): boolean {
    return forMs > 0 && Math.abs(this.#now() - atMs) <= forMs;
  }

  /** Now and then has the store delete what is too old; nobody waits for it. */
  #clear(): void {
    const elapsedMs = performance.now();
    if (elapsedMs - this.#clearedAtMs < CLEAR_EVERY_MS) return;
    this.#clearedAtMs = elapsedMs;
    const nowMs = this.#now();
    const tooOld = {
      companiesBeforeMs: nowMs - this.#options.lifetimes.keepForMs,
      searchesBeforeMs: nowMs - KEEP_SEARCHES_MS,
      beforeDay: dutchDay(nowMs - KEEP_DAYS_MS),
      mostRows: MOST_CLEARED,
    };
    this.#options.store.clearLive(tooOld).catch(() => {
      this.#clearedAtMs = Number.NEGATIVE_INFINITY;
    });
  }
}

/** Counts of days are kept for a month, for whoever asks where the budget went. */
const KEEP_DAYS_MS = 31 * 86_400_000;

function missing(cause: Missing): LiveTold {
  return { kind: "missing", cause };
}
