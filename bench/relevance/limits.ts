// What another engine may need; it is asked in the largest registry with which it stays inside.

/** A query that takes longer has no answer: nobody who types waits so long. */
export const QUERY_LIMIT_MS = 1_000;
/** So many of the queries must have an answer. */
export const LEAST_SHARE_ANSWERED = 0.95;
/** For the objects of JavaScript. */
export const HEAP_LIMIT_MIB = 4_096;
export const BUILD_LIMIT_MS = 10 * 60_000;
/** Each try has twice the companies of the one before. */
export const FIRST_SIZE = 50_000;
