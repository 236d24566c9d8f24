/** Builds a service from its parts and runs it. Parts that only some settings need are imported with them. */
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Passwords } from "../../accounts/passwords.ts";
import { drain, listen } from "../../http/server.ts";
import type { UnreadTimes } from "../../http/unreadAnswers.ts";
import { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { Meter } from "../../metering/meter.ts";
import type { Registry } from "../../snapshot/types.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import { FailureLog } from "../log/failureLog.ts";
import { type Log, openLog } from "../log/log.ts";
import type { MetricsPart } from "../metrics/exposition.ts";
import type { Recorder } from "../metrics/recorder.ts";
import { StartStopped, unlessStopped } from "../process/signals.ts";
import { DRAIN_WITHIN_MS, exitWhenGivenUp, type Running } from "../process/untilStopped.ts";
import { readRelease } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import { composeApp } from "./app.ts";
import { composeBackground } from "./background.ts";
import { beginEarly, type Early } from "./early.ts";
import { inTime, waitForUpstreamsMs } from "./ending.ts";
import type { ListOptions } from "./jobs.ts";
import { checkTiers, keepRegistry, openRegistryOf } from "./keeping.ts";
import { openLiveSource } from "./lookup.ts";
import { composeTracing, tracedUpstreams, type Upstreams } from "./tracing.ts";
import { composeVies } from "./vies.ts";

/** What the service is built from. */
export interface Parts {
  readonly state: StateStore;
  readonly registry: Registry;
  readonly log: Log;
  /** Whether the registry may be out of date, because what is published cannot be fetched. */
  readonly isBehind?: () => boolean;
  /** The clock of people and sessions; tests set it. */
  readonly now?: () => number;
  /** Hashes passwords; tests bring a cheaper one. */
  readonly passwords?: Passwords;
  /** The built account page; tests bring their own. */
  readonly pageFolder?: string;
  /** How often allowances are checked for notices; tests do so sooner. */
  readonly lookAtAllowancesEveryMs?: number;
  /** Options of lists that tests set. */
  readonly listOptions?: ListOptions;
  /** When connections whose answers are not read are cut; tests wait less. */
  readonly unreadTimes?: UnreadTimes | undefined;
  /** Counts for the metrics, when they are wanted. */
  readonly recorder?: Recorder | undefined;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly meter: Meter;
  readonly upstreams: Upstreams;
  /** From now on `/readyz` says that calls should go elsewhere. */
  announceDraining(): void;
  /** Sends no more requests to VIES and KVK: callers that wait get what is held. */
  closeUpstreams(): void;
}

/** How a service is started. */
export interface ServiceOptions {
  /** Whether it may start with accounts whose tiers the settings lack; else it refuses. */
  readonly allowsUnknownTiers?: boolean;
  /** The number of this process where several are a service: the log's lines of its start and end name it, and another process serves the metrics. */
  readonly worker?: number | undefined;
  /** Aborted when the service is stopped while it starts: the start is given up then. */
  readonly stopping?: AbortSignal;
}

/** A service that listens, with the metrics of its process where they are wanted. */
export interface RunningService extends Running {
  readonly companies: number;
  readMetrics(isOfService: boolean): Promise<readonly MetricsPart[]>;
}

/** Builds the service from its parts; nothing listens yet. */
export async function composeService(settings: Settings, parts: Parts): Promise<Service> {
  const { now = Date.now, recorder } = parts;
  const { logger } = parts.log;
  const failures = new FailureLog(logger, () => recorder?.storeFailed());
  const { state } = parts;
  state.onCall(failures.stateCalled);
  const onAccountError = (error: unknown) => failures.failed(error, "something for the account page failed");
  const onListError = (error: unknown) => failures.failed(error, "something for lists failed");
  const suppressed = await SuppressionList.follow({ store: state.suppressed });
  const shared = { ...parts, suppressed, logger, now, onAccountError, onListError };
  const vies = composeVies(settings, state.verdicts, logger, { suppressed, now, recorder });
  const live = await openLiveSource(settings, state, suppressed, logger, recorder);
  const background = await composeBackground(settings, shared);
  const tracing = await composeTracing(settings, state.people, logger);
  const upstreams = { vies, live };
  const { app, meter, announceDraining } = await composeApp(settings, {
    ...shared,
    upstreams: tracing === undefined ? upstreams : tracedUpstreams(upstreams, tracing),
    mailer: background.mailer,
    tracing,
    failures,
  });
  await background.start();
  const closeUpstreams = () => Promise.all([vies.close(), live?.close()]);
  let lastWait: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    lastWait = setTimeout(closeUpstreams, waitForUpstreamsMs());
  });
  app.addHook("onClose", async () => {
    clearTimeout(lastWait);
    await Promise.all([background.close(), vies.closeHistory()]);
    await closeUpstreams();
    suppressed.close();
    failures.close();
  });
  return { app, meter, upstreams, announceDraining, closeUpstreams: () => void closeUpstreams() };
}

