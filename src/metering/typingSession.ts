import { hash } from "node:crypto";
import { MAX_FOLLOWERS, SESSION_SECONDS } from "../contract/typingSession.ts";
import { MAX_AHEAD_MS } from "../lib/periods.ts";

const SESSION_MS = SESSION_SECONDS * 1_000;

/** When the paid call began a session, Unix milliseconds, and the number of calls that followed. */
export interface SessionProgress {
  readonly beganAtMs: number;
  readonly followers: number;
}

/**
 * Returns the stored form of a session's name, a hash: clients may use a secret as the name, such as a session id of
 * their site.
 */
export function sessionHash(session: string): string {
  return hash("sha256", session, "base64url");
}

/**
 * Returns the session that a call can follow; `undefined` if the call would begin one. As with minutes and months, a
 * start at most {@link MAX_AHEAD_MS} ahead of the clock is accepted; a later start is reset to now.
 */
export function openSession(stored: SessionProgress | undefined, nowMs: number): SessionProgress | undefined {
  if (stored === undefined || stored.followers >= MAX_FOLLOWERS) return undefined;
  if (stored.beganAtMs > nowMs + MAX_AHEAD_MS) return { ...stored, beganAtMs: nowMs };
  return nowMs - stored.beganAtMs <= SESSION_MS ? stored : undefined;
}

/** Returns a session after a call: with one more follower, or a new session. */
export function afterCall(open: SessionProgress | undefined, nowMs: number): SessionProgress {
  return open === undefined
    ? { beganAtMs: nowMs, followers: 0 }
    : { beganAtMs: open.beganAtMs, followers: open.followers + 1 };
}
