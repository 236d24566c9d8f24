import type { ErrorCode } from "../../contract/errors.ts";
import { type LedgerOperation, OPERATIONS } from "../../contract/prices.ts";
import type { Answered } from "../../http/parts.ts";
import { KEYED_ROUTES, NO_ROUTE, PAGE_FILE, ROUTE_LABELS } from "../../http/routeLabels.ts";
import { PRODUCTS } from "../../kvk/api/results.ts";
import type { SourceResult } from "../../kvk/liveSource.ts";
import { STATES, type StateCode } from "../../vat/numbers/states.ts";
import type { ViesResult } from "../../vat/vies/results.ts";
import { CountedMetrics } from "./counted.ts";

/** Replaces a value that is not listed. */
const OTHER = "other";
/** A call without a valid key has no operation, as in the log. */
const NO_OPERATION = "-";
/** Replaces the operation of a call with a test key, whose response says nothing about the service. */
const TEST_OPERATION = "test";
const CHARGED_OPERATIONS: readonly string[] = [...OPERATIONS, OTHER];
export const OPERATION_LABELS: readonly string[] = [...CHARGED_OPERATIONS, NO_OPERATION, TEST_OPERATION];
export const STATUS_LABELS = [
  ...[
    200, 201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 405, 409, 410, 413, 415, 416, 429, 500, 502, 503,
  ].map(String),
  OTHER,
];
const REFUSALS = ["rate", "allowance", "forbidden", "key", "address", "unavailable"] as const;
const VIES_OUTCOMES = ["valid", "invalid", "no-answer", "not-asked", "requester-refused"] as const;
const KVK_PRODUCTS = [...PRODUCTS, "open-data"] as const;
const COURT_OPERATIONS = ["searchModifiedSince", "searchRemovedSince", "getCase"] as const;
const PEPPOL_OUTCOMES = ["registered", "not-registered", "busy", "no-answer"] as const;
const COURT_OUTCOMES = ["found", "none", "expired", "no-answer"] as const;
const KVK_OUTCOMES = [
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

/** Reported per process, for a bounded number of processes. Metrics without this label are summed. */
const PER_PROCESS = { worker: [] };

type AnsweredRequest = Pick<Answered, "route" | "status" | "operation" | "durationMs"> &
  Partial<Pick<Answered, "isTest">>;

type Refusal = (typeof REFUSALS)[number];

const ROUTES = new Set(ROUTE_LABELS);
const OPERATION_NAMES = new Set(OPERATION_LABELS);
const STATUSES = new Set(STATUS_LABELS);
const KEYED = new Set(KEYED_ROUTES);

/** The reasons for refusing a call with a valid key, by error code. */
const REFUSALS_BY_CODE: Readonly<Partial<Record<ErrorCode, Refusal>>> = {
  RATE_LIMIT_EXCEEDED: "rate",
  QUOTA_EXCEEDED: "allowance",
  FORBIDDEN: "forbidden",
  SERVICE_UNAVAILABLE: "unavailable",
};

/** Counts the events of this process. */
export class Recorder {
  readonly metrics = new CountedMetrics();
  readonly #requests = this.metrics.counter(
    "opzoek_http_requests_total",
    "Answered requests, by the route's pattern (`file`: one of the page's files; `-`: no route), the status and the operation in the ledger (`-` without a valid key, `test` with a test key).",
    { route: ROUTE_LABELS, status: STATUS_LABELS, operation: OPERATION_LABELS },
  );
  readonly #durations = this.metrics.histogram(
    "opzoek_http_request_duration_seconds",
    "Time from the headers of a request to the last byte of its response; without calls with test keys, some of which are slow on purpose.",
    CALL_SECONDS,
    { route: ROUTE_LABELS },
  );
  readonly aborted = this.metrics.counter(
    "opzoek_http_requests_aborted_total",
    "Requests whose connection was reset before the response was sent.",
  );
  readonly #tokens = this.metrics.counter(
    "opzoek_tokens_charged_total",
    "Tokens charged for calls and numbers of lists, without those of test keys.",
    { operation: CHARGED_OPERATIONS },
  );
  readonly #refusals = this.metrics.counter(
    "opzoek_refusals_total",
    "Refused calls: over the `rate` of a key, beyond the `allowance` of an account, `forbidden` to a valid key, without a valid `key`, too many from one `address`, or because the service was `unavailable`.",
    { reason: REFUSALS },
  );
  readonly #batchRequests = this.metrics.histogram(
    "opzoek_store_batch_requests",
    "Charge requests in one batch from a process to the state store; a batch is one transaction.",
    [1, 2, 5, 10, 20, 50, 100, 200, 512],
  );
  readonly #batchSeconds = this.metrics.histogram(
    "opzoek_store_batch_duration_seconds",
    "Time from sending a batch to the state store until it was durable or failed.",
    STORE_SECONDS,
  );
  readonly storeFailures = this.metrics.counter(
    "opzoek_store_failures_total",
    "Calls to the state store that failed because it was unavailable.",
  );
  readonly #waitingRequests = this.metrics.gauge(
    "opzoek_store_waiting_requests",
    "Charge requests waiting for the store, sampled once a second.",
  );
  readonly verdicts = this.metrics.counter(
    "opzoek_verdicts_total",
    "Verdicts on VAT numbers in responses, by `status`.",
    { status: ["validated", "stale", "malformed", "unvalidated"] },
  );
  readonly #viesCalls = this.metrics.counter(
    "opzoek_vies_calls_total",
    "Calls to VIES, retries included, by the number's state; `not-asked`: not sent, because of a breaker or too long a queue; `no-answer`: no answer, or an answer about another number.",
    { state: Object.keys(STATES), outcome: VIES_OUTCOMES },
  );
  readonly #viesSeconds = this.metrics.histogram(
    "opzoek_vies_call_duration_seconds",
    "Time that VIES took for a call, without the time in the queue and without calls that were not sent.",
    UPSTREAM_SECONDS,
  );
  readonly #kvkCalls = this.metrics.counter(
    "opzoek_kvk_calls_total",
    "Calls to KVK's API and open data, retries included; `abonnementen` is the Mutatieservice. Without an answer the outcome is the cause. Calls with the outcome `budget` or `free-share` (a limit on paid calls) or `not-asked` (a breaker, too many unanswered calls, or too long a queue) were not sent.",
    { product: KVK_PRODUCTS, outcome: KVK_OUTCOMES },
  );
  readonly #kvkSeconds = this.metrics.histogram(
    "opzoek_kvk_call_duration_seconds",
    "Time that KVK took for a call, without the time in the queue and without calls that were not sent.",
    UPSTREAM_SECONDS,
  );
  readonly courtCalls = this.metrics.counter(
    "opzoek_court_calls_total",
    "Calls to the court's insolvency register; `expired`: everything must be loaded again.",
    { operation: COURT_OPERATIONS, outcome: COURT_OUTCOMES },
  );
  readonly peppolQuestions = this.metrics.counter(
    "opzoek_peppol_questions_total",
    "Questions to the Peppol network about one identifier; `no-answer` also counts those that were not sent.",
    { outcome: PEPPOL_OUTCOMES },
  );
  readonly courtUnknownCodes = this.metrics.counter(
    "opzoek_court_unknown_codes_total",
    "Publications of the court with a code that this program does not know.",
  );
  readonly courtDifferences = this.metrics.counter(
    "opzoek_court_differences_total",
    "Answers in which the court's register and KVK's open data differed; the court's was returned.",
  );
  readonly #delays = this.metrics.histogram(
    "opzoek_event_loop_delay_seconds",
    "The longest time in each second for which the event loop of a process was blocked.",
    DELAY_SECONDS,
    PER_PROCESS,
  );
  readonly #busy = this.metrics.counter(
    "opzoek_event_loop_busy_seconds_total",
    "Time that the event loop of a process was busy; its rate is the fraction of a core that it uses.",
    PER_PROCESS,
  );
  readonly #heap = this.metrics.gauge(
    "opzoek_heap_bytes",
    "JavaScript heap in use by a process, sampled once a second.",
    PER_PROCESS,
  );
  readonly #listNumbers = this.metrics.counter(
    "opzoek_list_numbers_total",
    "Numbers of lists that were answered, with a result or an error; without lists of test keys.",
    { outcome: ["found", "failed"] },
  );
  readonly mailFailures = this.metrics.counter(
    "opzoek_mail_failures_total",
    "Failed attempts to send mail (`try`, retried unless the mail server rejected the mail itself), and dropped mails (`lost`).",
    { what: ["try", "lost"] },
  );
  readonly #worker: string;

  /** @param worker the label of metrics that are reported per process */
  constructor(worker: string) {
    this.#worker = worker;
  }

  /** Records the response to any request. */
  answered({ route, status, operation, isTest, durationMs }: AnsweredRequest): void {
    const known = ROUTES.has(route) ? route : PAGE_FILE;
    this.#requests.inc({
      route: known,
      status: oneOf(STATUSES, String(status)),
      operation: isTest ? TEST_OPERATION : oneOf(OPERATION_NAMES, operation ?? NO_OPERATION),
    });
    // The caller of a test key chooses the duration, by the requested number.
    if (!isTest) this.#durations.observe({ route: known }, durationMs / 1_000);
    if (operation === undefined) this.#keyless(route, status);
  }

  /** Records a response to a call with a valid key. */
  called(operation: LedgerOperation, code: ErrorCode | undefined, tokens: number): void {
    this.#charged(operation, tokens);
    const refusal = code === undefined ? undefined : REFUSALS_BY_CODE[code];
    if (refusal !== undefined) this.#refused(refusal);
  }

  /** Records numbers of a list that were processed and stored with their charges. */
  worked(
    operation: LedgerOperation,
    { found, failed, tokens }: { readonly found: number; readonly failed: number; readonly tokens: number },
  ): void {
    this.#listNumbers.inc({ outcome: "found" }, found);
    this.#listNumbers.inc({ outcome: "failed" }, failed);
    this.#charged(operation, tokens);
  }

  /** Records a batch of charge requests that was decided, or failed. */
  batch(requests: number, tookMs: number): void {
    this.#batchRequests.observe(requests);
    this.#batchSeconds.observe(tookMs / 1_000);
  }

  /** @param tookMs undefined for an attempt that did not reach VIES */
  viesTried(state: StateCode, result: ViesResult, tookMs: number | undefined): void {
    this.#viesCalls.inc({ state, outcome: tookMs === undefined ? "not-asked" : viesOutcome(result) });
    if (tookMs !== undefined) this.#viesSeconds.observe(tookMs / 1_000);
  }

  /** @param tookMs undefined for an attempt that did not reach KVK */
  kvkTried(
    product: (typeof KVK_PRODUCTS)[number],
    result: SourceResult<unknown>,
    tookMs: number | undefined,
  ): void {
    const outcome = tookMs === undefined ? unaskedOutcome(result) : kvkOutcome(result);
    this.#kvkCalls.inc({ product, outcome });
    if (tookMs !== undefined) this.#kvkSeconds.observe(tookMs / 1_000);
  }

  /** Records a second of the process: `delayMs` is the longest time for which its event loop was blocked. */
  sampled(sample: Readonly<Record<"delayMs" | "busyMs" | "heapBytes" | "waitingRequests", number>>): void {
    const worker = this.#worker;
    this.#delays.observe({ worker }, sample.delayMs / 1_000);
    this.#busy.inc({ worker }, sample.busyMs / 1_000);
    this.#heap.set({ worker }, sample.heapBytes);
    this.#waitingRequests.set(sample.waitingRequests);
  }

  /**
   * Counts the refusal of a request without a valid key, by its status. An ended session of the page is not a refusal
   * of the API.
   */
  #keyless(route: string, status: number): void {
    const isApi = KEYED.has(route);
    if (status === 401 && isApi) this.#refused("key");
    else if (status === 503 && isApi) this.#refused("unavailable");
    else if (status === 429 && (isApi || route === NO_ROUTE || !route.startsWith("/account"))) {
      this.#refused("address");
    }
  }

  #refused(reason: Refusal): void {
    this.#refusals.inc({ reason });
  }

  #charged(operation: LedgerOperation, tokens: number): void {
    if (tokens > 0) this.#tokens.inc({ operation: oneOf(OPERATION_NAMES, operation) }, tokens);
  }
}

/** The value, or `other` if it is not listed. */
function oneOf(known: ReadonlySet<string>, value: string): string {
  return known.has(value) ? value : OTHER;
}

function viesOutcome(result: ViesResult): (typeof VIES_OUTCOMES)[number] {
  if (result.kind !== "answer") return result.kind;
  return result.valid ? "valid" : "invalid";
}

function kvkOutcome(result: SourceResult<unknown>): (typeof KVK_OUTCOMES)[number] {
  return result.kind === "no-answer" ? result.cause : result.kind;
}

/** The reason for not calling KVK: each limit on paid calls is reported separately. */
function unaskedOutcome(result: SourceResult<unknown>): (typeof KVK_OUTCOMES)[number] {
  const isLimit = result.kind === "no-answer" && (result.cause === "budget" || result.cause === "free-share");
  return isLimit ? result.cause : "not-asked";
}
