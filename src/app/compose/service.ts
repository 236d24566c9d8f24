/** The only place that builds the parts and connects them. Parts that only some settings need are imported with those. */

import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Passwords } from "../../accounts/passwords.ts";
import { drain, listen } from "../../http/server.ts";
import type { UnreadTimes } from "../../http/unreadAnswers.ts";
import { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { Meter } from "../../metering/meter.ts";
import type { Registry } from "../../snapshot/types.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import { newTraceSecret } from "../../tracing/chosen.ts";
import type { House } from "../house/house.ts";
import { FailureLog } from "../log/failureLog.ts";
import { type Log, openLog } from "../log/log.ts";
import { unlessStopped } from "../process/signals.ts";
import { DRAIN_WITHIN_MS, type Running } from "../process/untilStopped.ts";
import { readRelease } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import { beginEarly, type Early } from "./early.ts";
import { giveUpInTime, leaveStateInTime, waitForUpstreamsMs } from "./ending.ts";
import { composeHouse } from "./house.ts";
import type { ListOptions } from "./jobs.ts";
import { checkTiers, keepRegistry, openRegistryOf } from "./keeping.ts";
import { type Counting, MAIN_THREAD, type Metrics, openMetrics } from "./metrics.ts";
import { composeRequests } from "./requests.ts";

/** What the service is built from. */
export interface Parts {
  readonly state: StateStore;
  readonly registry: Registry;
  readonly log: Log;
  /** Whether the registry may be out of date, because what is published cannot be fetched. */
  readonly isBehind?: () => boolean;
  /** The clock of people and sessions; tests set it. */
  readonly now?: () => number;
  /** What hashes passwords; tests bring one that takes less. */
  readonly passwords?: Passwords;
  /** The built account page; tests bring their own. */
  readonly pageFolder?: string;
  /** How often it is looked who must be told of an allowance; tests do so sooner. */
  readonly lookAtAllowancesEveryMs?: number;
  /** Options of lists that tests set. */
  readonly listOptions?: ListOptions;
  /** When connections whose answers are not read are cut; tests wait less. */
  readonly unreadTimes?: UnreadTimes | undefined;
  /** What this thread counts with, where metrics are wanted. */
  readonly counting?: Counting | undefined;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly meter: Meter;
  readonly house: House;
  /** From now on `/readyz` says that calls should go elsewhere. */
  announceDraining(): void;
  /** Asks VIES and KVK no more: who waits for them is told what is held. */
  closeUpstreams(): void;
}

/** How a service is started. */
export interface ServiceOptions {
  /** Whether it may start with accounts whose tiers the settings lack; else it refuses. */
  readonly allowsUnknownTiers?: boolean;
  /** Whether more threads would answer calls, did the system let them share a port. */
  readonly wouldShare?: boolean;
  /** Aborted when it is told to end while it starts, which it gives up then. */
  readonly stopping?: AbortSignal;
}

/** Builds the service from its parts, all on this thread; nothing listens yet. */
export async function composeService(settings: Settings, parts: Parts): Promise<Service> {
  const { log, now = Date.now, counting } = parts;
  const { logger } = log;
  const recorder = counting?.recorder;
  const failures = new FailureLog(logger, () => recorder?.storeFailed());
  const state = failures.watch(parts.state);
  const onAccountError = (error: unknown) => failures.failed(error, "something for the account page failed");
  const suppressed = await SuppressionList.follow({ store: state.suppressed });
  const onListError = (error: unknown) => failures.failed(error, "something for lists failed");
  const shared = { ...parts, state, suppressed, logger, now, onAccountError, onListError, recorder };
  const house = await composeHouse(settings, shared);
  const { app, meter, announceDraining } = await composeRequests(settings, house, {
    ...shared,
    threads: 1,
    traceSecret: newTraceSecret(),
    failures,
  });
  counting?.watch(meter);
  await house.start();
  let lastWait: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    lastWait = setTimeout(() => void house.closeUpstreams(), waitForUpstreamsMs());
  });
  app.addHook("onClose", async () => {
    clearTimeout(lastWait);
    await house.close();
    suppressed.close();
    failures.close();
  });
  return { app, meter, house, announceDraining, closeUpstreams: () => void house.closeUpstreams() };
}

/**
 * Opens everything, listens, and runs until it is stopped.
 * @param early what was begun before this was loaded
 * @throws {UnknownTiers} when accounts have tiers that the settings lack, and that is not allowed
 * @throws {StartStopped} when it was told to end before it listened
 */
export async function runService(
  settings: Settings,
  {
    allowsUnknownTiers = false,
    wouldShare = false,
    stopping = new AbortController().signal,
  }: ServiceOptions = {},
  early: Early = beginEarly(settings),
): Promise<Running> {
  const log = openLog(settings);
  const { logger } = log;
  // Both wait for a thread or a server while the app is put together.
  const { registry, opened: openingRegistry } = openRegistryOf(settings, early, logger);
  const openingState = early.state;
  openingRegistry.catch(() => {});
  let composed: Service | undefined;
  let metrics: Metrics | undefined;
  let isStateOpen = false;
  try {
    logger.info(await readRelease(), "starting");
    metrics = await openMetrics(settings, logger);
    const opened = await unlessStopped(stopping, openingState);
    isStateOpen = true;
    await unlessStopped(stopping, checkTiers(settings, opened, allowsUnknownTiers, logger));
    const keeping = keepRegistry(settings, opened, logger);
    const { isBehind } = keeping;
    const counting = await metrics?.countHere(MAIN_THREAD);
    composed = await composeService(settings, { state: opened, registry, log, isBehind, counting });
    const { app, meter, house, closeUpstreams, announceDraining } = composed;
    let isDraining = false;
    await metrics?.tell(settings, {
      state: opened,
      registry,
      house,
      isBehind,
      isDraining: () => isDraining,
      threads: () => ({
        listening: Number(app.server.listening),
        lost: 0,
        silent: [{ thread: MAIN_THREAD, ms: 0 }],
      }),
    });
    await unlessStopped(stopping, openingRegistry);
    const address = await listen(app, settings.HOST, settings.PORT);
    await keeping.start();
    if (wouldShare) logger.info("this system lets no threads share a port: one thread answers all calls");
    logger.info({ address, companies: registry.current?.info.companies ?? 0 }, "listening");
    log.flushSoon();
    return {
      address,
      hasRegistry: registry.current !== undefined || settings.KVK_API_KEY !== undefined,
      failed: early.stateLost,
      escaped: (error) => log.escaped(error),
      async announce() {
        isDraining = true;
        announceDraining();
        await pause(settings.DRAIN_DELAY_MS);
      },
      async stop(withinMs = DRAIN_WITHIN_MS) {
        if (withinMs < DRAIN_WITHIN_MS) setTimeout(closeUpstreams, waitForUpstreamsMs(withinMs)).unref();
        const closed = leaveStateInTime(early.stateThread, log, withinMs);
        await Promise.all([keeping.stop(), drain(app, withinMs)]);
        await meter.close();
        await metrics?.close();
        await opened.close();
        registry.close();
        closed();
        logger.info("stopped");
        await log.flush();
      },
    };
  } catch (error) {
    giveUpInTime(error, log, early.stateThread, isStateOpen);
    await composed?.app.close();
    await composed?.meter.close();
    await metrics?.close();
    const state = await openingState.catch(() => undefined);
    await state?.close();
    registry.close();
    await log.flush();
    throw error;
  }
}
