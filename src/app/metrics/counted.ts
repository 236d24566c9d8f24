/** The table of counted metrics. Each label has a closed list of values, so that no caller can create further series. */
import { OPERATIONS } from "../../contract/prices.ts";
import { ROUTE_LABELS } from "../../http/routeLabels.ts";
import { PRODUCTS } from "../../kvk/api/results.ts";
import { STATES } from "../../vat/numbers/states.ts";

export interface CountedMetric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly meaning: string;
  /** Label names with their values. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Upper limits of the buckets of a histogram; `+Inf` is added. */
  readonly buckets?: readonly number[];
}

/** Replaces a value that is not listed. */
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
/** Begins like the list before it, so that one table serves both. */
export const OPERATION_LABELS: readonly string[] = [...CHARGED_OPERATIONS, NO_OPERATION, TEST_OPERATION];
export const REFUSALS = ["rate", "allowance", "forbidden", "key", "address", "unavailable"] as const;
const VERDICT_LABELS = ["validated", "stale", "malformed", "unvalidated"] as const;
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

/** Seconds: from cached data to the longest wait for an upstream. */
const CALL_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const UPSTREAM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DELAY_SECONDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];

export const MAIL_FAILURES = ["try", "lost"] as const;
const WORKED_LABELS = ["found", "failed"] as const;

type Labels = Readonly<Record<string, readonly string[]>>;

const counter = (meaning: string, labels: Labels = {}): CountedMetric => ({
  type: "counter",
  meaning,
  labels,
});
const gauge = (meaning: string, labels: Labels = {}): CountedMetric => ({ type: "gauge", meaning, labels });
const histogram = (meaning: string, buckets: readonly number[], labels: Labels = {}): CountedMetric => ({
  type: "histogram",
  meaning,
  labels,
  buckets,
});

/** Reported per process, for a bounded number of processes. Metrics without this label are summed. */
const PER_PROCESS: Labels = { worker: [] };

export const COUNTED = {
  opzoek_http_requests_total: counter(
    "Answered requests, by the route's pattern (`file`: one of the page's files; `-`: no route), the status and what the ledger files the call under (`-` without a good key, `test` with a test key).",
    { route: ROUTE_LABELS, status: STATUS_LABELS, operation: OPERATION_LABELS },
  ),
  opzoek_http_request_duration_seconds: histogram(
    "From a request's headers to the last byte of its answer; calls with a test key are left out, as some of them are slow on purpose.",
    CALL_SECONDS,
    { route: ROUTE_LABELS },
  ),
  opzoek_http_requests_aborted_total: counter(
    "Requests whose connection was reset before the answer had left.",
  ),
  opzoek_tokens_charged_total: counter(
    "Tokens charged by answered calls and numbers of lists, those of test keys left out.",
    { operation: CHARGED_OPERATIONS },
  ),
  opzoek_refusals_total: counter(
    "Refused calls: over the `rate` of a key, beyond the `allowance` of an account, `forbidden` to a good key, without a good `key`, too many from one `address`, or because the service was `unavailable`.",
    { reason: REFUSALS },
  ),
  opzoek_store_batch_requests: histogram(
    "Charge requests that a process sent to the state in one batch, which is one transaction.",
    [1, 2, 5, 10, 20, 50, 100, 200, 512],
  ),
  opzoek_store_batch_duration_seconds: histogram(
    "From putting a batch to the state until it was durable, or had failed.",
    STORE_SECONDS,
  ),
  opzoek_store_failures_total: counter("Calls of the state that failed because it was away."),
  opzoek_store_waiting_requests: gauge("Charge requests that wait for the store, seen once a second."),
  opzoek_verdicts_total: counter("Verdicts on VAT numbers that were made up for an answer, by `status`.", {
    status: VERDICT_LABELS,
  }),
  opzoek_vies_calls_total: counter(
    "Tries to ask VIES, each retry one more, by the number's state; `not-asked`: kept away by a breaker, or its turn did not come in time; `no-answer`: also an answer about another number.",
    { state: Object.keys(STATES), outcome: VIES_OUTCOMES },
  ),
  opzoek_vies_call_duration_seconds: histogram(
    "How long VIES took for such a try, without what it waited for its turn; those that were not asked are left out.",
    UPSTREAM_SECONDS,
  ),
  opzoek_kvk_calls_total: counter(
    "Tries to ask KVK's API, each retry one more; without an answer the outcome is its cause. KVK was not asked where it is `budget` or `free-share` (a limit on paid calls) or `not-asked` (kept away by a breaker or after too many unanswered calls, or its turn did not come in time).",
    { product: PRODUCTS, outcome: KVK_OUTCOMES },
  ),
  opzoek_kvk_call_duration_seconds: histogram(
    "How long KVK took for such a try, without what it waited for its turn; those that were not asked are left out.",
    UPSTREAM_SECONDS,
  ),
  opzoek_event_loop_delay_seconds: histogram(
    "The longest time in each second for which the event loop of a process was blocked.",
    DELAY_SECONDS,
    PER_PROCESS,
  ),
  opzoek_event_loop_busy_seconds_total: counter(
    "Time that the event loop of a process was busy; its rate is the part of a core that it uses.",
    PER_PROCESS,
  ),
  opzoek_heap_bytes: gauge("JavaScript heap in use by a process, sampled once a second.", PER_PROCESS),
  opzoek_list_numbers_total: counter(
    "Numbers of lists that were answered, with a result or with an error; lists of test keys are left out.",
    { outcome: WORKED_LABELS },
  ),
  opzoek_mail_failures_total: counter(
    "Tries to send a mail that failed (`try`; it is tried again unless the mail server refused the mail itself), and mails that were given up (`lost`).",
    { what: MAIL_FAILURES },
  ),
};

export type CountedName = keyof typeof COUNTED;
