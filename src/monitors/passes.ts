/** When all monitored companies are compared with a snapshot. */
import type { MonitorRound } from "./store.ts";

const DAY_MS = 86_400_000;

/**
 * Returns the round with the pass to begin or continue; undefined if none is due. A pass is due for each newer snapshot, and once a day (UTC)
 * for companies that end on a date that was known before. A process with an older snapshot leaves the pass to others, unless they have not
 * finished it for a day: after a rollback there are none.
 * @param serialMs when the current snapshot of this process was built
 */
export function nextPass(round: MonitorRound, serialMs: number, nowMs: number): MonitorRound | undefined {
  const newestMs = Math.max(round.serialMs, round.passSerialMs);
  const daysSince = Math.floor(nowMs / DAY_MS) - Math.floor(round.comparedAtMs / DAY_MS);
  const isFirst = round.comparedAtMs === 0;
  const isDue =
    serialMs >= newestMs ? serialMs > round.serialMs || daysSince >= 1 : !isFirst && daysSince >= 2;
  if (!isDue) return undefined;
  return serialMs === round.passSerialMs ? round : { ...round, passSerialMs: serialMs, passAfter: "" };
}

/** The round after a completed pass. */
export function afterPass(round: MonitorRound, nowMs: number): MonitorRound {
  const { serialMs, passSerialMs } = round;
  return {
    ...round,
    serialMs: Math.max(serialMs, passSerialMs),
    comparedAtMs: nowMs,
    passSerialMs: 0,
    passAfter: "",
  };
}
