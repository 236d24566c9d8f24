import type { Deviation } from "../../company/rejection.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { known } from "../../lib/values.ts";
import { Breakers, type GuardedPart, type ShownBreaker } from "../../upstream/breakers.ts";
import { GuardedClient } from "../../upstream/guardedClient.ts";
import { openHttpPool } from "../../upstream/pool.ts";
import * as codes from "../api/codes.ts";
import type { KvkScope } from "../api/results.ts";
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
const TARGET = "open-data";
const MAX_CONCURRENT = 1;
const MAX_QUEUED = 10;
/** Calls are at least seconds apart, so few failures are many minutes. */
const PARTS: readonly GuardedPart<KvkScope>[] = [
  {
    name: TARGET,
    failures: 3,
    openForMs: 60_000,
    maxOpenForMs: 1_800_000,
    failedBy: ["key", "kvk", "product"],
    clearedBy: ["call"],
  },
];

/** @param baseUrl `https://opendata.kvk.nl` */
export function openDataOverHttp(baseUrl: string): KvkUpstream {
  const pool = openHttpPool({ maxBytes: MAX_BYTES });
  return {
    get: (path, signal) => pool.ask(baseUrl + path, { headers: { accept: "application/json" }, signal }),
    close: () => pool.close(),
  };
}

/**
 * Calls KVK's open data, one call at a time and without retries, because it allows very few calls. Sends nothing while
 * its breaker is open. Never rejects.
 */
export class OpenDataClient {
  readonly #options: OpenDataClientOptions;
  readonly #breakers: Breakers<typeof TARGET, KvkScope>;
  readonly #client: GuardedClient<typeof TARGET, KvkScope, OpenDataResult>;

  constructor(options: OpenDataClientOptions) {
    const { callWithinMs, elapsed, onChange, onTried } = options;
    this.#options = options;
    this.#breakers = new Breakers(PARTS, {
      ...known("now", elapsed),
      onChange: (_, isOpen, reason) => onChange?.(isOpen, reason),
    });
    this.#client = new GuardedClient<typeof TARGET, KvkScope, OpenDataResult>({
      breakers: this.#breakers,
      atOnce: MAX_CONCURRENT,
      maxQueued: MAX_QUEUED,
      maxRetries: 0,
      callWithinMs,
      onTried: (_, result, tookMs) => onTried?.(result, tookMs),
      results: codes.ENDED_HERE,
    });
  }

  /** Whether a call would be made now. */
  get permitsCalls(): boolean {
    return this.#breakers.permits(TARGET);
  }

  /** The breaker, for metrics. */
  get shown(): ShownBreaker {
    return { what: TARGET, isOpen: !this.permitsCalls };
  }

  /** `down` while its breaker counts as failing. */
  get health(): "up" | "down" {
    return this.#breakers.failing.isShared ? "down" : "up";
  }

  close(): Promise<void> {
    return this.#options.upstream.close();
  }

  ask(kvkNumber: KvkNumber, deadline: AbortSignal): Promise<OpenDataResult> {
    const { upstream, onDeviation = () => {}, now = Date.now } = this.#options;
    return this.#client.ask(TARGET, deadline, (send) =>
      send(async (signal) => {
        const response = await upstream.get(PATH + kvkNumber, signal);
        if (response.kind !== "response") return codes.NO_RESPONSES[response.kind];
        const result = readOpenData(response, new Date(now()).toISOString(), onDeviation);
        // A refusal for the rate is no failure: KVK counts the calls of all its users together.
        return "reason" in result && result.reason === codes.RATE_LIMITED.reason
          ? { ...result, scope: "call" }
          : result;
      }),
    );
  }
}
