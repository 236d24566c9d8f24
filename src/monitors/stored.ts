import type { Changes, ChangeType, EventType } from "../contract/eventTypes.ts";
import type { Metadata, MonitorPauseReason } from "../contract/monitors.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Baseline } from "./types.ts";

/** The origin of the changes that test keys get. */
export const TEST_ORIGIN = "import:test";

/** A stored monitor. Times are Unix milliseconds. */
export interface StoredMonitor {
  readonly id: string;
  readonly accountId: string;
  /**
   * The key that created or last changed it. Its events are charged to that key in the ledger, even after the key was
   * revoked.
   */
  readonly keyId: string;
  readonly isTest?: true | undefined;
  readonly kvkNumber: KvkNumber;
  readonly pausedFor?: MonitorPauseReason;
  /** All if absent. */
  readonly events?: readonly ChangeType[];
  readonly metadata?: Metadata;
  readonly webhook?: string;
  /** When its webhook was disabled. */
  readonly webhookDisabledAtMs?: number;
  readonly createdAtMs: number;
  /** The origins that the company is compared with, and when that last happened. */
  readonly comparisons: readonly { readonly origin: string; readonly atMs: number }[];
}

/** The fields of a monitor that a caller sets: `null` removes a field, `undefined` leaves it. */
export interface MonitorFields {
  readonly events?: readonly ChangeType[] | null | undefined;
  readonly metadata?: Metadata | null | undefined;
  readonly webhook?: string | null | undefined;
}

/** The account, its monitors of live or of test keys, and the key of the call. */
export interface MonitorOwner {
  readonly accountId: string;
  readonly keyId: string;
  readonly isTest?: true | undefined;
}

/** The result for one number: its monitor, or why there is none. `suppressed` is reported as unknown. */
export type AddedMonitor = StoredMonitor | "limit" | "suppressed";

/**
 * A page of monitors, oldest first. `after` continues it, even if the last monitor was removed; absent on the last
 * page.
 */
export interface MonitorPage {
  readonly monitors: readonly StoredMonitor[];
  readonly after?: string;
}

/** An account's settings and figures of monitors. */
export interface MonitorAccount {
  readonly monitors: number;
  /** The number of paused monitors among them. */
  readonly paused: number;
  /** Changes that wait for tokens, or for a paused monitor. */
  readonly pending: number;
  /** Tokens spent on changes this month (UTC), and their cap; no cap if absent. */
  readonly spent: number;
  readonly maxTokens?: number;
  /** Events recorded since the page last showed them. */
  readonly unread: number;
  readonly hasDigest: boolean;
}

/** A recorded event. */
export interface StoredEvent {
  /** Its place in the account's sequence, from 1. */
  readonly sequence: number;
  readonly id: string;
  readonly monitorId?: string;
  readonly type: EventType;
  readonly kvkNumber?: KvkNumber;
  readonly observedAtMs: number;
  readonly source?: { readonly origin: string; readonly asOfMs: number };
  readonly changes: Changes;
  readonly metadata?: Metadata;
}

/** An event of a monitor of a test key. */
export interface SandboxEvent extends Pick<StoredEvent, "id" | "type" | "changes" | "source"> {
  readonly monitorId: string;
}

export interface EventFilter {
  readonly kvkNumber?: string | undefined;
  readonly type?: EventType | undefined;
}

/** Events after a place in the sequence. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The last place that was read, even if the filter does not match it; the given place if there is nothing newer. */
  readonly read: number;
}

/** Events before a place in the sequence, newest first. */
export interface LatestEvents {
  readonly events: readonly StoredEvent[];
  /** The first place that was read, to continue before it; 0 if there are no older events. */
  readonly read: number;
}

/** A webhook of an account, by its URL. */
export interface WebhookStatus {
  readonly url: string;
  readonly monitors: number;
  /** One of these monitors. */
  readonly monitorId: string;
  /** Messages waiting to be delivered. */
  readonly waiting: number;
  readonly deliveredAtMs?: number;
  readonly failedAtMs?: number;
  /** Contains no address. */
  readonly failure?: string;
  readonly disabledAtMs?: number;
  /** Present while it gets no message because it was busy. */
  readonly pausedUntilMs?: number;
}

/** An account with changes that can be delivered. */
export interface DueAccount extends MonitorOwner {
  /** Ids of its pending changes, oldest first: of monitors that are not paused. */
  readonly pendingIds: readonly string[];
}

/** A company with its baselines. */
export interface MonitoredCompany {
  readonly kvkNumber: KvkNumber;
  readonly baselines: readonly Baseline[];
}
