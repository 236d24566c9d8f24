import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ErrorCode } from "../../contract/errors.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import type { Answered } from "../../http/parts.ts";
import { KEYED_ROUTES, NO_ROUTE, PAGE_FILE, ROUTE_LABELS } from "../../http/routeLabels.ts";
import type { SourceResult } from "../../kvk/liveSource.ts";
import type { StateCode } from "../../vat/numbers/states.ts";
import type { Verdict } from "../../vat/verdicts/verdict.ts";
import type { ViesResult } from "../../vat/vies/results.ts";
import {
  COUNTED,
  type CountedMetric,
  type CountedName,
  type KVK_OUTCOMES,
  type KVK_PRODUCTS,
  type MAIL_FAILURES,
  NO_OPERATION,
  OPERATION_LABELS,
  OTHER,
  type REFUSALS,
  STATUS_LABELS,
  TEST_OPERATION,
  type VIES_OUTCOMES,
} from "./counted.ts";
import { helpOf } from "./exposition.ts";

type AnsweredRequest = Pick<Answered, "route" | "status" | "operation" | "durationMs"> &
  Partial<Pick<Answered, "isTest">>;

type Refusal = (typeof REFUSALS)[number];

/** Metrics with at most this many series are reported from the start, zeros included: a rate needs the start of a counter. */
const FEW_SERIES = 60;
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

/** Counts the events of this process, in the metrics of {@link COUNTED}. One method per kind of event. */
export class Recorder {
  readonly registry = new Registry();
  readonly #worker: string;
  readonly #requests = this.#counter("opzoek_http_requests_total");
  readonly #durations = this.#histogram("opzoek_http_request_duration_seconds");
  readonly #aborted = this.#counter("opzoek_http_requests_aborted_total");
  readonly #tokens = this.#counter("opzoek_tokens_charged_total");
  readonly #refusals = this.#counter("opzoek_refusals_total");
  readonly #batchRequests = this.#histogram("opzoek_store_batch_requests");
  readonly #batchDurations = this.#histogram("opzoek_store_batch_duration_seconds");
  readonly #storeFailures = this.#counter("opzoek_store_failures_total");
  readonly #waitingRequests = this.#gauge("opzoek_store_waiting_requests");
  readonly #verdicts = this.#counter("opzoek_verdicts_total");
  readonly #viesCalls = this.#counter("opzoek_vies_calls_total");
  readonly #viesDurations = this.#histogram("opzoek_vies_call_duration_seconds");
  readonly #kvkCalls = this.#counter("opzoek_kvk_calls_total");
  readonly #kvkDurations = this.#histogram("opzoek_kvk_call_duration_seconds");
  readonly #delays = this.#histogram("opzoek_event_loop_delay_seconds");
  readonly #busy = this.#counter("opzoek_event_loop_busy_seconds_total");
  readonly #heap = this.#gauge("opzoek_heap_bytes");
  readonly #mailFailures = this.#counter("opzoek_mail_failures_total");
  readonly #listNumbers = this.#counter("opzoek_list_numbers_total");

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

  mailFailed(what: (typeof MAIL_FAILURES)[number]): void {
    this.#mailFailures.inc({ what });
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

  /** Records a request whose connection was reset before the response. */
  aborted(): void {
    this.#aborted.inc();
  }

  /** Records a batch of charge requests that was decided, or failed. */
  batch(requests: number, tookMs: number): void {
    this.#batchRequests.observe(requests);
    this.#batchDurations.observe(tookMs / 1_000);
  }

  storeFailed(): void {
    this.#storeFailures.inc();
  }

  verdict(status: Verdict["status"]): void {
    this.#verdicts.inc({ status });
  }

  /** @param tookMs undefined for an attempt that did not reach VIES */
  viesTried(state: StateCode, result: ViesResult, tookMs: number | undefined): void {
    this.#viesCalls.inc({ state, outcome: tookMs === undefined ? "not-asked" : viesOutcome(result) });
    if (tookMs !== undefined) this.#viesDurations.observe(tookMs / 1_000);
  }

  /** @param tookMs undefined for an attempt that did not reach KVK */
  kvkTried(
    product: (typeof KVK_PRODUCTS)[number],
    result: SourceResult<unknown>,
    tookMs: number | undefined,
  ): void {
    const outcome = tookMs === undefined ? unaskedOutcome(result) : kvkOutcome(result);
    this.#kvkCalls.inc({ product, outcome });
    if (tookMs !== undefined) this.#kvkDurations.observe(tookMs / 1_000);
  }

  /** Records a second of the process: `delayMs` is the longest time for which its event loop was blocked. */
  sampled(sample: Readonly<Record<"delayMs" | "busyMs" | "heapBytes" | "waitingRequests", number>>): void {
    const worker = this.#worker;
    this.#delays.observe({ worker }, sample.delayMs / 1_000);
    this.#busy.inc({ worker }, sample.busyMs / 1_000);
    this.#heap.set({ worker }, sample.heapBytes);
    this.#waitingRequests.set(sample.waitingRequests);
  }

  /** Counts the refusal of a request without a valid key, by its status. An ended session of the page is not a refusal of the API. */
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

  #counter(name: CountedName): Counter {
    const counter = new Counter(this.#configOf(name));
    const series = seriesOf(COUNTED[name].labels);
    if (series.length <= FEW_SERIES) for (const one of series) counter.inc(one, 0);
    return counter;
  }

  #gauge(name: CountedName): Gauge {
    return new Gauge(this.#configOf(name));
  }

  #histogram(name: CountedName): Histogram {
    return new Histogram({ ...this.#configOf(name), buckets: [...(COUNTED[name].buckets ?? [])] });
  }

  #configOf(name: CountedName) {
    const { meaning, labels } = COUNTED[name];
    return { name, help: helpOf(meaning), labelNames: Object.keys(labels), registers: [this.registry] };
  }
}

/** Every combination of label values. */
function seriesOf(labels: CountedMetric["labels"]): Readonly<Record<string, string>>[] {
  let series: Readonly<Record<string, string>>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    series = series.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return series;
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
