import type { KeyKind } from "../contract/keyKinds.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { Tier } from "../contract/tiers.ts";
import { OperatorError } from "../lib/operatorError.ts";
import type { BrowserCaller, DayBalance } from "./browserKey.ts";
import type { JobChunk } from "./jobChunk.ts";
import type { IdempotencyEntry, IdempotencyHit, Repeatable } from "./responses.ts";

/** Of which key something is asked. */
interface OfKey {
  readonly keyId: string;
  /** It is a test key: what is asked is decided in the books of test keys, and touches no others. A key is one or is not, for good. */
  readonly isTest?: true | undefined;
}

/** The fields that a call and a reservation share. */
interface Asking extends OfKey {
  readonly operation: LedgerOperation;
  /** The full price in tokens, which must be covered. */
  readonly price: number;
  /** The hash of the session of typing that the call is of, which costs nothing where it follows in one that was paid for. */
  readonly session?: string;
  /** The call has its slot in the rate window already: it was asked about before its work began, with a charge of 0. */
  readonly hasSlot?: boolean;
  /** The client's, for a key that may be used from some networks only; absent when it is gone. */
  readonly address?: string | undefined;
  /**
   * The client's address is not looked at: the call comes with a token, which whoever may use the key has handed out, or it is work that goes on for
   * a call whose address was looked at.
   */
  readonly skipIpCheck?: boolean;
  /** Of a call with a key for browsers. */
  readonly browser?: BrowserCaller | undefined;
}

/** A call that is answered from what this process holds: covered by `price`, charged `charge`, in one step. */
export interface CallRequest extends Asking {
  readonly kind: "call";
  /** Tokens charged for the delivered answer; at most `price`. */
  readonly charge: number;
  /** By what the call is known again; its answer is kept when it is granted. */
  readonly keep?: IdempotencyEntry;
}

/**
 * A call whose work leaves the process: the full price is set aside until it is settled or the time is over. Where it follows in a session nothing is
 * set aside, and it has its place in the session from now on.
 */
export interface ReservationRequest extends Asking {
  readonly kind: "reserve";
  /** Chosen by the caller, unique. */
  readonly reservationId: string;
  readonly lifetimeMs: number;
  /** By what the call is known again: while the reservation holds, another one under this id is a conflict. */
  readonly keep?: Repeatable;
}

/** Ends a reservation that was made with the key: `charge` is spent in the reservation's own month, the rest is given back. */
export interface SettlementRequest extends OfKey {
  readonly kind: "settle";
  readonly reservationId: string;
  readonly charge: number;
  /** The one that the reservation was made with: by now somebody else may have paid for it. */
  readonly session?: string;
  /** As for its reservation; the answer is kept when the charge is granted. */
  readonly keep?: IdempotencyEntry;
  /** What the reservation was for is part of a list: kept with its charge, or neither. */
  readonly chunk?: JobChunk;
}

/** Refusals that were answered from memory, to be counted in the ledger. */
export interface RefusalCount extends OfKey {
  readonly kind: "refusals";
  readonly operation: LedgerOperation;
  readonly count: number;
}

export type ChargeRequest = CallRequest | ReservationRequest | SettlementRequest | RefusalCount;

/** What the headers and `/v1/usage` tell of a key and its account after a call. */
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
  /** The month that the allowance belongs to, see `periods.ts`. */
  readonly month: number;
  /** The store's clock when it decided, Unix milliseconds. */
  readonly nowMs: number;
  /** How far ahead of that clock the window or month began that this decision took back to now; absent when it took none back. */
  readonly clockSkewMs?: number;
  /** What a key for browsers may spend today. */
  readonly keyDay?: DayBalance;
}

/**
 * `granted`: may be delivered, `charged` is in the store · `rate`, `quota`: refused · `suspended`: the account may not
 * call · `outside`, `origin`: the key may not be used from the client's address, or from its page · `scope`: nor for this · `daily`: the key has
 * spent what it may on a day · `revoked`: there is no such live key (no balance) ·
 * `expired`: the same, until its expiry is moved · `lapsed`: a settlement came after its reservation had
 * expired and the allowance covers it no more, or for a list that its worker holds no more, so nothing may be delivered.
 *
 * Of what is known again, see {@link IdempotencyEntry}, and charged nothing: `repeated`: it was answered before, `kept` is that answer · `conflict`: another
 * request was made under its id; with `lapsesInMs` it is the same request, under way for so long at most · `full`: its
 * answer cannot be kept, so that nothing was done, for the account keeps too many or, `isOfAll`, all of them do.
 */
export type Decision =
  | { readonly outcome: "granted"; readonly charged: number; readonly balance: Balance }
  | {
      readonly outcome: "rate" | "quota" | "daily" | "suspended" | "outside" | "origin" | "scope" | "lapsed";
      readonly balance: Balance;
    }
  | (IdempotencyHit & { readonly balance: Balance })
  | { readonly outcome: "revoked" }
  | { readonly outcome: "expired" };

/** The state store cannot be used now: nothing was changed or charged. Callers get 503. */
export class StoreUnavailable extends OperatorError {
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`the state store cannot be used: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = "StoreUnavailable";
    this.reason = reason;
  }
}

/** The state store refuses a value that a call has sent: nothing was changed or charged. Callers get 400. */
export class ValueRefused extends Error {
  /** How the store says why: SQLSTATE, class 22. */
  readonly sqlState: string;

  constructor(sqlState: string) {
    super(`the state store refuses a value (SQLSTATE ${sqlState})`);
    this.name = "ValueRefused";
    this.sqlState = sqlState;
  }
}

/** What never changes of a key that was presented. */
export interface FoundKey {
  readonly id: string;
  readonly kind: KeyKind;
}

/** What metering needs of a state store. */
export interface MeteringStore {
  /**
   * Decides requests in order and writes the outcome in one transaction, which is durable before the promise is fulfilled.
   * @returns by request, its decision; or the promise of one, where another session of the store holds the request's account: it is
   * decided in a later transaction, so that it does not delay the others
   * @throws {StoreUnavailable} nothing was changed or charged
   */
  apply(requests: readonly ChargeRequest[]): Promise<readonly (Decision | Promise<Decision>)[]>;
  /** The keys with these hashes, revoked ones included, in their order; null for a hash of no key. */
  findKeys(hashes: readonly string[]): Promise<readonly (FoundKey | null)[]>;
}

/**
 * Finds what a key of an account of this tier may do: a tier that the table no longer holds has nothing to spend, and the page's
 * own key has a rate of its own.
 */
export type FindTier = (name: string, keyId: string) => Tier;
