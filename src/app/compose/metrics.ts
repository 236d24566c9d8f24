/** Metrics for Prometheus; loaded only when METRICS_PORT is set. */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Log } from "../log/log.ts";
import { exposition, type MetricsPart, readPart } from "../metrics/exposition.ts";
import { readUsage, STARTED_AT_SECONDS } from "../metrics/machine.ts";
import { readAll } from "../metrics/readings.ts";
import { Recorder } from "../metrics/recorder.ts";
import { listenForMetrics, type MetricsServer } from "../metrics/server.ts";
import { type ReadService, ServiceReadings } from "../metrics/service.ts";
import type { Settings } from "../settings/settings.ts";

const SAMPLE_EVERY_MS = 1_000;
const RESOLUTION_MS = 10;

type MetricsSettings = Settings & { readonly METRICS_PORT: number };

export interface ProcessMetricsOptions {
  /** The number of this process among several workers, whose metrics the primary process serves. */
  readonly worker: number | undefined;
  readonly isListening: () => boolean;
  readonly logger: Log["logger"];
}

/** The metrics of this process. */
class ProcessMetrics {
  readonly recorder: Recorder;
  readonly #isListening: () => boolean;
  readonly #stopSampling: () => void;
  #service: ServiceReadings | undefined;
  #waitingRequests = () => 0;
  /** Undefined if another process serves them. */
  server: MetricsServer | undefined;

  constructor({ worker, isListening }: ProcessMetricsOptions) {
    this.recorder = new Recorder(String(worker ?? 1));
    this.#isListening = isListening;
    this.#stopSampling = sampleProcess(this.recorder, () => this.#waitingRequests());
  }

  /** Starts reading the service at each scrape. */
  watch(service: ReadService): void {
    this.#service = new ServiceReadings(service, this.#isListening);
    this.#waitingRequests = () => service.meter.waitingRequests;
  }

  /** @param isOfService includes readings that are the same in every process of the service */
  async read(isOfService: boolean): Promise<readonly MetricsPart[]> {
    const readings = await readAll({
      ...(this.#service && { process: readUsage }),
      ...(isOfService && this.#service?.sources),
    });
    return [await this.recorder.metrics.registry.getMetricsAsJSON(), readPart(readings)];
  }

  async close(): Promise<void> {
    this.#stopSampling();
    await Promise.all([this.#service?.close(), this.server?.close()]);
  }
}

/**
 * Counts the metrics of this process, and serves them unless it is one of several.
 * @throws {CannotListen} if the address is in use or unavailable
 */
export async function openProcessMetrics(
  settings: MetricsSettings,
  options: ProcessMetricsOptions,
): Promise<ProcessMetrics> {
  const metrics = new ProcessMetrics(options);
  if (options.worker !== undefined) return metrics;
  metrics.server = await serveMetrics(settings, options.logger, async () => {
    const workers = readPart({
      opzoek_process_start_time_seconds: STARTED_AT_SECONDS,
      opzoek_workers_listening: Number(options.isListening()),
      opzoek_workers_lost_total: 0,
      opzoek_worker_silent_seconds: [{ labels: { worker: "1" }, value: 0 }],
    });
    return [...(await metrics.read(true)), workers];
  });
  return metrics;
}

/** Serves `/metrics`. @throws {CannotListen} */
export async function serveMetrics(
  { METRICS_HOST: host, METRICS_PORT: port }: MetricsSettings,
  logger: Log["logger"],
  read: () => Promise<readonly MetricsPart[]>,
): Promise<MetricsServer> {
  const server = await listenForMetrics({
    host,
    port,
    render: async () => exposition(await read()),
    onError: (error) => logger.error({ err: error }, "the metrics cannot be read"),
  });
  logger.info({ address: server.address }, "metrics are served");
  return server;
}

/**
 * Samples this process once a second. Does not keep it alive.
 * @param waitingRequests the number of charge requests that wait for the store
 * @returns a function that stops it
 */
function sampleProcess(recorder: Recorder, waitingRequests: () => number): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { active: busyMs } = performance.eventLoopUtilization(now, before);
    before = now;
    // Node.js measures from one timer to the next, so its resolution is part of the delay.
    const delayMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    const heapBytes = getHeapStatistics().used_heap_size;
    recorder.sampled({ delayMs, busyMs, heapBytes, waitingRequests: waitingRequests() });
  }, SAMPLE_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}
