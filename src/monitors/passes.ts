/** The progress of the work on monitors, and when all monitored companies are compared with a snapshot. */

export interface MonitorProgress {
  /** The newest snapshot that all monitored companies were compared with, and when; 0 if none was. */
  readonly serialMs: number;
  readonly comparedAtMs: number;
  /** The snapshot of an unfinished comparison, and the last number that was compared; empty if none is under way. */
  readonly passSerialMs: number;
  readonly passAfter: string;
  /** Answers of live sources that were received before this moment have been compared. */
  readonly answersUntilMs: number;
}

const NO_PROGRESS: MonitorProgress = {
  serialMs: 0,
  comparedAtMs: 0,
  passSerialMs: 0,
  passAfter: "",
  answersUntilMs: 0,
};

/** Reads the progress from the cursor of a turn, which is JSON and empty at first. */
export function progressIn(cursor: string): MonitorProgress {
  return cursor === "" ? NO_PROGRESS : (JSON.parse(cursor) as MonitorProgress);
}

const DAY_MS = 86_400_000;

/**
 * Returns the progress with the pass to begin or continue; undefined if none is due. A pass is due for each newer snapshot, and once a day (UTC)
 * for companies that end on a date that was known before. A process with an older snapshot leaves the pass to others, unless they have not
 * finished it for a day: after a rollback there are none.
 * @param serialMs when the current snapshot of this process was built
 */
export function nextPass(
  progress: MonitorProgress,
  serialMs: number,
  nowMs: number,
): MonitorProgress | undefined {
  const newestMs = Math.max(progress.serialMs, progress.passSerialMs);
  const daysSince = Math.floor(nowMs / DAY_MS) - Math.floor(progress.comparedAtMs / DAY_MS);
  const isFirst = progress.comparedAtMs === 0;
  const isDue =
    serialMs >= newestMs ? serialMs > progress.serialMs || daysSince >= 1 : !isFirst && daysSince >= 2;
  if (!isDue) return undefined;
  return serialMs === progress.passSerialMs
    ? progress
    : { ...progress, passSerialMs: serialMs, passAfter: "" };
}

/** The progress after a completed pass. */
export function afterPass(progress: MonitorProgress, nowMs: number): MonitorProgress {
  const { serialMs, passSerialMs } = progress;
  return {
    ...progress,
    serialMs: Math.max(serialMs, passSerialMs),
    comparedAtMs: nowMs,
    passSerialMs: 0,
    passAfter: "",
  };
}
