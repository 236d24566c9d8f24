import cluster from "node:cluster";
import type { RunningService } from "../compose/service.ts";
import { type FromWorker, type ToWorker, WORKER_NUMBER } from "./messages.ts";

/** The number of this process among the workers of a service, from 1; undefined when it is none. */
export function workerNumber(): number | undefined {
  return cluster.isWorker ? Number(process.env[WORKER_NUMBER]) : undefined;
}

/** Heeds the primary process: its order to stop acts like a signal, and so does its end. */
export function heedPrimary(): void {
  const { worker } = cluster;
  if (worker === undefined) return;
  // The channel alone does not keep this process alive.
  process.channel?.unref();
  worker.on("message", ({ kind }: ToWorker) => {
    if (kind === "stop") process.emit("SIGTERM", "SIGTERM");
  });
  worker.on("disconnect", () => {
    // Node.js would end the process at once, and cut the calls that run.
    worker.exitedAfterDisconnect = true;
    process.emit("SIGTERM", "SIGTERM");
  });
}

/** Tells the primary process that this one listens, and reads its metrics for it from now on. */
export function reportListening({ address, companies, hasRegistry, readMetrics }: RunningService): void {
  const { worker } = cluster;
  if (worker === undefined) return;
  const send = (message: FromWorker) => {
    if (worker.isConnected()) worker.send(message);
  };
  worker.on("message", async (message: ToWorker) => {
    if (message.kind !== "read metrics") return;
    // Readings that fail are left out; nothing here rejects.
    send({ kind: "metrics", parts: await readMetrics(message.isOfService) });
  });
  send({ kind: "listening", address, companies, hasRegistry });
}
