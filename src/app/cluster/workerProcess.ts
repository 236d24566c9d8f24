import cluster, { type Worker } from "node:cluster";
import { withTimeout } from "../../lib/deadline.ts";
import type { MetricsPart } from "../metrics/exposition.ts";
import { type FromWorker, type ToWorker, WORKER_NUMBER } from "./worker.ts";

export type Listening = Extract<FromWorker, { kind: "listening" }>;

/** How a worker ended: by an exit code or by a signal. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Longer than a worker takes for its slowest reading. */
const READ_WITHIN_MS = 4_000;

/** A worker process, managed by the primary process. */
export class WorkerProcess {
  /** From 1; its replacement has the same number. */
  readonly number: number;
  /** Resolved when it listens. */
  readonly listening: Promise<Listening>;
  readonly ended: Promise<WorkerEnd>;
  isListening = false;
  /** Its metrics at the last read. */
  lastParts: readonly MetricsPart[] = [];
  readonly #worker: Worker;
  #reading: PromiseWithResolvers<readonly MetricsPart[]> | undefined;
  #askedAtMs = 0;

  /** @param environment variables of this worker alone */
  constructor(number: number, environment: Readonly<Record<string, string>>) {
    this.number = number;
    this.#worker = cluster.fork({ ...environment, [WORKER_NUMBER]: String(number) });
    const listening = Promise.withResolvers<Listening>();
    const ended = Promise.withResolvers<WorkerEnd>();
    this.listening = listening.promise;
    this.ended = ended.promise;
    this.#worker.on("message", (message: FromWorker) => {
      if (message.kind === "metrics") {
        this.lastParts = message.parts;
        this.#reading?.resolve(message.parts);
        this.#reading = undefined;
      } else {
        this.isListening = true;
        listening.resolve(message);
      }
    });
    // Ignore errors of a worker that has just ended: `exit` reports it.
    this.#worker.on("error", () => {});
    this.#worker.on("exit", (code: number | null, signal: string | null) => {
      this.isListening = false;
      this.#reading?.resolve([]);
      ended.resolve({ code, signal });
    });
  }

  /** How long a request for its metrics has been unanswered. */
  get silentMs(): number {
    return this.#reading === undefined ? 0 : performance.now() - this.#askedAtMs;
  }

  /** Its current metrics; empty while it does not respond. */
  async readMetrics(isOfService: boolean): Promise<readonly MetricsPart[]> {
    if (this.#reading !== undefined || !this.isListening) return [];
    this.#reading = Promise.withResolvers();
    this.#askedAtMs = performance.now();
    const { promise } = this.#reading;
    this.#send({ kind: "read metrics", isOfService });
    return (await withTimeout(READ_WITHIN_MS, promise)) ?? [];
  }

  /** Makes it drain and end. Not by a signal: a terminal also sends one to it, and a second one ends it at once. */
  stop(): void {
    if (this.isListening) this.#send({ kind: "stop" });
    // A worker that is still loading reads no messages.
    else this.#worker.process.kill("SIGTERM");
  }

  kill(): void {
    this.#worker.process.kill("SIGKILL");
  }

  #send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message);
  }
}
