/**
 * Runs work that waits for an upstream and records its outcome; `outcomeOf` maps the result to one of a fixed set of
 * names.
 */
export type ObserveWait = <T>(work: () => Promise<T>, outcomeOf: (result: T) => string) => Promise<T>;
