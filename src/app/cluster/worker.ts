import cluster from "node:cluster";
import type { RunningService } from "../compose/service.ts";
import type { MetricsPart } from "../metrics/exposition.ts";

/** Messages between the primary process and its workers, as JSON. */
export type ToWorker =
  /** Drain and end. */
  | { readonly kind: "stop" }
  /** Answered by `metrics`; one worker also reads the metrics that are the same in all of them. */
  | { readonly kind: "read metrics"; readonly isOfService: boolean };

export type FromWorker =
  | {
      readonly kind: "listening";
      readonly address: string;
      readonly companies: number;
      readonly hasRegistry: boolean;
    }
  | { readonly kind: "metrics"; readonly parts: readonly MetricsPart[] };

/** The environment variable with the number of a worker, from 1. */
export const WORKER_NUMBER = "OPZOEK_WORKER";

/**
 * A worker without its primary process ends within this time, even if it hangs: longer than the longest DRAIN_DELAY_MS
 * and the drain after it.
 */
const ENDED_WITHIN_MS = 75_000;

let number: number | undefined;

/** The number of this process among the workers of a service, from 1; undefined if it is not a worker. */
export function workerNumber(): number | undefined {
  return number;
}

/**
 * Connects a worker to the primary process. Both the stop message and the end of the primary process act like a signal.
 */
export function joinCluster(environment: Readonly<Record<string, string | undefined>>): void {
  const { worker } = cluster;
  if (worker === undefined) return;
  number = Number(environment[WORKER_NUMBER]);
  // The channel does not keep this process alive.
  process.channel?.unref();
  worker.on("message", ({ kind }: ToWorker) => {
    if (kind === "stop") process.emit("SIGTERM", "SIGTERM");
  });
  worker.on("disconnect", () => {
    // Node.js would end the process at once and cut running calls.
    worker.exitedAfterDisconnect = true;
    process.emit("SIGTERM", "SIGTERM");
    setTimeout(() => process.exit(1), ENDED_WITHIN_MS).unref();
  });
}

/** Reports to the primary process that this worker listens, and makes its metrics readable. */
export function reportListening({ address, companies, hasRegistry, readMetrics }: RunningService): void {
  const { worker } = cluster;
  if (worker === undefined) return;
  const send = (message: FromWorker) => {
    if (worker.isConnected()) worker.send(message);
  };
  worker.on("message", async (message: ToWorker) => {
    if (message.kind !== "read metrics") return;
    // Failed readings are omitted, so nothing here rejects.
    send({ kind: "metrics", parts: await readMetrics(message.isOfService) });
  });
  send({ kind: "listening", address, companies, hasRegistry });
}
