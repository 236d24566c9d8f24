/** The value of a promise within a time; undefined when it is late. Rejects only when the promise rejects in time. */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  // Unlike the timer of `AbortSignal.timeout`, this one keeps the process alive.
  const timer = setTimeout(() => late.abort(), timeoutMs);
  return withDeadline(late.signal, work).finally(() => clearTimeout(timer));
}

/**
 * The value of a promise before a signal is aborted; undefined as soon as it is. Rejects only when the promise rejects
 * before that.
 */
export async function withDeadline<T>(deadline: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const ended = Promise.withResolvers<undefined>();
  const onEnd = () => ended.resolve(undefined);
  if (deadline.aborted) onEnd();
  else deadline.addEventListener("abort", onEnd, { once: true });
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    // A long-lived signal would collect listeners.
    deadline.removeEventListener("abort", onEnd);
  }
}

/** A deadline that ends with another one, or after a time if that is earlier. */
export function earlierOf(deadline: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([deadline, AbortSignal.timeout(timeoutMs)]);
}
