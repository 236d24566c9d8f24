/** Limits of calls with credentials that are visible in a web page: browser keys, and tokens made from other keys. */

/** Calls per minute from one client address with one key, or in one typing session with a token. */
export const BROWSER_CALLS_PER_MINUTE = 30;

/** The lifetime of a token: minimum, maximum and default. */
export const TOKEN_MINUTES = { least: 5, most: 60, usual: 15 } as const;