/**
 * Opens everything, listens, and runs until it is stopped.
 * @param early work that was begun before this was loaded
 * @throws {UnknownTiers} when accounts have tiers that the settings lack, and that is not allowed
 * @throws {StartStopped} when it was told to end before it listened
 */
export async function runService(
  settings: Settings,
  { allowsUnknownTiers = false, worker, stopping = new AbortController().signal }: ServiceOptions = {},
  early: Early = beginEarly(settings),
): Promise<RunningService> {
  const log = openLog(settings, { isShared: worker !== undefined });
  const { logger } = log;
  const { registry, opened: openingRegistry } = openRegistryOf(settings, early.names, logger);
  openingRegistry.catch(() => {});
  const process = worker === undefined ? "" : "a worker process is ";
  const facts = worker === undefined ? {} : { worker };
  let composed: Service | undefined;
  let metrics: Awaited<ReturnType<typeof openMetrics>>;
  let isListening = false;
  try {
    if (worker === undefined) logger.info(await readRelease(), "starting");
    else logger.info(facts, "a worker process is starting");
    metrics = await openMetrics(settings, { worker, isListening: () => isListening, logger });
    const state = await unlessStopped(stopping, early.state);
    await unlessStopped(stopping, checkTiers(settings, state, allowsUnknownTiers, logger));
    const keeping = keepRegistry(settings, state, logger, worker);
    const { isBehind } = keeping;
    composed = await composeService(settings, {
      state,
      registry,
      log,
      isBehind,
      recorder: metrics?.recorder,
    });
    const { app, meter, upstreams, closeUpstreams, announceDraining } = composed;
    let isDraining = false;
    metrics?.watch(settings, meter, {
      state,
      registry,
      upstreams,
      isBehind,
      isDraining: () => isDraining,
      isListening: () => isListening,
    });
    await unlessStopped(stopping, openingRegistry);
    const address = await listen(app, settings.HOST, settings.PORT, { isShared: worker !== undefined });
    isListening = true;
    await keeping.start();
    const companies = registry.current?.info.companies ?? 0;
    logger.info({ ...facts, address, companies }, `${process}listening`);
    log.flushSoon();
    const closeAll = async (withinMs: number) => {
      await Promise.all([keeping.stop(), drain(app, withinMs)]);
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
        isDraining = true;
        announceDraining();
        await pause(settings.DRAIN_DELAY_MS);
      },
      async stop(withinMs = DRAIN_WITHIN_MS) {
        isListening = false;
        if (withinMs < DRAIN_WITHIN_MS) setTimeout(closeUpstreams, waitForUpstreamsMs(withinMs)).unref();
        await inTime(closeAll(withinMs), withinMs, log);
        registry.close();
        logger.info(facts, `${process}stopped`);
        await log.flush();
      },
    };
  } catch (error) {
    if (error instanceof StartStopped) {
      logger.info("told to end before it listened: stopped");
      exitWhenGivenUp();
    }
    await composed?.app.close();
    await composed?.meter.close();
    await metrics?.close();
    const closingState = early.state.then((state) => state.close()).catch(() => {});
    // A start that was stopped does not wait for a state that is not open yet.
    if (!(error instanceof StartStopped) || composed !== undefined) await closingState;
    registry.close();
    await log.flush();
    throw error;
  }
}

interface MetricsOptions {
  readonly worker: number | undefined;
  readonly isListening: () => boolean;
  readonly logger: Log["logger"];
}

/** Counts for the metrics where METRICS_PORT is set, and serves them unless this is one of several processes. */
async function openMetrics(settings: Settings, { worker, isListening, logger }: MetricsOptions) {
  const { METRICS_PORT: port } = settings;
  if (port === undefined) return undefined;
  const { ProcessMetrics, serveOwnMetrics } = await import("./metrics.ts");
  const metrics = new ProcessMetrics(worker ?? 1);
  const server =
    worker === undefined
      ? await serveOwnMetrics({ ...settings, METRICS_PORT: port }, metrics, isListening, logger)
      : undefined;
  return {
    recorder: metrics.recorder,
    watch: metrics.watch.bind(metrics),
    read: metrics.read.bind(metrics),
    close: () => Promise.all([metrics.close(), server?.close()]),
  };
}
