/**
 * The clock for windows and months, Unix milliseconds: this machine's for the embedded state, otherwise the database's.
 */
export type StoreClock = () => number | Promise<number>;

/** PostgreSQL's current time in Unix milliseconds, in SQL. */
export const NOW_MS = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";
