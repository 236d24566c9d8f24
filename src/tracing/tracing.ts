import type { CallTracer } from "../http/call.ts";
import type { MeteringStore } from "../metering/store.ts";

/** Follows calls through the service, for a collector. */
export interface Tracing extends CallTracer {
  /** To be told of what calls ask of the store, before it is asked in batches. */
  asked(request: object): void;
  /** The same store, of which each batch is a span: part of the first call's trace, linked to the others. */
  batches(store: MeteringStore): MeteringStore;
  /**
   * Makes work that waits for an upstream a span of the call that began it; `outcomeOf` gives a word of a fixed set.
   * @param name such as `VIES`
   */
  upstream(name: string): <T>(work: () => Promise<T>, outcomeOf: (result: T) => string) => Promise<T>;
  /** Sends what was not sent yet, within a second. Never rejects. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** Of the collector, such as `http://127.0.0.1:4318`: spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** The share of traces that is recorded, from 0 to 1. */
  readonly share: number;
  /** Traces are chosen by it, so that callers cannot choose them. The same in all processes. */
  readonly secret: string;
  readonly version: string;
  /** Called when spans were lost, at most once a minute. */
  readonly onLost: () => void;
}
