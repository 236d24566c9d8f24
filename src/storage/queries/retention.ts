/** Reservations are kept this long after they expired, so that a late settlement is still known. */
export const KEEP_LAPSED_MS = 3_600_000;
/** How often a process deletes what is kept no longer. */
export const SWEEP_EVERY_MS = 60_000;
