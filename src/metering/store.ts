import type { KeyKind } from "../contract/keyKinds.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { Tier } from "../contract/tiers.ts";
import type { BrowserCaller, DayBalance } from "./browserKey.ts";
import type { JobChunk } from "./jobChunk.ts";
import type { IdempotencyEntry, IdempotencyHit, IdempotencyKey } from "./responses.ts";

/** The key of a request. */
interface OfKey {
  readonly keyId: string;
  /** A test key: the request is decided in the separate ledger of test keys. This never changes for a key. */
  readonly isTest?: true | undefined;
}

/** The fields that a call and a reservation share. */
interface KeyedRequest extends OfKey {
  readonly operation: LedgerOperation;
  /** The full price in tokens, which must be covered. */
  readonly price: number;
  /** The hash of the call's typing session. The call is free if it follows in a session that was paid for. */
  readonly session?: string;
  /** The call has been counted towards the rate limit by an earlier request with a charge of 0. */
  readonly isCounted?: boolean;
  /** The client's address, for keys that are restricted to networks; absent if the client has disconnected. */
  readonly address?: string | undefined;
  /**
   * Skips the check of the client's address: the call has a browser token, which the key's owner issued, or it
   * continues a call whose address was checked.
   */
  readonly skipIpCheck?: boolean;
  /** Set for a call from a browser. */
  readonly browser?: BrowserCaller | undefined;
}

/** A call that this process can answer itself: covered by `price` and charged `charge` in one step. */
export interface CallRequest extends KeyedRequest {
  readonly kind: "call";
  /** Tokens charged for the response; at most `price`. */
  readonly charge: number;
  /** Identifies the call for repetition. Its response is stored if it is granted. */
  readonly idempotency?: IdempotencyEntry;
}

/**
 * A call that needs an upstream: the full price is reserved until it is settled or expires. A call that follows in a
 * session reserves nothing and takes its place in the session.
 */
export interface ReservationRequest extends KeyedRequest {
  readonly kind: "reserve";
  /** Chosen by the caller, unique. */
  readonly reservationId: string;
  readonly lifetimeMs: number;
  /** Identifies the call for repetition: while the reservation holds, another call under this id is a conflict. */
  readonly idempotency?: IdempotencyKey;
}

/** Ends a reservation of the key: `charge` is spent in the reservation's month, the rest is released. */
export interface SettlementRequest extends OfKey {
  readonly kind: "settle";
  readonly reservationId: string;
  readonly charge: number;
  /** The session of the reservation. Another call may have paid for it since. */
  readonly session?: string;
  /** As for the reservation. The response is stored if the charge is granted. */
  readonly idempotency?: IdempotencyEntry;
  /** The processed part of a list, stored together with its charge, or neither. */
  readonly chunk?: JobChunk;
}

/** Refusals that were decided in memory, to be counted in the ledger. */
export interface RefusalCount extends OfKey {
  readonly kind: "refusals";
  readonly operation: LedgerOperation;
  readonly count: number;
}

/**
 * Delivers changes of monitored companies. Changes that the allowance and the account's cap cover are charged and
 * become events, in one step. The key identifies the account and may have been revoked or have expired: each change is
 * charged to the key that it was recorded for.
 */
export interface EventDelivery extends OfKey {
  readonly kind: "events";
  readonly operation: LedgerOperation;
  /** Ids of pending changes of the account. Those that were delivered or deleted in the meantime are ignored. */
  readonly pendingIds: readonly string[];
}

export type ChargeRequest =
  | CallRequest
  | ReservationRequest
  | SettlementRequest
  | RefusalCount
  | EventDelivery;

/** The state of a key and its account after a call, for the headers and `/v1/usage`. */
export interface Balance {
  readonly accountId: string;
  readonly tierName: string;
  readonly rateLimit: number;
  readonly rateRemaining: number;
  /** Unix seconds */
  readonly rateResetSeconds: number;
  readonly tokensLimit: number;
  readonly tokensUsed: number;
  readonly tokensRemaining: number;
  /** Unix seconds */
  readonly tokensResetSeconds: number;
  /** The month of the allowance, see `periods.ts`. */
  readonly month: number;
  /** The store's clock at the decision, Unix milliseconds. */
  readonly nowMs: number;
  /** How far the window or month that this decision corrected was ahead of that clock; absent if none was. */
  readonly clockSkewMs?: number;
  /** The daily cap of a browser key. */
  readonly keyDay?: DayBalance;
}

/**
 * A decision. Only `granted` charges and lets the response be sent. `revoked`: there is no such live key. `expired`:
 * the key's expiry has passed. `outcome` is otherwise one of:
 * - `rate`, `quota`, `daily`: over the rate limit, the account's allowance, or the key's daily cap
 * - `suspended`: the account is suspended
 * - `outside`, `origin`, `scope`: the key does not allow the client's address, the page, or the operation
 * - `lapsed`: a settlement whose reservation expired and is no longer covered, or whose worker lost its claim on the
 * list
 * - for requests with an idempotency id, the outcomes of {@link IdempotencyHit}
 */
export type Decision =
  | {
      readonly outcome: "granted";
      readonly charged: number;
      readonly balance: Balance;
      /** For a delivery of events: how many were recorded, and how many changes the tokens do not cover. */
      readonly delivered?: number;
      readonly left?: number;
    }
  | {
      readonly outcome: "rate" | "quota" | "daily" | "suspended" | "outside" | "origin" | "scope" | "lapsed";
      readonly balance: Balance;
    }
  | (IdempotencyHit & { readonly balance: Balance })
  | { readonly outcome: "revoked" }
  | { readonly outcome: "expired" };

/** The unchanging facts of a presented key. */
export interface FoundKey {
  readonly id: string;
  readonly kind: KeyKind;
}

/** The state store of metering. */
export interface MeteringStore {
  /**
   * Decides requests in order and writes the outcome in one transaction, which is durable before the promise resolves.
   * @returns a decision per request, or a promise of one if another session of the store has locked the request's
   * account: it is decided in a later transaction so that it does not delay the others
   * @throws {StoreUnavailable} (the promise) nothing was changed or charged
   */
  apply(requests: readonly ChargeRequest[]): Promise<readonly (Decision | Promise<Decision>)[]>;
  /** Returns the keys with these hashes, revoked ones included, in the same order; null for an unknown hash. */
  findKeys(hashes: readonly string[]): Promise<readonly (FoundKey | null)[]>;
}

/**
 * Finds the tier of a key. A tier missing from the table has no tokens; the account page's own key has its own rate.
 */
export type FindTier = (name: string, keyId: string) => Tier;
