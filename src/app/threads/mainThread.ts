/** The thread that keeps those which answer calls: it follows the registry for all, and does what one must do for all. */
import { setTimeout as pause } from "node:timers/promises";
import { type HeldAddress, holdAddress } from "../../http/server.ts";
import { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { HandingRegistry } from "../../snapshot/registry.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Early } from "../compose/early.ts";
import { giveUpInTime, leaveStateInTime, waitForUpstreamsMs } from "../compose/ending.ts";
import { composeHouse, type OwnHouse } from "../compose/house.ts";
import { checkTiers, type Keeping, keepRegistry, openRegistryOf, tellSwap } from "../compose/keeping.ts";
import { type Counting, MAIN_THREAD, type Metrics, openMetrics } from "../compose/metrics.ts";
import type { ServiceOptions } from "../compose/service.ts";
import { FailureLog } from "../log/failureLog.ts";
import type { OwnLog } from "../log/log.ts";
import { StartStopped, unlessStopped } from "../process/signals.ts";
import { DRAIN_WITHIN_MS, type Running, stopInTime } from "../process/untilStopped.ts";
import { readRelease } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import type { RequestThreads } from "./requestThreads.ts";
import type { ThreadCounts } from "./threadCounts.ts";

export interface MainParts {
  readonly early: Early;
  readonly log: OwnLog;
  /** Started, and loading the program. */
  readonly threads: RequestThreads;
  readonly counts: ThreadCounts;
  /** Fulfilled here, for the ports of threads that wait for it. */
  readonly house: Pick<PromiseWithResolvers<OwnHouse>, "resolve">;
  /** Fulfilled here, for threads that could not open what they were handed. */
  readonly registry: Pick<PromiseWithResolvers<HandingRegistry>, "resolve">;
}

/**
 * Opens what all threads share, lets them listen, and runs until it is stopped.
 * @throws {StartStopped} when it was told to end before all listened; what was answered meanwhile is drained
 */
export async function startMainThread(
  settings: Settings,
  parts: MainParts,
  { allowsUnknownTiers = false, stopping = new AbortController().signal }: ServiceOptions,
): Promise<Running> {
  const { early, log, threads, counts } = parts;
  const { logger } = log;
  const { registry, openingRegistry } = openHandedRegistry(settings, parts);
  let common: Common | undefined;
  let metrics: Metrics | undefined;
  let held: HeldAddress | undefined;
  let isStateOpen = false;
  let stoppable: ReturnType<typeof stoppableBy> | undefined;
  try {
    logger.info(await readRelease(), "starting");
    metrics = await openMetrics(settings, logger, counts.recorders);
    const counting = await metrics?.countHere(MAIN_THREAD);
    const state = await unlessStopped(stopping, early.state);
    isStateOpen = true;
    await unlessStopped(stopping, checkTiers(settings, state, allowsUnknownTiers, logger));
    if (settings.PORT !== 0) held = await holdAddress(settings.HOST, settings.PORT);
    common = await composeCommon(settings, state, log, counting);
    const keeping = keepRegistry(settings, state, logger, (isBehind) => threads.behind(isBehind));
    const { isBehind } = keeping;
    const { house } = common;
    parts.house.resolve(house);
    stoppable = stoppableBy(settings, parts, { state, registry, common, keeping, metrics, held });
    const { isDraining } = stoppable;
    const seen = () => threads.seen;
    await metrics?.tell(settings, { state, registry, house, isBehind, isDraining, threads: seen });
    if (metrics !== undefined) threads.watch();
    await unlessStopped(stopping, openingRegistry);
    threads.begin(settings.PORT);
    const [address] = await unlessStopped(stopping, Promise.all([threads.started, house.start()]));
    await keeping.start();
    logger.info(
      { address, companies: registry.current?.info.companies ?? 0, threads: threads.count },
      "listening",
    );
    log.flushSoon();
    const hasRegistry = registry.current !== undefined || settings.KVK_API_KEY !== undefined;
    return { ...stoppable, address, hasRegistry };
  } catch (error) {
    if (error instanceof StartStopped && stoppable !== undefined && threads.isAnswering) {
      await stopInTime(stoppable);
      throw error;
    }
    giveUpInTime(error, log, early.stateThread, isStateOpen);
    await threads.stop(0);
    await held?.release();
    await common?.close();
    await metrics?.close();
    const state = await early.state.catch(() => undefined);
    await state?.close();
    registry.close();
    await log.flush();
    throw error;
  }
}

/** Begins to open the registry, which is handed to all threads. */
function openHandedRegistry(
  settings: Settings,
  { early, log: { logger }, threads, registry: handing }: MainParts,
): { readonly registry: HandingRegistry; readonly openingRegistry: Promise<void> } {
  let lastServed: Promise<void> = Promise.resolve();
  const { registry, opened: openingRegistry } = openRegistryOf(settings, early, logger, {
    onHanded: (snapshot) => {
      lastServed = threads.serve(snapshot);
    },
    onSwap: (info) => {
      void lastServed.then(() => tellSwap(info, logger));
    },
  });
  openingRegistry.catch(() => {});
  handing.resolve(registry);
  return { registry, openingRegistry };
}

interface Opened {
  readonly state: StateStore;
  readonly registry: HandingRegistry;
  readonly common: Common;
  readonly keeping: Keeping;
  readonly metrics: Metrics | undefined;
  readonly held: HeldAddress | undefined;
}

/** How all of it ends, from when a thread may answer. */
function stoppableBy(
  settings: Settings,
  { early, log, threads }: MainParts,
  { state, registry, common, keeping, metrics, held }: Opened,
) {
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    failed: early.stateLost,
    escaped: (error: unknown) => log.escaped(error),
    async announce() {
      isDraining = true;
      threads.announceDraining();
      await pause(settings.DRAIN_DELAY_MS);
    },
    async stop(withinMs = DRAIN_WITHIN_MS) {
      const closeUpstreams = () => void common.house.closeUpstreams();
      const lastWait = setTimeout(closeUpstreams, waitForUpstreamsMs(withinMs)).unref();
      const closed = leaveStateInTime(early.stateThread, log, withinMs);
      await Promise.all([keeping.stop(), threads.stop(withinMs)]);
      clearTimeout(lastWait);
      await held?.release();
      await common.close();
      await metrics?.close();
      await state.close();
      registry.close();
      closed();
      log.logger.info("stopped");
      await log.flush();
    },
  };
}

/** What there is one of for all threads. */
interface Common {
  readonly house: OwnHouse;
  close(): Promise<void>;
}

async function composeCommon(
  settings: Settings,
  opened: StateStore,
  { logger }: OwnLog,
  counting: Counting | undefined,
): Promise<Common> {
  const recorder = counting?.recorder;
  const failures = new FailureLog(logger, () => recorder?.storeFailed());
  const state = failures.watch(opened);
  const suppressed = await SuppressionList.follow({ store: state.suppressed });
  const onAccountError = (error: unknown) => failures.failed(error, "something for the account page failed");
  const house = await composeHouse(settings, {
    state,
    suppressed,
    logger,
    now: Date.now,
    onAccountError,
    onListError: (error) => failures.failed(error, "something for lists failed"),
    recorder,
  });
  return {
    house,
    async close() {
      house.desk.close();
      await house.close();
      suppressed.close();
      failures.close();
    },
  };
}
