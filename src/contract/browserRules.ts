/** What holds of calls that are made with what anybody can copy: a key for browsers, and a token made of another key. */

/** Calls a minute of one client's address with one key, or of one typing session with a token. */
export const BROWSER_CALLS_PER_MINUTE = 30;

/** How long a token works. */
export const TOKEN_MINUTES = { least: 5, most: 60, usual: 15 } as const;
