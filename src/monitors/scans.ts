/** The progress of the work on monitors, and when all monitored companies are compared with a snapshot: a scan. */

export interface MonitorProgress {
  /** The newest snapshot that all monitored companies were compared with, and when; 0 if none was. */
  readonly serialMs: number;
  readonly comparedAtMs: number;
  /** The snapshot of an unfinished scan, and the last company compared; 0 and empty if no scan is under way. */
  readonly scanSerialMs: number;
  readonly scanAfter: string;
  /** Answers of live sources that were received before this moment have been compared. */
  readonly answersUntilMs: number;
  /** The court's last list whose changes have been compared, by its date, and until when those were stored. */
  readonly courtListMs: number;
  readonly courtUntilMs: number;
}

const NO_PROGRESS: MonitorProgress = {
  serialMs: 0,
  comparedAtMs: 0,
  scanSerialMs: 0,
  scanAfter: "",
  answersUntilMs: 0,
  courtListMs: 0,
  courtUntilMs: 0,
};

/** Reads the progress from the cursor of a turn, which is JSON and empty at first. */
export function progressIn(cursor: string): MonitorProgress {
  return { ...NO_PROGRESS, ...(cursor === "" ? {} : (JSON.parse(cursor) as Partial<MonitorProgress>)) };
}

const DAY_MS = 86_400_000;

/**
 * Returns the progress with the scan to start or continue; undefined if none is due. A scan is due for each newer
 * snapshot, and once a day (UTC) for companies that end on a date that was known before. A process with an older
 * snapshot leaves the scan to others for a day, and then does it itself: after a rollback there may be no others.
 * @param serialMs when the current snapshot of this process was built
 */
export function nextScan(
  progress: MonitorProgress,
  serialMs: number,
  nowMs: number,
): MonitorProgress | undefined {
  const newestMs = Math.max(progress.serialMs, progress.scanSerialMs);
  const daysSince = Math.floor(nowMs / DAY_MS) - Math.floor(progress.comparedAtMs / DAY_MS);
  const isFirst = progress.comparedAtMs === 0;
  const isDue =
    serialMs >= newestMs ? serialMs > progress.serialMs || daysSince >= 1 : !isFirst && daysSince >= 2;
  if (!isDue) return undefined;
  return serialMs === progress.scanSerialMs
    ? progress
    : { ...progress, scanSerialMs: serialMs, scanAfter: "" };
}

/** The progress after a completed scan. */
export function afterScan(progress: MonitorProgress, nowMs: number): MonitorProgress {
  const { serialMs, scanSerialMs } = progress;
  return {
    ...progress,
    serialMs: Math.max(serialMs, scanSerialMs),
    comparedAtMs: nowMs,
    scanSerialMs: 0,
    scanAfter: "",
  };
}
