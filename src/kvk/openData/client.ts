import type { Deviation } from "../../company/rejection.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { earlierOf } from "../../lib/deadline.ts";
import { Breaker, type CallOutcome } from "../../upstream/breaker.ts";
import { Bulkhead } from "../../upstream/bulkhead.ts";
import { type Guard, permitted, runGuarded } from "../../upstream/guards.ts";
import { type NoResponse, openPool } from "../../upstream/pool.ts";
import * as codes from "../api/codes.ts";
import type { KvkNoAnswer } from "../api/results.ts";
import type { KvkUpstream } from "../api/upstream.ts";
import { type OpenDataResult, readOpenData } from "./readOpenData.ts";

export interface OpenDataClientOptions {
  readonly upstream: KvkUpstream;
  /** Timeout of a call, milliseconds. */
  readonly callWithinMs: number;
  /** Called when the breaker opens or closes. */
  readonly onChange?: (isOpen: boolean, reason: string) => void;
  /** Called after each call with its duration in milliseconds, undefined when nothing was sent. */
  readonly onTried?: (result: OpenDataResult, tookMs: number | undefined) => void;
  /** Called for each field with an unexpected value. */
  readonly onDeviation?: (deviation: Deviation) => void;
  readonly now?: () => number;
  /** A monotonic clock, milliseconds. */
  readonly elapsed?: () => number;
}

/** A response takes a few hundred bytes. */
const MAX_BYTES = 256 * 1024;
const PATH = "/api/v1/hvds/basisbedrijfsgegevens/kvknummer/";
const MAX_CONCURRENT = 1;
const MAX_QUEUED = 10;
/** Calls are at least seconds apart, so few failures are many minutes. */
const TERMS = { failures: 3, openForMs: 60_000, maxOpenForMs: 1_800_000 };

/** @param baseUrl `https://opendata.kvk.nl` */
export function openDataOverHttp(baseUrl: string): KvkUpstream {
  const pool = openPool({ maxBytes: MAX_BYTES });
  return {
    get: (path, signal) => pool.ask(baseUrl + path, { headers: { accept: "application/json" }, signal }),
    close: () => pool.close(),
  };
}

/**
 * Calls KVK's open data, one call at a time and without retries, because it allows very few calls. Sends nothing while its breaker is
 * open. Never rejects.
 */
export class OpenDataClient {
  readonly #options: OpenDataClientOptions;
  readonly #elapsed: () => number;
  readonly #bulkhead = new Bulkhead(MAX_CONCURRENT, MAX_QUEUED);
  readonly #guards: readonly Guard<"open-data">[] = [
    { guarded: "open-data", name: "open-data", breaker: new Breaker(TERMS) },
  ];
  /** Whether KVK answered the last call by asking for a pause. */
  #isPaused = false;

  constructor(options: OpenDataClientOptions) {
    this.#options = options;
    this.#elapsed = options.elapsed ?? (() => performance.now());
  }

  /** Whether a call would be made now. */
  get permitsCalls(): boolean {
    return permitted(this.#guards, this.#elapsed());
  }

  /** The breaker, for metrics. */
  get shown(): { readonly what: "open-data"; readonly isOpen: boolean } {
    return { what: "open-data", isOpen: !this.permitsCalls };
  }

  /** `down` while its breaker counts as failing. A pause that KVK asks for is no failure. */
  get health(): "up" | "down" {
    const isFailing = this.#guards.some(({ breaker }) => breaker.isFailing(this.#elapsed()));
    return isFailing && !this.#isPaused ? "down" : "up";
  }

  close(): Promise<void> {
    return this.#options.upstream.close();
  }

  async ask(kvkNumber: KvkNumber, deadline: AbortSignal): Promise<OpenDataResult> {
    const guarded = () =>
      runGuarded(this.#guards, () => this.#call(kvkNumber, deadline), {
        now: this.#elapsed,
        callOutcome,
        pauseMs: (result) => (result?.kind === "no-answer" ? 1_000 * (result.retryAfterSeconds ?? 0) : 0),
        onChange: (_, isOpen, result) => this.#options.onChange?.(isOpen, reasonOf(result)),
      });
    const queued = await this.#bulkhead.run(async () => (await guarded()) ?? codes.NOT_ASKED, deadline);
    const result = queued ?? codes.QUEUED_TOO_LONG;
    if (result === codes.NOT_ASKED || result === codes.QUEUED_TOO_LONG) {
      this.#options.onTried?.(result, undefined);
    }
    return result;
  }

  async #call(kvkNumber: KvkNumber, deadline: AbortSignal): Promise<OpenDataResult> {
    const { upstream, callWithinMs, onTried, onDeviation = () => {}, now = Date.now } = this.#options;
    const startedMs = performance.now();
    const response = await upstream.get(PATH + kvkNumber, earlierOf(deadline, callWithinMs));
    const tookMs = performance.now() - startedMs;
    const result =
      response.kind === "response"
        ? readOpenData(response, new Date(now()).toISOString(), onDeviation)
        : unanswered(response, deadline);
    this.#isPaused = result.kind === "no-answer" && result.cause === "later";
    onTried?.(result, tookMs);
    return result;
  }
}

function unanswered({ kind }: NoResponse, deadline: AbortSignal): KvkNoAnswer {
  if (kind === "timed-out") return deadline.aborted ? codes.CUT_SHORT : codes.TIMED_OUT;
  if (kind === "untrusted") return codes.UNTRUSTED;
  return kind === "too-long" ? codes.UNREADABLE : codes.UNREACHABLE;
}

function callOutcome(result: OpenDataResult | undefined): CallOutcome {
  if (result === undefined) return "unknown";
  if (result.kind !== "no-answer") return "worked";
  if (result.scope !== "call") return "failed";
  return result.isFromKvk ? "worked" : "unknown";
}

function reasonOf(result: OpenDataResult | undefined): string {
  if (result === undefined) return "";
  return result.kind === "found" ? "answered" : result.reason;
}
