/**
 * Runs a service as several worker processes. This process answers no calls: it starts, replaces and stops the workers,
 * and serves their metrics.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { ServiceOptions } from "../compose/service.ts";
import { type Log, openLog } from "../log/log.ts";
import type { MetricsPart } from "../metrics/exposition.ts";
import { orStopped } from "../process/signals.ts";
import { DRAIN_TIMEOUT_MS, type Running } from "../process/untilStopped.ts";
import { readRelease } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import { reserveAddress } from "./reservedAddress.ts";
import { Workers, WorkersCannotStart } from "./workers.ts";

/**
 * Starts the workers and waits until all of them listen.
 * @throws {AlreadyExplained} if a worker cannot start; it has printed the reason
 * @throws {StartCancelled} if it was stopped before all workers listened
 */
export async function runWorkers(
  settings: Settings,
  { stopping = new AbortController().signal }: Pick<ServiceOptions, "stopping"> = {},
): Promise<Running> {
  const log = openLog(settings, { isShared: true });
  const { logger } = log;
  const { HOST, WORKERS: count } = settings;
  logger.info(await readRelease(), "starting");
  log.flushSoon();
  const reservedPort = await reserveAddress(HOST, settings.PORT);
  const workers = new Workers({ count, environment: { PORT: String(reservedPort.port) }, log });
  let metrics: { close(): Promise<void> } | undefined;
  const end = async (withinMs: number) => {
    await workers.stop(withinMs);
    await reservedPort.release();
    await metrics?.close();
  };
  try {
    metrics = await openMetrics(settings, workers, log);
    const { address, companies, hasRegistry } = await orStopped(stopping, workers.start());
    logger.info({ address, companies, workers: count }, "listening");
    log.flushSoon();
    return {
      address,
      hasRegistry,
      failed: workers.failed,
      escaped(error) {
        if (!(error instanceof WorkersCannotStart)) log.escaped(error);
      },
      async announce() {
        // The workers begin to drain after the same delay.
        workers.beginToStop();
        await pause(settings.DRAIN_DELAY_MS);
      },
      async stop(withinMs = DRAIN_TIMEOUT_MS) {
        await end(withinMs);
        logger.info("stopped");
        await log.flush();
      },
    };
  } catch (error) {
    await end(settings.DRAIN_DELAY_MS + DRAIN_TIMEOUT_MS);
    await log.flush();
    throw error;
  }
}

async function openMetrics(settings: Settings, workers: Workers, { logger }: Log) {
  const { METRICS_PORT } = settings;
  if (METRICS_PORT === undefined) return undefined;
  const [{ serveMetrics }, { countersOf, readPart }, { readUsage, STARTED_AT_SECONDS }] = await Promise.all([
    import("../compose/metrics.ts"),
    import("../metrics/exposition.ts"),
    import("../metrics/machine.ts"),
  ]);
  // The counts of a worker must survive it.
  let ended: MetricsPart = [];
  return serveMetrics({ ...settings, METRICS_PORT }, logger, async () => {
    const parts = await workers.readMetrics();
    ended = await countersOf([ended, ...workers.takeEndedMetrics()]);
    const own = {
      ...(await readUsage()),
      ...workers.readings,
      opzoek_process_start_time_seconds: STARTED_AT_SECONDS,
      ...(parts.length === 0 && { opzoek_ready: 0 }),
    };
    return [ended, ...parts, readPart(own)];
  });
}
