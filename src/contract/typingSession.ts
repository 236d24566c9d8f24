/** A session of typing: the calls of autocomplete that one person's typing makes, paid for once. */

/** What a session is written as: the client makes it up anew for each field that somebody begins to type in. */
export const TYPING_SESSION = {
  minLength: 16,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_-]{16,64}$",
  rule: "16 to 64 of the characters A-Z, a-z, 0-9, _ and -",
} as const;

/** Calls that follow the one which was paid for cost nothing for so long, counted from that one. */
export const SESSION_SECONDS = 180;

/** So many calls that follow cost nothing; the next one begins a new session. */
export const MOST_FOLLOWERS = 40;

const FORM = new RegExp(TYPING_SESSION.pattern, "u");

/** Whether this can name a session. */
export function isTypingSession(text: string): boolean {
  return FORM.test(text);
}
