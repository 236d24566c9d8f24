/** A typing session: the autocomplete calls while one person types in a field, charged once. */

/** The id of a session: the client generates a new one whenever someone starts typing in a field. */
export const TYPING_SESSION = {
  minLength: 16,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_-]{16,64}$",
  rule: "16 to 64 of the characters A-Z, a-z, 0-9, _ and -",
} as const;

/** How long further calls are free, counted from the charged one. */
export const SESSION_SECONDS = 180;

/** The number of free calls after the charged one; the next call starts a new session. */
export const MAX_FOLLOWERS = 40;
