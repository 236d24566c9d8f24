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
/** A call without a valid key has no operation, as in the log. */
export const NO_OPERATION = "-";

export const STATUS_LABELS = [
  ...[
    200, 201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 405, 409, 410, 413, 415, 416, 429, 500, 502, 503,
  ].map(String),
  OTHER,
];
/** Replaces the operation of a call with a test key, whose response says nothing about the service. */
export const TEST_OPERATION = "test";
const CHARGED_OPERATIONS: readonly string[] = [...OPERATIONS, OTHER];
/** Begins like the previous list, so that one set of known names serves both. */
export const OPERATION_LABELS: readonly string[] = [...CHARGED_OPERATIONS, NO_OPERATION, TEST_OPERATION];
export const REFUSALS = ["rate", "allowance", "forbidden", "key", "address", "unavailable"] as const;
const VERDICT_LABELS = ["validated", "stale", "malformed", "unvalidated"] as const;
export const VIES_OUTCOMES = ["valid", "invalid", "no-answer", "not-asked", "requester-refused"] as const;
export const KVK_PRODUCTS = [...PRODUCTS, "open-data"] as const;
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
    "Answered requests, by the route's pattern (`file`: one of the page's files; `-`: no route), the status and the operation in the ledger (`-` without a valid key, `test` with a test key).",
    { route: ROUTE_LABELS, status: STATUS_LABELS, operation: OPERATION_LABELS },
  ),
  opzoek_http_request_duration_seconds: histogram(
    "Time from the headers of a request to the last byte of its response; without calls with test keys, some of which are slow on purpose.",
    CALL_SECONDS,
    { route: ROUTE_LABELS },
  ),
  opzoek_http_requests_aborted_total: counter(
    "Requests whose connection was reset before the response was sent.",
  ),
  opzoek_tokens_charged_total: counter(
    "Tokens charged for calls and numbers of lists, without those of test keys.",
    { operation: CHARGED_OPERATIONS },
  ),
  opzoek_refusals_total: counter(
    "Refused calls: over the `rate` of a key, beyond the `allowance` of an account, `forbidden` to a valid key, without a valid `key`, too many from one `address`, or because the service was `unavailable`.",
    { reason: REFUSALS },
  ),
  opzoek_store_batch_requests: histogram(
    "Charge requests in one batch from a process to the state store; a batch is one transaction.",
    [1, 2, 5, 10, 20, 50, 100, 200, 512],
  ),
  opzoek_store_batch_duration_seconds: histogram(
    "Time from sending a batch to the state store until it was durable or failed.",
    STORE_SECONDS,
  ),
  opzoek_store_failures_total: counter("Calls to the state store that failed because it was unavailable."),
  opzoek_store_waiting_requests: gauge("Charge requests waiting for the store, sampled once a second."),
  opzoek_verdicts_total: counter("Verdicts on VAT numbers in responses, by `status`.", {
    status: VERDICT_LABELS,
  }),
  opzoek_vies_calls_total: counter(
    "Calls to VIES, retries included, by the number's state; `not-asked`: not sent, because of a breaker or too long a queue; `no-answer`: no answer, or an answer about another number.",
    { state: Object.keys(STATES), outcome: VIES_OUTCOMES },
  ),
  opzoek_vies_call_duration_seconds: histogram(
    "Time that VIES took for a call, without the time in the queue and without calls that were not sent.",
    UPSTREAM_SECONDS,
  ),
  opzoek_kvk_calls_total: counter(
    "Calls to KVK's API and open data, retries included; `abonnementen` is the Mutatieservice. Without an answer the outcome is the cause. Calls with the outcome `budget` or `free-share` (a limit on paid calls) or `not-asked` (a breaker, too many unanswered calls, or too long a queue) were not sent.",
    { product: KVK_PRODUCTS, outcome: KVK_OUTCOMES },
  ),
  opzoek_kvk_call_duration_seconds: histogram(
    "Time that KVK took for a call, without the time in the queue and without calls that were not sent.",
    UPSTREAM_SECONDS,
  ),
  opzoek_event_loop_delay_seconds: histogram(
    "The longest time in each second for which the event loop of a process was blocked.",
    DELAY_SECONDS,
    PER_PROCESS,
  ),
  opzoek_event_loop_busy_seconds_total: counter(
    "Time that the event loop of a process was busy; its rate is the fraction of a core that it uses.",
    PER_PROCESS,
  ),
  opzoek_heap_bytes: gauge("JavaScript heap in use by a process, sampled once a second.", PER_PROCESS),
  opzoek_list_numbers_total: counter(
    "Numbers of lists that were answered, with a result or an error; without lists of test keys.",
    { outcome: WORKED_LABELS },
  ),
  opzoek_mail_failures_total: counter(
    "Failed attempts to send mail (`try`, retried unless the mail server rejected the mail itself), and dropped mails (`lost`).",
    { what: MAIL_FAILURES },
  ),
};

export type CountedName = keyof typeof COUNTED;
