import type { ErrorCode } from "../../contract/errors.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import { KEYED_ROUTES, NO_ROUTE, PAGE_FILE, ROUTE_LABELS } from "../../http/routeLabels.ts";
import type { KvkResult, Product } from "../../kvk/api/results.ts";
import type { StateCode } from "../../vat/numbers/states.ts";
import type { Verdict } from "../../vat/verdicts/verdict.ts";
import type { ViesResult } from "../../vat/vies/results.ts";
import {
  COUNTED,
  type CountedName,
  KVK_OUTCOMES,
  NO_OPERATION,
  OPERATION_LABELS,
  OTHER,
  REFUSALS,
  STATUS_LABELS,
  TEST_OPERATION,
  VERDICT_LABELS,
  VIES_OUTCOMES,
} from "./counted.ts";
import { BUFFER_BYTES, cellsOf } from "./layout.ts";

/** What is counted of an answered request. */
export interface AnsweredRequest {
  readonly route: string;
  readonly status: number;
  readonly operation: string | undefined;
  /** Made with a test key. */
  readonly isTest?: true | undefined;
  readonly durationMs: number;
}

/** How numbers of a list went. */
export interface WorkedNumbers {
  readonly found: number;
  readonly failed: number;
  readonly tokens: number;
}

type Refusal = (typeof REFUSALS)[number];

/** Where each value of a label stands in its list; a value that is in none stands where `otherwise` does. */
function placesIn(values: readonly string[], otherwise: string): (value: string) => number {
  const places = new Map(values.map((value, index) => [value, index]));
  const other = places.get(otherwise) ?? 0;
  return (value) => places.get(value) ?? other;
}

const routePlace = placesIn(ROUTE_LABELS, PAGE_FILE);
const operationPlace = placesIn(OPERATION_LABELS, OTHER);
const verdictPlace = placesIn(VERDICT_LABELS, "unvalidated");
const refusalPlace = placesIn(REFUSALS, "unavailable");
const statePlace = placesIn(COUNTED.opzoek_vies_calls_total.labels.state, "XI");
const viesOutcomePlace = placesIn(VIES_OUTCOMES, "no-answer");
const productPlace = placesIn(COUNTED.opzoek_kvk_calls_total.labels.product, "basisprofiel");
const kvkOutcomePlace = placesIn(KVK_OUTCOMES, "outage");

/** By status, so that a call costs no text made of a number. */
const STATUS_PLACES = new Uint8Array(1_000).fill(STATUS_LABELS.indexOf(OTHER));
for (const [index, label] of STATUS_LABELS.entries()) {
  if (label !== OTHER) STATUS_PLACES[Number(label)] = index;
}
const KEYED = new Set(KEYED_ROUTES);

/** Why a call with a good key was refused, by the code that it was answered with. */
const REFUSALS_BY_CODE: Readonly<Partial<Record<ErrorCode, Refusal>>> = {
  RATE_LIMIT_EXCEEDED: "rate",
  QUOTA_EXCEEDED: "allowance",
  FORBIDDEN: "forbidden",
  SERVICE_UNAVAILABLE: "unavailable",
};

/**
 * Counts what happens in one thread, in a buffer that the main thread reads at any time. Nobody else writes to it, so that adding is a
 * plain addition; nothing is allocated for a call.
 */
export class Recorder {
  readonly #cells: Float64Array;

  /** @param buffer of {@link BUFFER_BYTES}, all zeros or what was counted before */
  constructor(buffer: SharedArrayBuffer) {
    if (buffer.byteLength !== BUFFER_BYTES) throw new RangeError("the buffer of metrics has another layout");
    this.#cells = new Float64Array(buffer);
  }

