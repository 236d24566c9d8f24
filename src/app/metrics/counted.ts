/** The table of what a process counts. Each label has a closed list of values, so that no caller can create another series. */
import { OPERATIONS } from "../../contract/prices.ts";
import { ROUTE_LABELS } from "../../http/routeLabels.ts";
import { PRODUCTS } from "../../kvk/api/results.ts";
import { STATES } from "../../vat/numbers/states.ts";

export interface CountedMetric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly meaning: string;
  /** Label names with their values. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram's buckets; `+Inf` comes with them. */
  readonly buckets?: readonly number[];
  /** Reported for each process, by the label `worker`; else the processes are added up. */
  readonly isPerProcess?: true;
}

/** Replaces a value that is in no list. */
export const OTHER = "other";
/** A call without a good key has no operation, as in the log. */
export const NO_OPERATION = "-";

export const STATUS_LABELS = [
  ...[
    200, 201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 405, 409, 410, 413, 415, 416, 429, 500, 502, 503,
  ].map(String),
  OTHER,
];
/** Replaces the operation of a call with a test key, whose answer says nothing about the service. */
export const TEST_OPERATION = "test";
const CHARGED_OPERATIONS: readonly string[] = [...OPERATIONS, OTHER];
/** It begins as the list before it does, so that one place serves both. */
export const OPERATION_LABELS: readonly string[] = [...CHARGED_OPERATIONS, NO_OPERATION, TEST_OPERATION];
export const REFUSALS = ["rate", "allowance", "forbidden", "key", "address", "unavailable"] as const;
export const VERDICT_LABELS = ["validated", "stale", "malformed", "unvalidated"] as const;
export const VIES_OUTCOMES = ["valid", "invalid", "no-answer", "not-asked", "requester-refused"] as const;
export const KVK_OUTCOMES = [
  "found",
  "not-found",
  "later",
  "outage",
  "configuration",
  "request",
  "budget",
  "free-share",
  "not-asked",
] as const;

/** Seconds: from what is held in memory to the longest wait for an upstream. */
const CALL_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const UPSTREAM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DELAY_SECONDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];

export const WORKED_LABELS = ["found", "failed"] as const;

export const COUNTED = {
  opzoek_http_requests_total: {
    type: "counter",
    meaning:
      "Answered requests, by the route's pattern (`file`: one of the page's files; `-`: no route), the status and what the ledger files the call under (`-` without a good key, `test` with a test key).",
    labels: { route: ROUTE_LABELS, status: STATUS_LABELS, operation: OPERATION_LABELS },
  },
  opzoek_http_request_duration_seconds: {
    type: "histogram",
    meaning:
      "From a request's headers to the last byte of its answer; calls with a test key are left out, as some of them are slow on purpose.",
    labels: { route: ROUTE_LABELS },
    buckets: CALL_SECONDS,
  },
  opzoek_http_requests_aborted_total: {
    type: "counter",
    meaning: "Requests whose connection was reset before the answer had left.",
    labels: {},
  },
  opzoek_tokens_charged_total: {
    type: "counter",
    meaning: "Tokens charged by answered calls and numbers of lists, those of test keys left out.",
    labels: { operation: CHARGED_OPERATIONS },
  },
  opzoek_refusals_total: {
    type: "counter",
    meaning:
      "Refused calls: over the `rate` of a key, beyond the `allowance` of an account, `forbidden` to a good key, without a good `key`, too many from one `address`, or because the service was `unavailable`.",
    labels: { reason: REFUSALS },
  },
  opzoek_store_batch_requests: {
    type: "histogram",
    meaning: "Charge requests that a process sent to the state in one batch, which is one transaction.",
    labels: {},
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 512],
  },
  opzoek_store_batch_duration_seconds: {
    type: "histogram",
    meaning: "From putting a batch to the state until it was durable, or had failed.",
    labels: {},
    buckets: STORE_SECONDS,
  },
  opzoek_store_failures_total: {
    type: "counter",
    meaning: "Calls of the state that failed because it was away.",
    labels: {},
  },
  opzoek_store_waiting_requests: {
    type: "gauge",
    meaning: "Charge requests that wait for the store, seen once a second.",
    labels: {},
  },
  opzoek_verdicts_total: {
    type: "counter",
    meaning: "Verdicts on VAT numbers that were made up for an answer, by `status`.",
    labels: { status: VERDICT_LABELS },
  },
  opzoek_vies_calls_total: {
    type: "counter",
    meaning:
      "Tries to ask VIES, each retry one more, by the number's state; `not-asked`: kept away by a breaker, or its turn did not come in time; `no-answer`: also an answer about another number.",
    labels: { state: Object.keys(STATES), outcome: VIES_OUTCOMES },
  },
  opzoek_vies_call_duration_seconds: {
    type: "histogram",
    meaning:
      "How long VIES took for such a try, without what it waited for its turn; those that were not asked are left out.",
    labels: {},
    buckets: UPSTREAM_SECONDS,
  },
  opzoek_kvk_calls_total: {
    type: "counter",
    meaning:
      "Tries to ask KVK's API, each retry one more; without an answer the outcome is its cause. KVK was not asked where it is `budget` or `free-share` (a limit on paid calls) or `not-asked` (kept away by a breaker or after too many unanswered calls, or its turn did not come in time).",
    labels: { product: PRODUCTS, outcome: KVK_OUTCOMES },
  },
  opzoek_kvk_call_duration_seconds: {
    type: "histogram",
    meaning:
      "How long KVK took for such a try, without what it waited for its turn; those that were not asked are left out.",
    labels: {},
    buckets: UPSTREAM_SECONDS,
  },
  opzoek_event_loop_delay_seconds: {
    type: "histogram",
    meaning: "The longest time in each second for which the event loop of a process was blocked.",
    labels: {},
    buckets: DELAY_SECONDS,
    isPerProcess: true,
  },
  opzoek_event_loop_busy_seconds_total: {
    type: "counter",
    meaning: "Time that the event loop of a process was busy; its rate is the part of a core that it uses.",
    labels: {},
    isPerProcess: true,
  },
  opzoek_heap_bytes: {
    type: "gauge",
    meaning: "JavaScript heap in use by a process, sampled once a second.",
    labels: {},
    isPerProcess: true,
  },
  opzoek_list_numbers_total: {
    type: "counter",
    meaning:
      "Numbers of lists that were answered, with a result or with an error; lists of test keys are left out.",
    labels: { outcome: WORKED_LABELS },
  },
} as const satisfies Readonly<Record<string, CountedMetric>>;

export type CountedName = keyof typeof COUNTED;

/** The labels of a metric, in the order in which the documentation lists them. */
export function labelNamesOf({ labels, isPerProcess }: CountedMetric): string[] {
  return [...Object.keys(labels), ...(isPerProcess === true ? ["worker"] : [])];
}
