import type { CallTracer } from "../../http/callTrace.ts";
import type { MeteringStore } from "../../metering/store.ts";

/** Follows calls through the service, for a collector. */
export interface Tracing extends CallTracer {
  /** Call it with each request to the store before it joins a batch. */
  chargeRequested(request: object): void;
  /** Wraps a store so that each batch is a span, in the trace of the first call and linked to the others. */
  batches(store: MeteringStore): MeteringStore;
  /**
   * Makes a span of work that waits for an upstream, below the call that started it; `outcomeOf` returns a word of a
   * fixed set.
   * @param name such as `VIES`
   */
  upstream(name: string): <T>(work: () => Promise<T>, outcomeOf: (result: T) => string) => Promise<T>;
  /** Sends the remaining spans, within a second. Never rejects. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** The address of the collector, such as `http://127.0.0.1:4318`: spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** The share of traces that is recorded, from 0 to 1. */
  readonly share: number;
  /** The secret by which traces are chosen, the same in all processes. */
  readonly secret: string;
  readonly version: string;
  /** Called when spans were lost, at most once a minute. */
  readonly onLost: () => void;
}
