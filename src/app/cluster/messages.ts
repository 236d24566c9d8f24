/** Messages between the primary process and its workers, as JSON. */
import type { MetricsPart } from "../metrics/exposition.ts";

export type ToWorker =
  /** Drain and end. */
  | { readonly kind: "stop" }
  /** Answered by `metrics`; one worker also reads what all of them would report alike. */
  | { readonly kind: "read metrics"; readonly isOfService: boolean };

export type FromWorker =
  | {
      readonly kind: "listening";
      readonly address: string;
      readonly companies: number;
      readonly hasRegistry: boolean;
    }
  | { readonly kind: "metrics"; readonly parts: readonly MetricsPart[] };

/** The environment variable that tells a worker its number, from 1. */
export const WORKER_NUMBER = "OPZOEK_WORKER";
