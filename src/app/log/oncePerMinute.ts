const LOG_EVERY_MS = 60_000;

/** Limits repeated errors to one per minute. */
export function oncePerMinute(log: (reason: string) => void): (reason: string) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (reason) => {
    const nowMs = performance.now();
    if (nowMs - loggedAtMs < LOG_EVERY_MS) return;
    loggedAtMs = nowMs;
    log(reason);
  };
}
