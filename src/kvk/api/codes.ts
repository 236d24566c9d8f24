import type { KvkNoAnswer } from "./results.ts";

type Meaning = Omit<KvkNoAnswer, "kind" | "reason" | "isFromKvk">;

const NOT_FOUND = "not-found" as const;
const OUTAGE = { cause: "outage", scope: "product", isTransient: true } as const;
const REFUSED = { cause: "request", scope: "call", isTransient: false } as const;
/** "Try again in five minutes": the data of this one number is being worked on. */
const LATER = { cause: "later", scope: "call", isTransient: false, retryAfterSeconds: 300 } as const;

/**
 * KVK's error codes. A number that it holds for invalid counts as not found: for one and the same number it has
 * answered IPD0004 in one year and IPD5200 in the next. Sources: recorded answers for IPD0004, IPD0005, IPD0006, IPD5200
 * and IPD9999, notes of other clients for the rest.
 */
export const CODES: ReadonlyMap<string, Meaning | typeof NOT_FOUND> = new Map<
  string,
  Meaning | typeof NOT_FOUND
>([
  ["IPD0004", NOT_FOUND],
  ["IPD0005", NOT_FOUND],
  ["IPD0006", NOT_FOUND],
  ["IPD0007", NOT_FOUND],
  ["IPD0010", NOT_FOUND],
  ["IPD5200", NOT_FOUND],
  ["IPD0001", REFUSED],
  ["IPD1998", REFUSED],
  ["IPD1999", REFUSED],
  ["IPD5203", REFUSED],
  ["IPD1002", LATER],
  ["IPD1003", LATER],
  ["IPD9999", OUTAGE],
]);

/** A code that nobody knows says nothing of the company, and nothing of the next call. */
export const UNKNOWN_CODE: KvkNoAnswer = {
  kind: "no-answer",
  reason: "UNKNOWN_CODE",
  isFromKvk: true,
  cause: "outage",
  scope: "call",
  isTransient: false,
};

const FROM_KVK = { kind: "no-answer", isFromKvk: true } as const;
const OURS = { kind: "no-answer", isFromKvk: false } as const;

/** 401 or 403: the key is wrong, has ended or does not include the product. */
export const KEY_REFUSED: KvkNoAnswer = {
  ...FROM_KVK,
  reason: "KEY_REFUSED",
  cause: "configuration",
  scope: "key",
  isTransient: false,
};
/** 429: more calls than KVK allows, as when another program uses the same key. */
export const RATE_LIMITED: KvkNoAnswer = {
  ...FROM_KVK,
  reason: "RATE_LIMITED",
  cause: "later",
  scope: "kvk",
  isTransient: true,
};
/** 404 without a code of KVK: nothing of KVK's is at this address. It never means that a company does not exist. */
export const NO_SUCH_ADDRESS: KvkNoAnswer = {
  ...OURS,
  reason: "NO_SUCH_ADDRESS",
  cause: "configuration",
  scope: "product",
  isTransient: false,
};
/** Refused without a code. */
export const BAD_REQUEST: KvkNoAnswer = { ...FROM_KVK, reason: "BAD_REQUEST", ...REFUSED };
/** 5xx, whatever the body says. */
export const SERVER_FAILED: KvkNoAnswer = { ...FROM_KVK, reason: "SERVER_FAILED", ...OUTAGE };
/** What came was not what KVK answers: HTML, half of a JSON, another company, too much. */
export const UNREADABLE: KvkNoAnswer = { ...OURS, reason: "UNREADABLE", ...OUTAGE };
/** KVK could not be reached, or broke the connection. */
export const UNREACHABLE: KvkNoAnswer = { ...OURS, reason: "UNREACHABLE", ...OUTAGE, scope: "kvk" };
/** The certificate comes from a root that is not trusted: KVK's own private root has to be given. */
export const UNTRUSTED: KvkNoAnswer = {
  ...OURS,
  reason: "UNTRUSTED_CERTIFICATE",
  cause: "configuration",
  scope: "kvk",
  isTransient: false,
};
/** Nothing came in time. */
export const TIMED_OUT: KvkNoAnswer = {
  ...OURS,
  reason: "TIMED_OUT",
  cause: "outage",
  scope: "product",
  isTransient: false,
};
/** The time was over soon after the call went out: that says nothing of KVK. */
export const CUT_SHORT: KvkNoAnswer = { ...TIMED_OUT, reason: "CUT_SHORT", scope: "call" };
/** KVK was not asked: it had failed too often just before. */
export const NOT_ASKED: KvkNoAnswer = { ...CUT_SHORT, reason: "NOT_ASKED" };
/** KVK was not asked in time: too many calls were before this one. */
export const QUEUED_TOO_LONG: KvkNoAnswer = { ...CUT_SHORT, reason: "QUEUED_TOO_LONG" };
/** KVK was not asked: the operator's budget of paid calls is spent. */
export const BUDGET_SPENT: KvkNoAnswer = { ...CUT_SHORT, reason: "BUDGET_SPENT", cause: "budget" };
/** KVK was not asked: the accounts of free tiers have had their share of those calls. */
export const SHARE_SPENT: KvkNoAnswer = { ...CUT_SHORT, reason: "FREE_SHARE_SPENT", cause: "free-share" };
/** KVK was not asked: too many paid calls went unanswered lately. */
export const TOO_MANY_UNANSWERED: KvkNoAnswer = { ...CUT_SHORT, reason: "TOO_MANY_UNANSWERED" };
