import { hash } from "node:crypto";
import { MOST_FOLLOWERS, SESSION_SECONDS } from "../contract/typingSession.ts";
import { MAX_AHEAD_MS } from "./periods.ts";

const SESSION_MS = SESSION_SECONDS * 1_000;

/** When a session was begun, by the call that was paid for, Unix milliseconds, and how many calls followed it. */
export interface SessionProgress {
  readonly beganAtMs: number;
  readonly followers: number;
}

/**
 * What is kept of a session's name: what clients take for one may be a secret of theirs, such as the name of a session on their own site.
 */
export function sessionHash(session: string): string {
  return hash("sha256", session, "base64url");
}

/**
 * The session that a call can follow at this moment; `undefined` when it would be the first of one. As with windows and months, a beginning
 * that is ahead of the clock by {@link MAX_AHEAD_MS} at most stands, and one that is further ahead is taken back to now with the calls
 * that followed it.
 */
export function openSession(stored: SessionProgress | undefined, nowMs: number): SessionProgress | undefined {
  if (stored === undefined || stored.followers >= MOST_FOLLOWERS) return undefined;
  if (stored.beganAtMs > nowMs + MAX_AHEAD_MS) return { ...stored, beganAtMs: nowMs };
  return nowMs - stored.beganAtMs <= SESSION_MS ? stored : undefined;
}

/** A session after a call of it was let in: the one that it follows with one follower more, or a new one. */
export function afterCall(open: SessionProgress | undefined, nowMs: number): SessionProgress {
  return open === undefined
    ? { beganAtMs: nowMs, followers: 0 }
    : { beganAtMs: open.beganAtMs, followers: open.followers + 1 };
}
