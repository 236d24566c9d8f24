import type { NoResponse } from "../../upstream/pool.ts";
import type { KvkNoAnswer } from "./results.ts";

type Meaning = Omit<KvkNoAnswer, "kind" | "reason" | "isFromUpstream">;

/** One call failed; an immediate retry does not help. */
const FAILED_ONCE = { cause: "outage", scope: "call", isTransient: false } as const;
const RETRY_KVK = { cause: "outage", scope: "kvk", isTransient: true } as const;
const OUTAGE = { cause: "outage", scope: "product", isTransient: true } as const;
const REFUSED = { cause: "request", scope: "call", isTransient: false } as const;
/** "Try again in five minutes": KVK is updating the data of this number. */
const LATER = { cause: "later", scope: "call", isTransient: false, retryAfterSeconds: 300 } as const;

/**
 * KVK's error codes. A number that KVK calls invalid counts as not found: for the same number it returned IPD0004 in
 * one year and IPD5200 in the next. Sources: recorded responses for IPD0004, IPD0005, IPD0006, IPD5200 and IPD9999,
 * notes of other clients for the rest.
 */
export const CODES: ReadonlyMap<string, Meaning | "not-found"> = new Map<string, Meaning | "not-found">([
  ["IPD0004", "not-found"],
  ["IPD0005", "not-found"],
  ["IPD0006", "not-found"],
  ["IPD0007", "not-found"],
  ["IPD0010", "not-found"],
  ["IPD5200", "not-found"],
  ["IPD0001", REFUSED],
  ["IPD1998", REFUSED],
  ["IPD1999", REFUSED],
  ["IPD5203", REFUSED],
  ["IPD1002", LATER],
  ["IPD1003", LATER],
  ["IPD9999", OUTAGE],
]);

const FROM_KVK = { kind: "no-answer", isFromUpstream: true } as const;
const OURS = { kind: "no-answer", isFromUpstream: false } as const;
const OPERATOR = { cause: "configuration", isTransient: false } as const;

/** An unknown code says nothing about the company or the next call. */
export const UNKNOWN_CODE: KvkNoAnswer = { ...FROM_KVK, reason: "UNKNOWN_CODE", ...FAILED_ONCE };
/** 401 or 403: the key is wrong, has expired or does not include the product. */
export const KEY_REFUSED: KvkNoAnswer = { ...FROM_KVK, reason: "KEY_REFUSED", ...OPERATOR, scope: "key" };
/** 429: more calls than KVK allows, for example because another program uses the same key. */
export const RATE_LIMITED: KvkNoAnswer = {
  ...FROM_KVK,
  reason: "RATE_LIMITED",
  ...RETRY_KVK,
  cause: "later",
};
/** 404 without one of KVK's codes: the address is wrong. It never means that a company does not exist. */
export const NO_SUCH_ADDRESS: KvkNoAnswer = {
  ...OURS,
  reason: "NO_SUCH_ADDRESS",
  ...OPERATOR,
  scope: "product",
};
/** Refused without a code. */
export const BAD_REQUEST: KvkNoAnswer = { ...FROM_KVK, reason: "BAD_REQUEST", ...REFUSED };
/** 5xx, whatever the body says. */
export const SERVER_FAILED: KvkNoAnswer = { ...FROM_KVK, reason: "SERVER_FAILED", ...OUTAGE };
/** Not a response of KVK: HTML, half a JSON, another company, too long. */
export const UNREADABLE: KvkNoAnswer = { ...OURS, reason: "UNREADABLE", ...OUTAGE };
/** KVK could not be reached, or closed the connection. */
export const UNREACHABLE: KvkNoAnswer = { ...OURS, reason: "UNREACHABLE", ...RETRY_KVK };
/** The certificate's root is not trusted: KVK's private root must be set. */
export const UNTRUSTED: KvkNoAnswer = { ...OURS, reason: "UNTRUSTED_CERTIFICATE", ...OPERATOR, scope: "kvk" };
/** No response in time. */
export const TIMED_OUT: KvkNoAnswer = { ...OURS, reason: "TIMED_OUT", ...FAILED_ONCE, scope: "product" };
/** The time ended soon after the call was sent, which says nothing about KVK. */
export const CUT_SHORT: KvkNoAnswer = { ...OURS, reason: "CUT_SHORT", ...FAILED_ONCE };
/** Not sent: KVK failed too often just before. */
export const NOT_ASKED: KvkNoAnswer = { ...CUT_SHORT, reason: "NOT_ASKED" };
/** Not sent in time: too many calls were queued. */
export const QUEUED_TOO_LONG: KvkNoAnswer = { ...CUT_SHORT, reason: "QUEUED_TOO_LONG" };
/** Not sent: the operator's budget of paid calls is spent. */
export const BUDGET_SPENT: KvkNoAnswer = { ...CUT_SHORT, reason: "BUDGET_SPENT", cause: "budget" };
/** Not sent: the accounts of free tiers have used their share of paid calls. */
export const SHARE_SPENT: KvkNoAnswer = { ...CUT_SHORT, reason: "FREE_SHARE_SPENT", cause: "free-share" };
/** Not sent: too many paid calls went unanswered lately. */
export const TOO_MANY_UNANSWERED: KvkNoAnswer = { ...CUT_SHORT, reason: "TOO_MANY_UNANSWERED" };

/** The results of calls without a response. */
export const NO_RESPONSES: Readonly<Record<NoResponse["kind"], KvkNoAnswer>> = {
  "timed-out": TIMED_OUT,
  "too-long": UNREADABLE,
  refused: UNREACHABLE,
  untrusted: UNTRUSTED,
  broken: UNREACHABLE,
};

/** The results of calls that a client ends. */
export const ENDED_HERE = {
  notAsked: NOT_ASKED,
  queuedTooLong: QUEUED_TOO_LONG,
  timedOut: TIMED_OUT,
  cutShort: CUT_SHORT,
  late: CUT_SHORT,
} as const;