  answered({ route, status, operation, isTest, durationMs }: AnsweredRequest): void {
    const at = routePlace(route);
    const ofStatus = STATUS_PLACES[status] ?? 0;
    const series = (at * STATUS_LABELS.length + ofStatus) * OPERATION_LABELS.length;
    this.#add(
      "opzoek_http_requests_total",
      series + operationPlace(isTest ? TEST_OPERATION : (operation ?? NO_OPERATION)),
      1,
    );
    // How long a call with a test key takes its caller chooses, by the number that it asks for.
    if (!isTest) this.#observe("opzoek_http_request_duration_seconds", at, durationMs / 1_000);
    if (operation === undefined) this.#keyless(route, status);
  }

  /** A call with a good key was answered. */
  called(operation: LedgerOperation, code: ErrorCode | undefined, tokens: number): void {
    if (tokens > 0) this.#add("opzoek_tokens_charged_total", operationPlace(operation), tokens);
    const refusal = code === undefined ? undefined : REFUSALS_BY_CODE[code];
    if (refusal !== undefined) this.#refused(refusal);
  }

  /** Numbers of a list were answered, and kept with what they cost. */
  worked(operation: LedgerOperation, { found, failed, tokens }: WorkedNumbers): void {
    this.#add("opzoek_list_numbers_total", 0, found);
    this.#add("opzoek_list_numbers_total", 1, failed);
    if (tokens > 0) this.#add("opzoek_tokens_charged_total", operationPlace(operation), tokens);
  }

  aborted(): void {
    this.#add("opzoek_http_requests_aborted_total", 0, 1);
  }

  /** A batch of charge requests was decided, or had failed. */
  batch(requests: number, tookMs: number): void {
    this.#observe("opzoek_store_batch_requests", 0, requests);
    this.#observe("opzoek_store_batch_duration_seconds", 0, tookMs / 1_000);
  }

  storeFailed(): void {
    this.#add("opzoek_store_failures_total", 0, 1);
  }

  verdict(status: Verdict["status"]): void {
    this.#add("opzoek_verdicts_total", verdictPlace(status), 1);
  }

  /** @param tookMs undefined for a try that did not reach VIES */
  viesTried(state: StateCode, result: ViesResult, tookMs: number | undefined): void {
    const outcome = tookMs === undefined ? "not-asked" : viesOutcome(result);
    const series = statePlace(state) * VIES_OUTCOMES.length + viesOutcomePlace(outcome);
    this.#add("opzoek_vies_calls_total", series, 1);
    if (tookMs !== undefined) this.#observe("opzoek_vies_call_duration_seconds", 0, tookMs / 1_000);
  }

  /** @param tookMs undefined for a try that did not reach KVK */
  kvkTried(product: Product, result: KvkResult, tookMs: number | undefined): void {
    const outcome = tookMs === undefined ? unaskedOutcome(result) : kvkOutcome(result);
    const series = productPlace(product) * KVK_OUTCOMES.length + kvkOutcomePlace(outcome);
    this.#add("opzoek_kvk_calls_total", series, 1);
    if (tookMs !== undefined) this.#observe("opzoek_kvk_call_duration_seconds", 0, tookMs / 1_000);
  }

  /** What was seen of the thread itself in the second that has passed. */
  sampled(sample: {
    readonly delayMs: number;
    readonly busyMs: number;
    readonly heapBytes: number;
    readonly waitingRequests: number;
  }): void {
    this.#observe("opzoek_event_loop_delay_seconds", 0, sample.delayMs / 1_000);
    this.#add("opzoek_event_loop_busy_seconds_total", 0, sample.busyMs / 1_000);
    this.#cells[cellsOf("opzoek_thread_heap_bytes").offset] = sample.heapBytes;
    this.#cells[cellsOf("opzoek_store_waiting_requests").offset] = sample.waitingRequests;
  }

  /** Without a good key only the status tells why: a session of the page that ended is no refusal of the API. */
  #keyless(route: string, status: number): void {
    const isApi = KEYED.has(route);
    if (status === 401 && isApi) this.#refused("key");
    else if (status === 503 && isApi) this.#refused("unavailable");
    else if (status === 429 && (isApi || route === NO_ROUTE || !route.startsWith("/account"))) {
      this.#refused("address");
    }
  }

  #refused(reason: Refusal): void {
    this.#add("opzoek_refusals_total", refusalPlace(reason), 1);
  }

  #add(name: CountedName, series: number, by: number): void {
    const cell = cellsOf(name).offset + series;
    this.#cells[cell] = (this.#cells[cell] ?? 0) + by;
  }

  #observe(name: CountedName, series: number, value: number): void {
    const { offset, cellsPerSeries, metric } = cellsOf(name);
    const { buckets = [] } = metric;
    let bucket = 0;
    while (bucket < buckets.length && value > (buckets[bucket] ?? 0)) bucket += 1;
    const first = offset + series * cellsPerSeries;
    const sum = first + buckets.length + 1;
    this.#cells[first + bucket] = (this.#cells[first + bucket] ?? 0) + 1;
    this.#cells[sum] = (this.#cells[sum] ?? 0) + value;
  }
}

function viesOutcome(result: ViesResult): (typeof VIES_OUTCOMES)[number] {
  if (result.kind !== "answer") return result.kind;
  return result.valid ? "valid" : "invalid";
}

function kvkOutcome(result: KvkResult): (typeof KVK_OUTCOMES)[number] {
  if (result.kind === "no-answer") return result.cause;
  return result.kind === "body" ? "found" : "not-found";
}

/** Why KVK was not asked: of the limits on paid calls each is told by itself. */
function unaskedOutcome(result: KvkResult): (typeof KVK_OUTCOMES)[number] {
  const isLimit = result.kind === "no-answer" && (result.cause === "budget" || result.cause === "free-share");
  return isLimit ? result.cause : "not-asked";
}
