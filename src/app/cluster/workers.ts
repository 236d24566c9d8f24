import cluster from "node:cluster";
import { AlreadyExplained } from "../../lib/operatorError.ts";
import type { Log } from "../log/log.ts";
import type { MetricsPart } from "../metrics/exposition.ts";
import type { MetricValues } from "../metrics/readings.ts";
import { type Listening, type WorkerEnd, WorkerProcess } from "./workerProcess.ts";

export interface WorkersOptions {
  readonly count: number;
  /** Environment variables of one worker alone. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** The first restart is immediate; each further one waits twice as long while workers end soon after their start. */
const RESTART_AFTER_MS = { first: 250, max: 8_000 } as const;
/** A worker that has listened this long shows that workers can start. */
const PROVEN_AFTER_MS = 10_000;
/** The service ends if no worker listens and this many in a row have ended before they listened. */
const MAX_FAILED_STARTS = 5;
/** The time that a responding worker gets after its drain timeout. */
const KILL_AFTER_MS = 700;
const FAILED = 1;

/** Workers cannot start. The log has the reason. */
export class WorkersCannotStart extends Error {
  constructor() {
    super(`no worker process is listening, and ${MAX_FAILED_STARTS} in a row failed to start`);
    this.name = "WorkersCannotStart";
  }
}

/** The worker processes of a service. Workers that end unexpectedly are replaced. */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #all = new Map<number, WorkerProcess>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #noneStarts = Promise.withResolvers<Error>();
  /** Resolved with the reason when workers cannot start. */
  readonly failed = this.#noneStarts.promise;
  readonly #refused = Promise.withResolvers<never>();
  /** The last metrics of workers that have ended since the last scrape. */
  #ended: MetricsPart[] = [];
  #hasStarted = false;
  #isStopping = false;
  /** The number of workers in a row that ended soon after their start. */
  #failures = 0;
  #failedStarts = 0;
  #lost = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
    // Workers accept connections themselves: one handed over to a worker that is then killed would hang.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    this.#refused.promise.catch(() => {});
    // Runs whenever this process ends, because a hanging worker would stay forever.
    process.once("exit", () => this.#kill());
  }

  /**
   * Starts the first worker, and the others once it listens, so that a problem with settings or state is printed only
   * once.
   * @throws {AlreadyExplained} if a worker ends before it listens
   */
  async start(): Promise<Listening> {
    const first = await Promise.race([this.#fork(1).listening, this.#refused.promise]);
    const others = Array.from({ length: this.#options.count - 1 }, (_, index) => this.#fork(index + 2));
    await Promise.race([Promise.all(others.map(({ listening }) => listening)), this.#refused.promise]);
    this.#hasStarted = true;
    return first;
  }

  get readings(): MetricValues {
    const listening = this.#listening;
    return {
      opzoek_workers_listening: listening.length,
      opzoek_workers_lost_total: this.#lost,
      opzoek_worker_silent_seconds: listening.map(({ number, silentMs }) => ({
        labels: { worker: String(number) },
        value: silentMs / 1_000,
      })),
    };
  }

  /** The metrics of all workers that respond. */
  async readMetrics(): Promise<readonly MetricsPart[]> {
    const responding = this.#listening.filter(({ silentMs }) => silentMs === 0);
    const read = await Promise.all(responding.map((worker, nth) => worker.readMetrics(nth === 0)));
    return read.flat();
  }

  /** The last metrics of ended workers, each returned once. */
  takeEndedMetrics(): readonly MetricsPart[] {
    return this.#ended.splice(0);
  }

  /** Makes all workers drain and end, each after the delay in the settings. */
  beginToStop(): void {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const worker of this.#all.values()) worker.stop();
  }

  /** Resolved when all workers have ended. Those still running after `withinMs` are killed. */
  async stop(withinMs: number): Promise<void> {
    if (!this.#isStopping) this.beginToStop();
    const kill = setTimeout(() => this.#kill(), withinMs + KILL_AFTER_MS);
    await Promise.all([...this.#all.values()].map(({ ended }) => ended));
    clearTimeout(kill);
  }

  #kill(): void {
    for (const worker of this.#all.values()) worker.kill();
  }

  get #listening(): WorkerProcess[] {
    return [...this.#all.values()].filter(({ isListening }) => isListening);
  }

  #fork(number: number): WorkerProcess {
    const worker = new WorkerProcess(number, this.#options.environment);
    this.#all.set(number, worker);
    let hasListened = false;
    let proven: NodeJS.Timeout | undefined;
    void worker.listening.then(() => {
      hasListened = true;
      this.#failedStarts = 0;
      proven = this.#later(PROVEN_AFTER_MS, () => {
        this.#failures = 0;
      });
    });
    void worker.ended.then((end) => {
      this.#all.delete(number);
      clearTimeout(proven);
      this.#ended.push(...worker.lastParts);
      if (this.#isStopping) return;
      if (!hasListened && !this.#hasStarted) {
        this.#refused.reject(new AlreadyExplained(end.code ?? FAILED));
        return;
      }
      if (!hasListened) this.#failedStarts += 1;
      this.#replace(number, end);
    });
    return worker;
  }

  #replace(number: number, end: WorkerEnd): void {
    const { log } = this.#options;
    const { first, max } = RESTART_AFTER_MS;
    const restartInMs = this.#failures === 0 ? 0 : Math.min(first * 2 ** (this.#failures - 1), max);
    this.#failures += 1;
    this.#lost += 1;
    log.logger.error(
      { worker: number, ...end, restartInMs },
      "a worker process ended unexpectedly and is being restarted",
    );
    log.flushSoon();
    if (this.#listening.length === 0 && this.#failedStarts >= MAX_FAILED_STARTS) {
      log.logger.error("no worker process can start: the service exits; see the lines above");
      this.#noneStarts.resolve(new WorkersCannotStart());
      return;
    }
    this.#later(restartInMs, () => {
      void this.#fork(number).listening.then(() => {
        log.logger.info({ worker: number }, "a restarted worker process is listening");
        log.flushSoon();
      });
    });
  }

  #later(ms: number, work: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }
}
