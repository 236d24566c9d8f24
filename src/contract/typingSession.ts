/** A typing session: the autocomplete calls while one person types in a field, paid for once. */

/** The name of a session: the client generates a new one for each field that somebody begins to type in. */
export const TYPING_SESSION = {
  minLength: 16,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_-]{16,64}$",
  rule: "16 to 64 of the characters A-Z, a-z, 0-9, _ and -",
} as const;

/** How long calls after the paid one are free, counted from that one. */
export const SESSION_SECONDS = 180;

/** The number of free calls after the paid one; the next one begins a new session. */
export const MAX_FOLLOWERS = 40;
