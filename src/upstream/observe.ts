/** Runs work that waits for an upstream, and observes how it went: `outcomeOf` names its result by a word of a fixed set. */
export type ObserveWait = <T>(work: () => Promise<T>, outcomeOf: (result: T) => string) => Promise<T>;
