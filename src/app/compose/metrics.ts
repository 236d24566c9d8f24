/** Metrics for Prometheus; loaded only when METRICS_PORT is set. */
import { AllowanceUse } from "../../accounts/allowances.ts";
import { listenForMetrics, type MetricsServer } from "../../http/metricsServer.ts";
import type { Registry } from "../../snapshot/types.ts";
import { readNote } from "../../storage/backup/lastBackup.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Log } from "../log/log.ts";
import { exposition, type MetricsPart, readPart } from "../metrics/exposition.ts";
import { readDisk, readUsage, startReading } from "../metrics/machine.ts";
import { ProcessSampler } from "../metrics/processSampler.ts";
import { type ReadSources, readAll } from "../metrics/readAll.ts";
import { Recorder } from "../metrics/recorder.ts";
import {
  accountReadings,
  backupReadings,
  breakerReadings,
  budgetReadings,
  healthReadings,
  registryReadings,
  workerReadings,
} from "../metrics/service.ts";
import type { Settings } from "../settings/settings.ts";
import { programVersion } from "../version.ts";
import type { ComposedApp } from "./app.ts";
import { paidCallsToday, type Upstreams } from "./live.ts";

type MetricsSettings = Settings & { readonly METRICS_PORT: number };

export interface ProcessMetricsOptions {
  /** The number of this process where several are a service: then another process serves the metrics. */
  readonly worker: number | undefined;
  readonly isListening: () => boolean;
  readonly logger: Log["logger"];
}

/** What is read at a scrape. */
interface ReadService extends Pick<ComposedApp, "meter" | "health" | "readiness"> {
  readonly settings: Settings;
  readonly state: StateStore;
  readonly registry: Registry;
  readonly upstreams: Upstreams;
  readonly isBehind: () => boolean;
}

/** The metrics of this process. */
class ProcessMetrics {
  readonly recorder: Recorder;
  readonly #isListening: () => boolean;
  readonly #sampler: ProcessSampler;
  #service: ReadService | undefined;
  #allowances: AllowanceUse | undefined;
  /** Undefined where another process serves them. */
  server: MetricsServer | undefined;

  constructor({ worker, isListening }: ProcessMetricsOptions) {
    this.recorder = new Recorder(String(worker ?? 1));
    this.#isListening = isListening;
    this.#sampler = new ProcessSampler(this.recorder, () => this.#service?.meter.waitingRequests ?? 0);
  }

  /** Reads the service at each scrape from now on. */
  watch(service: ReadService): void {
    this.#service = service;
  }

  /** @param isOfService with what every process of the service would report alike */
  async read(isOfService: boolean): Promise<readonly MetricsPart[]> {
    const readings = await readAll({
      ...(this.#service && { process: readUsage }),
      ...(this.#service && isOfService && this.#ofService(this.#service)),
    });
    return [await this.recorder.registry.getMetricsAsJSON(), readPart(readings)];
  }

  async close(): Promise<void> {
    this.#sampler.close();
    await Promise.all([this.#allowances?.close(), this.server?.close()]);
  }

  #ofService(service: ReadService): ReadSources {
    const { settings, state, registry, upstreams, isBehind, health, readiness } = service;
    const { vies, live } = upstreams;
    return {
      build: () => [
        { name: "opzoek_build_info", labels: { version: programVersion(), node: process.version }, value: 1 },
        startReading(),
      ],
      disk: () => readDisk(settings.DATA_DIR),
      registry: () => {
        const { current } = registry;
        const isFindable = current?.isFindable !== false || current.namesSoon !== undefined;
        return registryReadings(current?.info, isFindable, isBehind());
      },
      health: async () => {
        const [told, { isReady }] = await Promise.all([health(), readiness()]);
        return healthReadings(told, isReady && this.#isListening());
      },
      upstreams: () => [
        ...breakerReadings("vies", vies.shown()),
        ...breakerReadings("kvk", live?.breakers() ?? []),
      ],
      budget: async () =>
        live === undefined ? [] : budgetReadings(await paidCallsToday(settings, state.live)),
      accounts: () => accountReadings(this.#allowanceCounts(service)),
      lists: async () =>
        (await state.jobs.listCounts()).map(({ status, count }) => ({
          name: "opzoek_lists",
          labels: { status },
          value: count,
        })),
      mails: async () =>
        settings.SMTP_URL === undefined
          ? []
          : [{ name: "opzoek_mails_waiting", value: await state.people.waitingMails() }],
      backup: () => (settings.DATABASE_URL === undefined ? backupReadings(readNote(settings.DATA_DIR)) : []),
    };
  }

  /** Begun by the first scrape: of several processes one looks at the accounts. */
  #allowanceCounts({ state, settings }: ReadService): AllowanceUse["counts"] {
    if (this.#allowances === undefined) {
      this.#allowances = new AllowanceUse(state.people, settings.TIERS_FILE);
      void this.#allowances.look();
    }
    return this.#allowances.counts;
  }
}

/**
 * Counts for the metrics of this process, and serves them unless it is one of several.
 * @throws {CannotListenForMetrics} when the address is taken or cannot be used
 */
export async function openProcessMetrics(
  settings: MetricsSettings,
  options: ProcessMetricsOptions,
): Promise<ProcessMetrics> {
  const metrics = new ProcessMetrics(options);
  if (options.worker !== undefined) return metrics;
  metrics.server = await serveMetrics(settings, options.logger, async () => {
    const listening = Number(options.isListening());
    const workers = workerReadings({ listening, lost: 0, silent: [{ worker: "1", ms: 0 }] });
    return [...(await metrics.read(true)), readPart(workers)];
  });
  return metrics;
}

/** Serves `/metrics`. @throws {CannotListenForMetrics} */
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
