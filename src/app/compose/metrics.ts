/** Metrics for Prometheus; loaded only when METRICS_PORT is set. */
import { listenForMetrics, type MetricsServer } from "../../http/metricsServer.ts";
import type { Meter } from "../../metering/meter.ts";
import type { Log } from "../log/log.ts";
import { exposition, type MetricsPart, readPart } from "../metrics/exposition.ts";
import { ProcessSampler } from "../metrics/processSampler.ts";
import { readAll } from "../metrics/readAll.ts";
import { Recorder } from "../metrics/recorder.ts";
import { workerReadings } from "../metrics/workers.ts";
import type { Settings } from "../settings/settings.ts";
import { type MetricSourceParts, type MetricSources, metricSources } from "./metricSources.ts";

/** The metrics of this process. */
export class ProcessMetrics {
  readonly recorder: Recorder;
  #meter: Meter | undefined;
  #sources: MetricSources | undefined;
  readonly #sampler: ProcessSampler;

  /** @param worker the number of this process among those of the service */
  constructor(worker: number) {
    this.recorder = new Recorder(String(worker));
    this.#sampler = new ProcessSampler(this.recorder, () => this.#meter?.waitingRequests ?? 0);
  }

  /** Reads the service at each scrape from now on. */
  watch(settings: Settings, meter: Meter, parts: MetricSourceParts): void {
    this.#meter = meter;
    this.#sources = metricSources(settings, parts);
  }

  /** @param isOfService with what every process of the service would report alike */
  async read(isOfService: boolean): Promise<readonly MetricsPart[]> {
    const { ofProcess = {}, ofService = {} } = this.#sources ?? {};
    const readings = await readAll({ ...ofProcess, ...(isOfService && ofService) });
    return [await this.recorder.registry.getMetricsAsJSON(), readPart(readings)];
  }

  async close(): Promise<void> {
    this.#sampler.close();
    await this.#sources?.close();
  }
}

/**
 * Serves the metrics of a service of one process.
 * @throws {CannotListenForMetrics} when the address is taken or cannot be used
 */
export function serveOwnMetrics(
  settings: Settings & { readonly METRICS_PORT: number },
  metrics: ProcessMetrics,
  isListening: () => boolean,
  logger: Log["logger"],
): Promise<MetricsServer> {
  return serveMetrics(settings, logger, async () => [
    ...(await metrics.read(true)),
    readPart(workerReadings({ listening: Number(isListening()), lost: 0, silent: [{ worker: "1", ms: 0 }] })),
  ]);
}

/** Serves `/metrics`. @throws {CannotListenForMetrics} */
export async function serveMetrics(
  { METRICS_HOST: host, METRICS_PORT: port }: Settings & { readonly METRICS_PORT: number },
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
