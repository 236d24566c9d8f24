/**
 * Charge requests and decisions as they cross from thread to thread: lists of values without the names of their fields, which are longer
 * than what they hold. What is the same as in the one before it in its list is told by a 0, as it is for calls of one account that come
 * together (delta encoding).
 */
import type { LedgerOperation } from "../../contract/prices.ts";
import type { Balance, CallRequest, ChargeRequest, Decision } from "../../metering/store.ts";

/** A value, or 0 where it is the one before. */
type OrSame<Value> = Value | 0;

type PackedRequest =
  | readonly [
      price: number,
      charge: number,
      hasSlot: 0 | 1,
      isTest: 0 | 1,
      keyId: OrSame<string>,
      operation: OrSame<LedgerOperation>,
      address: OrSame<string | null>,
    ]
  /** One that is asked rarely, as it is. */
  | ChargeRequest;

export type PackedRequests = readonly PackedRequest[];

/** An outcome and what changes with each call, and the rest of the balance. */
type PackedDecision =
  | readonly [
      outcome: Outcome,
      charged: number,
      rateRemaining: number,
      tokensUsed: number,
      tokensRemaining: number,
      rest: OrSame<PackedRest>,
    ]
  /** One that is taken rarely, as it is. */
  | readonly ["whole", Decision];
type PackedRest = readonly [
  accountId: string,
  tierName: string,
  rateLimit: number,
  rateResetSeconds: number,
  tokensLimit: number,
  tokensResetSeconds: number,
  month: number,
  nowMs: number,
];
/** What is decided of nearly all calls. */
type Short =
  | { readonly outcome: "granted"; readonly charged: number; readonly balance: Balance }
  | { readonly outcome: "rate"; readonly balance: Balance };
type Outcome = Short["outcome"];

/** Null where a decision is still to come. */
export type PackedDecisions = readonly (PackedDecision | null)[];

export function packRequests(requests: readonly ChargeRequest[]): PackedRequests {
  let before: CallRequest | undefined;
  return requests.map((request) => {
    if (!isPlainCall(request)) return request;
    const { price, charge, hasSlot, isTest, keyId, operation, address } = request;
    const same = before;
    before = request;
    return [
      price,
      charge,
      hasSlot === true ? 1 : 0,
      isTest === true ? 1 : 0,
      keyId === same?.keyId ? 0 : keyId,
      operation === same?.operation ? 0 : operation,
      same !== undefined && address === same.address ? 0 : (address ?? null),
    ];
  });
}

/** Whether a call tells nothing but what nearly all do. */
function isPlainCall(request: ChargeRequest): request is CallRequest {
  return (
    request.kind === "call" &&
    request.browser === undefined &&
    request.session === undefined &&
    request.keep === undefined &&
    request.wasLetIn === undefined
  );
}

export function unpackRequests(packed: PackedRequests): readonly ChargeRequest[] {
  let keyId = "";
  let operation: LedgerOperation = "other";
  let address: string | undefined;
  return packed.map((one) => {
    if (!isList(one)) return one;
    if (one[4] !== 0) keyId = one[4];
    if (one[5] !== 0) operation = one[5];
    if (one[6] !== 0) address = one[6] ?? undefined;
    const isTest = one[3] === 1 ? true : undefined;
    return {
      kind: "call",
      keyId,
      isTest,
      operation,
      price: one[0],
      charge: one[1],
      hasSlot: one[2] === 1,
      address,
    };
  });
}

/** @param decisions undefined where one is still to come */
export function packDecisions(decisions: readonly (Decision | undefined)[]): PackedDecisions {
  let before: Balance | undefined;
  return decisions.map((decision) => {
    if (decision === undefined) return null;
    if (!isShort(decision)) return ["whole", decision];
    const { outcome, balance } = decision;
    const charged = outcome === "granted" ? decision.charged : 0;
    const { rateRemaining, tokensUsed, tokensRemaining } = balance;
    const rest = before !== undefined && isOfSame(balance, before) ? 0 : packRest(balance);
    before = balance;
    return [outcome, charged, rateRemaining, tokensUsed, tokensRemaining, rest];
  });
}

function packRest(balance: Balance): PackedRest {
  return [
    balance.accountId,
    balance.tierName,
    balance.rateLimit,
    balance.rateResetSeconds,
    balance.tokensLimit,
    balance.tokensResetSeconds,
    balance.month,
    balance.nowMs,
  ];
}

function isShort(decision: Decision): decision is Short {
  if (decision.outcome !== "granted" && decision.outcome !== "rate") return false;
  return decision.balance.tookBackMs === undefined && decision.balance.keyDay === undefined;
}

function isOfSame(one: Balance, before: Balance): boolean {
  return (
    one.accountId === before.accountId &&
    one.rateResetSeconds === before.rateResetSeconds &&
    one.nowMs === before.nowMs &&
    one.tierName === before.tierName &&
    one.rateLimit === before.rateLimit &&
    one.tokensLimit === before.tokensLimit &&
    one.tokensResetSeconds === before.tokensResetSeconds &&
    one.month === before.month
  );
}

export function unpackDecisions(packed: PackedDecisions): (Decision | undefined)[] {
  let rest: PackedRest = ["", "", 0, 0, 0, 0, 0, 0];
  return packed.map((one) => {
    if (one === null) return undefined;
    if (one[0] === "whole") return one[1];
    if (one[5] !== 0) rest = one[5];
    const balance = {
      accountId: rest[0],
      tierName: rest[1],
      rateLimit: rest[2],
      rateRemaining: one[2],
      rateResetSeconds: rest[3],
      tokensLimit: rest[4],
      tokensUsed: one[3],
      tokensRemaining: one[4],
      tokensResetSeconds: rest[5],
      month: rest[6],
      nowMs: rest[7],
    };
    return one[0] === "granted"
      ? { outcome: one[0], charged: one[1], balance }
      : { outcome: one[0], balance };
  });
}

function isList(packed: PackedRequest): packed is Extract<PackedRequest, readonly unknown[]> {
  return Array.isArray(packed);
}
