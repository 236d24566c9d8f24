/** The work that asks KVK about monitored companies. */
import { Renewals, renewalEveryMs } from "../../kvk/monitored/renewals.ts";
import { Refreshes } from "../../kvk/mutations/refreshes.ts";
import { SignalPulls } from "../../kvk/mutations/signalPulls.ts";
import { TurnLoop, type TurnLoopParts } from "../../lib/turns.ts";
import { oncePerMinute } from "../log/oncePerMinute.ts";
import { type Live, monitorShare } from "./live.ts";
import type { SharedParts } from "./parts.ts";

/** Longer than any turn. */
const LEASE_MS = 120_000;

/** The work of a live source, not started. */
export function liveLoops(parts: SharedParts, live: Live): TurnLoop[] {
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
  const isReady = () => companies.unavailableBecause === undefined;
  loops.push(loopOf(parts, { name: "signals", everyMs: 0, work: pulls }));
  loops.push(loopOf(parts, { name: "refreshes", everyMs: 0, isReady, work: refreshes }));
  return loops;
}

type LoopOptions = Pick<TurnLoopParts, "name" | "everyMs" | "isReady" | "work">;

/** Work that one process does at a time, not started. */
export function loopOf({ state, failures }: SharedParts, options: LoopOptions): TurnLoop {
  return new TurnLoop({
    ...options,
    store: state.turns,
    leaseMs: LEASE_MS,
    onError: (error) => failures.failed(error, "work on monitored companies failed"),
  });
}
