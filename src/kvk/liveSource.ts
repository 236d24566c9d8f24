import type { CompanyFacts, SourcedFacts } from "../company/facts.ts";
import type { KvkNumber } from "../contract/numbers.ts";

/** The origins of what KVK's API and its open data say. */
export const KVK_API_ORIGIN = "kvk-api";
export const OPEN_DATA_ORIGIN = "kvk-open-data";

/** The source has an answer. */
export interface Found<T> {
  readonly kind: "found";
  readonly value: T;
  /** When it was received, ISO 8601 UTC. */
  readonly asOf: string;
  /** A part is missing because a call failed, such as the address of a branch: cache it for a short time only. */
  readonly isPartial?: true;
}

/** The source has no such company. */
export interface NotFound {
  readonly kind: "not-found";
  /** The source's code, such as KVK's `IPD0005`. */
  readonly reason: string;
  readonly asOf: string;
}

/**
 * Why there is no answer, which says nothing about the company. `later`: not available at the moment. `outage`: the
 * source failed, or the deadline ended. `configuration`: the operator must act (key, address, certificate). `budget`:
 * no calls are left. `free-share`: no calls are left for accounts of free tiers. `request`: the source refuses the
 * request.
 */
export type Cause = "later" | "outage" | "configuration" | "budget" | "free-share" | "request";

export interface NoLiveAnswer {
  readonly kind: "no-answer";
  readonly cause: Cause;
  /** The source's code or one of ours, from a fixed set, for logs and metrics. Contains nothing of the request. */
  readonly reason: string;
}

export type SourceResult<T> = Found<T> | NotFound | NoLiveAnswer;

/** The criteria that a source can search by; callers must refuse others. */
export interface LiveCriteria {
  /** Whole words of a name, or a KVK number. */
  readonly q?: string;
  /** The whole name of a city. */
  readonly city?: string;
  /** Also companies that have ended. */
  readonly includeInactive?: boolean;
  /** From 1. `page` × `pageSize` is 1,000 at most. */
  readonly page: number;
  readonly pageSize: number;
}

/** One company of a search. */
export interface LiveHit {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
  readonly city?: string;
  readonly isActive: boolean;
  /** The former name that matched the search, if one did. */
  readonly formerName?: string;
}

export interface LivePage {
  readonly hits: readonly LiveHit[];
  /** The number of companies; a lower bound when `isTotalExact` is false. */
  readonly total: number;
  readonly isTotalExact: boolean;
}

/** The facts of a company from an earlier call, and when it was made. */
export type EarlierFacts = Pick<SourcedFacts, "facts" | "asOf">;

/**
 * The share of the day's calls that pays for a call: accounts of free tiers, monitored companies, or all others and
 * the operator.
 */
export type PaidBy = "free" | "monitors" | "other";

/** A paid call that was taken from a budget. One of these methods is called when it has ended. */
export interface BudgetedCall {
  /** Returns it to the budget, because it did not reach the source. */
  refund(): Promise<void>;
  /** It reached the source. */
  ended(isAnswered: boolean): void;
}

/** Why a budget permits no call: `outage` when too many went unanswered. */
export type NoCall = Extract<Cause, "budget" | "free-share" | "outage">;

/** Counts paid calls before they are made. Its errors reach the caller of the source. */
export interface CallBudget {
  spend(payer: PaidBy): Promise<BudgetedCall | NoCall>;
}

export type LiveHealth = "up" | "degraded" | "down";

/** A registry over the network. Its methods reject only when the budget does; an outage is a result like any other. */
export interface LiveSource {
  /** The origin of its data, such as `kvk-api`. */
  readonly origin: string;
  /** Whether a call for a company would be made now: false while breakers are open. */
  readonly permitsCalls: boolean;
  readonly health: LiveHealth;
  /**
   * The facts of a company from one call; with branches only if that call returns them. The operator pays unless a
   * payer is given.
   */
  company(kvkNumber: KvkNumber, deadline: AbortSignal, payer?: PaidBy): Promise<SourceResult<CompanyFacts>>;
  /** Adds the branches to facts of this source. The answer has the date of the facts. */
  branches(
    facts: EarlierFacts,
    deadline: AbortSignal,
    payer?: PaidBy,
  ): Promise<Found<CompanyFacts> | NoLiveAnswer>;
  /** Returns one page, which is empty when nothing is found. */
  search(criteria: LiveCriteria, deadline: AbortSignal): Promise<Found<LivePage> | NoLiveAnswer>;
  /** Ends every call at once. */
  close(): Promise<void>;
}
