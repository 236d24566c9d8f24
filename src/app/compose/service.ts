/** Builds a service from its parts and runs it. Parts for optional settings are imported only if set. */

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { NodeQueries } from "../../database/nodes.ts";
import { drain, listen } from "../../http/server.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { PeriodicWrite } from "../../lib/periodicWrite.ts";
import { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import { FailureLog } from "../log/failureLog.ts";
import { openLog } from "../log/log.ts";
import type { MetricsPart } from "../metrics/exposition.ts";
import { forceExit, orStopped, StartCancelled } from "../process/signals.ts";
import { ABANDONED_START_TIMEOUT_MS, DRAIN_TIMEOUT_MS, type Running } from "../process/untilStopped.ts";
import { programVersion, readRelease } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import { newTraceSecret } from "../tracing/chosen.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { type ComposedApp, composeApp } from "./app.ts";
import { composeBackground } from "./background.ts";
import { type EarlyState, openEarly } from "./early.ts";
import type { ProcessMetricsOptions } from "./metrics.ts";
import type { Parts, SharedParts } from "./parts.ts";
import { checkTiers, maintainRegistry, openRegistryOf } from "./registry.ts";
import { composeUpstreams, type Upstreams } from "./upstreams.ts";

/** Time for closing the state after the drain, when no call that could be charged is left. */
const STATE_CLOSES_WITHIN_MS = 300;
/**
 * How long callers still wait for KVK or VIES during a stop before they get cached data; it fits into the drain
 * timeout.
 */
const WAIT_FOR_UPSTREAMS_MS = 4_500;

/** Rarely, because each write syncs the disk of an otherwise idle node. */
const REPORT_NODE_EVERY_MS = 60_000;
const NODE_ID = randomUUID();

export interface Service extends ComposedApp {
  readonly upstreams: Upstreams;
  /** Stops sending requests to VIES and KVK: waiting callers get cached data. */
  closeUpstreams(): void;
}

/** Options for starting a service. */
export interface ServiceOptions {
  /** Whether to start although accounts have tiers that the settings lack. */
  readonly allowsUnknownTiers?: boolean;
  /** The number of this process among several: it appears in the log, and another process serves the metrics. */
  readonly worker?: number | undefined;
  /** Aborted if the service is stopped during its start, which is then abandoned. */
  readonly stopping?: AbortSignal;
}

/** A listening service, with the metrics of its process if enabled. */
export interface RunningService extends Running {
  readonly companies: number;
  readMetrics(isOfService: boolean): Promise<readonly MetricsPart[]>;
}

/** Builds the service from its parts without listening. */
export async function composeService(settings: Settings, parts: Parts): Promise<Service> {
  const { logger } = parts.log;
  const failures = new FailureLog(logger, () => parts.recorder?.storeFailures.inc());
  const { state } = parts;
  state.onCall(failures.stateCalled);
  const suppressed = await SuppressionList.follow(state.suppressed);
  const shared: SharedParts = {
    now: Date.now,
    ...parts,
    settings,
    suppressed,
    logger,
    failures,
    onAccountError: (error) => failures.failed(error, "an operation of the account page failed"),
  };
  const tracing = await composeTracing(shared);
  const upstreams = await composeUpstreams(shared, tracing);
  const background = await composeBackground(shared, upstreams.all);
  const { mailer } = background;
  const composed = await composeApp({ ...shared, upstreams, mailer, tracing });
  const { app } = composed;
  await background.start();
  const closeUpstreams = () => Promise.all(upstreams.all.map((upstream) => upstream.close()));
  let lastWait: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    lastWait = setTimeout(closeUpstreams, WAIT_FOR_UPSTREAMS_MS);
  });
  app.addHook("onClose", async () => {
    clearTimeout(lastWait);
    await Promise.all([background.close(), upstreams.vies.closeHistory()]);
    await closeUpstreams();
    suppressed.close();
    failures.close();
  });
  return { ...composed, upstreams, closeUpstreams: () => void closeUpstreams() };
}

/**
 * Opens everything, listens, and runs until it is stopped.
 * @param early the state that is already being opened
 * @throws {UnknownTiers} when accounts have tiers that the settings lack, and that is not allowed
 * @throws {StartCancelled} when it was stopped before listening
 */
