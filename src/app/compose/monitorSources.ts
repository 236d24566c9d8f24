/** KVK's open data, and the work that asks KVK about monitored companies. Loaded only if one of them is set. */
import { Renewals, renewalEveryMs } from "../../kvk/monitored/renewals.ts";
import { Refreshes } from "../../kvk/mutations/refreshes.ts";
import { SignalPulls } from "../../kvk/mutations/signalPulls.ts";
import { OpenDataClient, openDataOverHttp } from "../../kvk/openData/client.ts";
import { OpenDataWorker } from "../../kvk/openData/worker.ts";
import { TurnLoop, type TurnLoopParts } from "../../lib/turns.ts";
import { oncePerMinute } from "../log/oncePerMinute.ts";
import { type Live, monitorShare, type Upstreams } from "./live.ts";
import type { SharedParts } from "./parts.ts";

const OPEN_DATA_TIMEOUT_MS = 15_000;
/** Longer than any turn. */
const LEASE_MS = 120_000;
const MINUTE_MS = 60_000;

/** KVK's open data. */
export function composeOpenData({ settings, logger, recorder }: SharedParts): OpenDataClient {
  const deviations = new Set<string>();
  return new OpenDataClient({
    upstream: openDataOverHttp(settings.KVK_OPEN_DATA_URL),
    callWithinMs: OPEN_DATA_TIMEOUT_MS,
    onChange: (isOpen, reason) =>
      isOpen
        ? logger.warn({ reason }, "KVK's open data does not answer: calls are paused")
        : logger.info("KVK's open data answers again"),
    onTried: (result, tookMs) => recorder?.kvkTried("open-data", result, tookMs),
    onDeviation: ({ path, kind }) => {
      if (deviations.has(path)) return;
      deviations.add(path);
      logger.warn({ path, kind }, "KVK returned a field in an unknown format; it is ignored");
    },
  });
}

/** Builds the work without starting it. */
export function composeMonitorSources(parts: SharedParts, { live, openData }: Upstreams) {
  const loops = [
    ...(openData === undefined ? [] : [openDataLoop(parts, openData, live)]),
    ...(live === undefined ? [] : liveLoops(parts, live)),
  ];
  return {
    start() {
      for (const loop of loops) loop.nudge();
    },
    close: async () => {
      await Promise.all(loops.map((loop) => loop.close()));
    },
  };
}

function openDataLoop(parts: SharedParts, client: OpenDataClient, live: Live | undefined): TurnLoop {
  const everyMs = MINUTE_MS / parts.settings.KVK_OPEN_DATA_PER_MINUTE;
  return loopOf(parts, {
    name: "open-data",
    everyMs,
    isReady: () => client.permitsCalls && live?.isAwaited() !== true,
    work: new OpenDataWorker({ client, store: parts.state.monitors, everyMs }),
  });
}

function liveLoops(parts: SharedParts, live: Live): TurnLoop[] {
  const { settings, state, logger } = parts;
  const { companies, signals } = live;
  const store = state.monitorSources;
  const calls = monitorShare(settings);
  const loops: TurnLoop[] = [];
  if (calls > 0) {
    loops.push(
      loopOf(parts, {
        name: "share",
        everyMs: renewalEveryMs(calls),
        isReady: () => companies.unavailableBecause === undefined && !live.isAwaited(),
        work: new Renewals({ companies, store, calls, renewAfterMs: settings.KVK_FRESH_FOR * 1_000 }),
      }),
    );
  }
  if (signals === undefined) return loops;
  const onConfiguration = oncePerMinute((reason) =>
    logger.error({ reason }, "KVK's Mutatieservice rejects the subscription: check KVK_SUBSCRIPTION"),
  );
  const pulls = new SignalPulls({ source: signals, store, onConfiguration });
  const refreshes = new Refreshes({ companies, store });
  return [
    ...loops,
    loopOf(parts, { name: "signals", everyMs: 0, work: pulls }),
    loopOf(parts, {
      name: "refreshes",
      everyMs: 0,
      isReady: () => companies.unavailableBecause === undefined,
      work: refreshes,
    }),
  ];
}

type LoopOptions = Pick<TurnLoopParts, "name" | "everyMs" | "isReady" | "work">;

function loopOf({ state, failures }: SharedParts, options: LoopOptions): TurnLoop {
  return new TurnLoop({
    ...options,
    store: state.turns,
    leaseMs: LEASE_MS,
    onError: (error) => failures.failed(error, "work on monitored companies failed"),
  });
}
