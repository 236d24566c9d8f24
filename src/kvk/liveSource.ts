import type { CompanyFacts, SourcedFacts } from "../company/facts.ts";
import type { KvkNumber } from "../contract/numbers.ts";

/** The source told something. */
export interface Found<T> {
  readonly kind: "found";
  readonly value: T;
  /** When it was told, ISO 8601 UTC. */
  readonly asOf: string;
  readonly paidCalls: number;
  /** A part could not be had now (the address of a branch, say): worth keeping for a short time only. */
  readonly isPartial?: true;
}

/** The source told that there is nothing. */
export interface NotFound {
  readonly kind: "not-found";
  /** The source's code. */
  readonly reason: string;
  readonly asOf: string;
  readonly paidCalls: number;
}

/**
 * Why there is no answer, which says nothing of the company. `later`: the source has it, not now. `outage`: the source failed, or the
 * deadline ended. `configuration`: the operator must act (key, address, certificate). `budget`: none is left. `free-share`: none is
 * left for accounts of free tiers. `request`: the source refuses what was asked.
 */
export type Cause = "later" | "outage" | "configuration" | "budget" | "free-share" | "request";

export interface NoAnswer {
  readonly kind: "no-answer";
  readonly cause: Cause;
  /** The source's code, or a result of ours: one of a fixed set, for logs and metrics. Holds nothing of the question. */
  readonly reason: string;
  readonly paidCalls: number;
  /** When the source said so, or is known to need it. */
  readonly retryAfterSeconds?: number;
}

/** `paidCalls`: how many were taken from the budget for it and not given back, also when there is no answer. */
export type SourceResult<T> = Found<T> | NotFound | NoAnswer;

/** What a source can be searched by; what it lacks, the caller must refuse. */
export interface LiveCriteria {
  /** Words of a name, whole ones; or a KVK number. */
  readonly q?: string;
  /** A city, whole. */
  readonly city?: string;
  /** Companies that have ended, too. */
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
  /** A name that is no longer used, where it was the hit. */
  readonly formerName?: string;
}

export interface LivePage {
  readonly hits: readonly LiveHit[];
  /** How many companies there are; at least so many when `isTotalExact` is false. */
  readonly total: number;
  readonly isTotalExact: boolean;
}

/** What an earlier call told of a company. */
export type HeldFacts = Pick<SourcedFacts, "facts" | "asOf">;

/** Whose paid calls they are: of accounts of free tiers, which share a part of the day's, or of the others and the operator. */
export type Payer = "free" | "other";

/** A paid call that was taken from a budget. */
export interface TakenCall {
  /** Gives it back, as it did not reach the source. */
  refund(): Promise<void>;
  /** Told how it ended when it is not given back. */
  ended(isAnswered: boolean): void;
}

/** Why a budget gives no call: `outage` when too many went unanswered. */
export type NoCall = Extract<Cause, "budget" | "free-share" | "outage">;

/** Counts what costs money, before it is spent. What it throws reaches whoever asked the source. */
export interface CallBudget {
  spend(payer: Payer): Promise<TakenCall | NoCall>;
}

export type LiveHealth = "up" | "degraded" | "down";

/** A registry over the network. Its methods reject only when the budget does; an outage is a result like any other. */
export interface LiveSource {
  /** Such as `kvk-api`: the origin of what it tells. */
  readonly origin: string;
  /** Whether a company would be asked for now: false while it is left alone after failures. */
  readonly permitsCalls: boolean;
  readonly health: LiveHealth;
  /** All that one call tells of a company; its branches only where it tells them as well. The operator pays unless a payer is given. */
  company(kvkNumber: KvkNumber, deadline: AbortSignal, payer?: Payer): Promise<SourceResult<CompanyFacts>>;
  /**
   * The facts of a company with its branches. Facts of this source that are held save the call for them; then the answer is
   * as old as they are. Who keeps profiles asks for `company` first, so that what was paid for is kept when the list fails.
   */
  branches(
    kvkNumber: KvkNumber,
    deadline: AbortSignal,
    held?: HeldFacts,
    payer?: Payer,
  ): Promise<SourceResult<CompanyFacts>>;
  search(criteria: LiveCriteria, deadline: AbortSignal): Promise<SourceResult<LivePage>>;
  /** Ends every call at once. */
  close(): Promise<void>;
}