export async function runService(
  settings: Settings,
  { allowsUnknownTiers = false, worker, stopping = new AbortController().signal }: ServiceOptions = {},
  early: EarlyState = openEarly(settings),
): Promise<RunningService> {
  const log = openLog(settings, { isShared: worker !== undefined });
  const { logger } = log;
  const { registry, opened: openingRegistry } = openRegistryOf(settings, logger);
  openingRegistry.catch(() => {});
  const isWorker = worker !== undefined;
  const facts = isWorker ? { worker } : {};
  let composed: Service | undefined;
  let metrics: Awaited<ReturnType<typeof openMetrics>>;
  let presence: PeriodicWrite | undefined;
  let isListening = false;
  try {
    if (worker === undefined) logger.info(await readRelease(), "starting");
    else logger.info(facts, "a worker process is starting");
    metrics = await openMetrics(settings, { worker, isListening: () => isListening, logger });
    const state = await orStopped(stopping, early.state);
    await orStopped(stopping, checkTiers(settings, state, allowsUnknownTiers, logger));
    const keeping = maintainRegistry(settings, logger, worker);
    const { isBehind } = keeping;
    composed = await composeService(settings, {
      state,
      registry,
      log,
      isBehind,
      recorder: metrics?.recorder,
    });
    const { app, meter, closeUpstreams, announceDraining } = composed;
    metrics?.watch({ ...composed, settings, state, registry, isBehind });
    await orStopped(stopping, openingRegistry);
    const address = await listen(app, settings.HOST, settings.PORT, { isShared: worker !== undefined });
    isListening = true;
    await keeping.start();
    const reportThis = () => reportNode(state.nodes, settings, isListening);
    if (worker === undefined || worker === 1) presence = new PeriodicWrite(reportThis, REPORT_NODE_EVERY_MS);
    void presence?.now();
    const companies = registry.current?.info.companies ?? 0;
    logger.info({ ...facts, address, companies }, isWorker ? "a worker process is listening" : "listening");
    log.flushSoon();
    const closeAll = async (withinMs: number) => {
      await Promise.all([keeping.stop(), presence?.close(), drain(app, withinMs)]);
      await meter.close();
      await metrics?.close();
      await state.close();
    };
    return {
      address,
      companies,
      hasRegistry: registry.current !== undefined || settings.KVK_API_KEY !== undefined,
      failed: early.stateLost,
      escaped: (error) => log.escaped(error),
      readMetrics: async (isOfService) => (await metrics?.read(isOfService)) ?? [],
      async announce() {
        announceDraining();
        await pause(settings.DRAIN_DELAY_MS);
      },
      async stop(withinMs = DRAIN_TIMEOUT_MS) {
        isListening = false;
        if (withinMs < DRAIN_TIMEOUT_MS) setTimeout(closeUpstreams, withinMs / 2).unref();
        const closed = closeAll(withinMs).then(() => true);
        if ((await withTimeout(withinMs + STATE_CLOSES_WITHIN_MS, closed)) === undefined) {
          logger.error(
            "the state does not respond: stopping without it; counts in memory are lost, charges are not; check its server",
          );
        }
        registry.close();
        logger.info(facts, isWorker ? "a worker process has stopped" : "stopped");
        await log.flush();
      },
    };
  } catch (error) {
    if (error instanceof StartCancelled) {
      logger.info("stopped before listening");
      forceExit(ABANDONED_START_TIMEOUT_MS);
    }
    await composed?.app.close();
    await composed?.meter.close();
    await metrics?.close();
    const closingState = early.state.then((state) => state.close()).catch(() => {});
    // An abandoned start does not wait for a state that is not open yet.
    if (!(error instanceof StartCancelled) || composed !== undefined) await closingState;
    registry.close();
    await log.flush();
    throw error;
  }
}

/** Records in the state whether this node runs. An outage of the state is logged elsewhere. */
function reportNode(nodes: NodeQueries, { DATABASE_URL }: Settings, isRunning: boolean): Promise<void> {
  // The embedded state has one node: a restart after a crash is no second one.
  const id = DATABASE_URL === undefined ? "embedded" : NODE_ID;
  return (isRunning ? nodes.nodeSeen(id, programVersion()) : nodes.nodeStopped(id)).catch(() => {});
}

/** Counts for the metrics if METRICS_PORT is set, and serves them unless this is one of several processes. */
async function openMetrics(settings: Settings, options: ProcessMetricsOptions) {
  const { METRICS_PORT } = settings;
  if (METRICS_PORT === undefined) return undefined;
  const { openProcessMetrics } = await import("./metrics.ts");
  return openProcessMetrics({ ...settings, METRICS_PORT }, options);
}

/** Sends spans to the collector in the settings; loaded only when set. */
async function composeTracing({ settings, state, logger }: SharedParts): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = settings;
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import("../tracing/openTelemetry.ts");
  return openTelemetry({
    endpoint,
    share,
    // The same in all processes, so that all spans of a trace are recorded or none.
    secret: await state.people.secret("traces", newTraceSecret()),
    version: programVersion(),
    onLost: () => logger.warn("spans could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector"),
  });
}
