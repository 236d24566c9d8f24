/** The clock for windows and months, Unix milliseconds: this machine's for the embedded state, otherwise the database's. */
export type StoreClock = () => number | Promise<number>;
