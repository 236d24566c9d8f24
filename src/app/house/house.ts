/** What there is one of in a service, however many threads answer its calls, as those that answer them use it. */
import type { PublicSearchCounts } from "../../http/account/publicSearch.ts";
import { newPublicSearchCounts } from "../../http/account/publicSearch.ts";
import { newSessionCounts, type SessionCounts } from "../../http/account/sessionLimits.ts";
import { newLimiterMemory } from "../../http/minuteLimiter.ts";
import { newPaceMemory, type PaceMemory } from "../../jobs/pace.ts";
import type { CountsMemory } from "../../lib/sharedCounts.ts";
import type { Turns } from "../../lib/turns.ts";
import type { MarkedSuppression } from "../../lookup/suppression/suppressed.ts";
import type { LeftOutCalls } from "../../metering/leftOutCalls.ts";
import type { Live } from "../compose/live.ts";
import type { Vies } from "../compose/vies.ts";

export interface House {
  readonly vies: Vies;
  /** Undefined without a key for KVK. */
  readonly live: Live | undefined;
  /** Undefined without a mail server. */
  readonly mails: Nudged | undefined;
  readonly suppressed: MarkedSuppression;
  readonly limits: Limits;
  /** Turns at hashing passwords. */
  readonly hashing: Turns;
  readonly keys: KeyNews;
  readonly leftOut: LeftOutCalls;
}

/** What looks at the state when it is told to. */
export interface Nudged {
  nudge(): void;
}

/** Memory of limits that are counted over all threads. */
export interface Limits {
  readonly keyless: CountsMemory;
  /** Clients that call with a key for browsers. */
  readonly browsers: CountsMemory;
  readonly publicSearch: PublicSearchCounts;
  readonly sessions: SessionCounts;
  /** What lists leave to callers. */
  readonly lists: PaceMemory;
}

export function newLimits(): Limits {
  return {
    keyless: newLimiterMemory(),
    browsers: newLimiterMemory(),
    publicSearch: newPublicSearchCounts(),
    sessions: newSessionCounts(),
    lists: newPaceMemory(),
  };
}

/** What threads tell each other of keys. The state decides every call; this saves it questions, and shows a change at once. */
export interface KeyNews {
  /** Keys were revoked or deleted here. */
  ended(keyIds: readonly string[]): void;
  /** The bounds of a key were changed here. */
  changed(keyId: string): void;
  /** Has a listener told of it when another thread did so. */
  listen(listener: KeyListener): void;
}

export interface KeyListener {
  readonly onEnded: (keyIds: readonly string[]) => void;
  readonly onChanged: (keyId: string) => void;
}

/** Where there is one thread, nobody else is there to be told. */
export const NOBODY_ELSE: KeyNews = { ended: () => {}, changed: () => {}, listen: () => {} };
