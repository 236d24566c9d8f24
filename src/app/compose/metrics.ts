/** What is counted and told to Prometheus, where the settings want it; nothing of it is loaded elsewhere. */
import type { Log } from "../log/log.ts";
import type { OpenRecorder, Recorders } from "../metrics/recorders.ts";
import type { Settings } from "../settings/settings.ts";
import type { MetricSourceParts, MetricSources } from "./metricSources.ts";

/** How metrics name the thread that everything else is started from. */
export const MAIN_THREAD = "main";

export interface Metrics {
  /** The place where a thread counts; its name is a label, so it must be one of a bounded set. */
  open(thread: string): OpenRecorder;
  /** This thread counts too, from now on. */
  countHere(thread: string): Promise<Counting>;
  /** What is told of the service itself from now on. */
  tell(settings: Settings, parts: MetricSourceParts): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves `/metrics`, where METRICS_PORT says so.
 * @param opened where threads count already
 * @throws {CannotListenForMetrics} when the address is taken or cannot be used
 */
export async function openMetrics(
  { METRICS_PORT: port, METRICS_HOST: host }: Settings,
  logger: Log["logger"],
  opened?: Recorders,
): Promise<Metrics | undefined> {
  if (port === undefined) return undefined;
  const [{ listenForMetrics }, recording, { exposition }, { readAll }] = await Promise.all([
    import("../../http/metricsServer.ts"),
    import("../metrics/recorders.ts"),
    import("../metrics/exposition.ts"),
    import("../metrics/readAll.ts"),
  ]);
  const recorders = opened ?? new recording.Recorders();
  let told: MetricSources | undefined;
  let counting: Counting | undefined;
  const server = await listenForMetrics({
    host,
    port,
    render: async () => {
      const readings = await readAll(told?.sources ?? {});
      return exposition(recorders.counts(), readings);
    },
    onError: (error) => logger.error({ err: error }, "the metrics cannot be told"),
  });
  logger.info({ address: server.address }, "metrics are served");
  return {
    open: (thread) => recorders.open(thread),
    async countHere(thread) {
      counting = await startCounting(recorders.open(thread).buffer);
      return counting;
    },
    async tell(settings, parts) {
      told = (await import("./metricSources.ts")).metricSources(settings, parts);
    },
    async close() {
      counting?.close();
      await Promise.all([server.close(), told?.close()]);
    },
  };
}

/** What a thread counts with, in the buffer that it was given; it sees once a second how the thread fares until `close`. */
export async function startCounting(buffer: SharedArrayBuffer) {
  const [{ Recorder }, { ThreadSampler }] = await Promise.all([
    import("../metrics/recorder.ts"),
    import("../metrics/threadSampler.ts"),
  ]);
  const recorder = new Recorder(buffer);
  let waitingRequests = () => 0;
  const sampler = new ThreadSampler(recorder, () => waitingRequests());
  return {
    recorder,
    /** Tells how many charge requests of this thread wait for a batch. */
    watch(meter: { readonly waitingRequests: number }): void {
      waitingRequests = () => meter.waitingRequests;
    },
    close: () => sampler.close(),
  };
}

export type Counting = Awaited<ReturnType<typeof startCounting>>;
