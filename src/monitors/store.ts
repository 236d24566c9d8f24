import type { Changes, ChangeType, EventType, Metadata, MonitorPauseReason } from "../contract/monitors.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { OpenDataStore } from "../kvk/openData/worker.ts";
import type { Baseline, Observation } from "./types.ts";

/** A stored monitor. Times are Unix milliseconds. */
export interface StoredMonitor {
  readonly id: string;
  readonly accountId: string;
  /** The key that created or last changed it. Its events are charged to that key's line in the ledger, even after it was revoked. */
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

/** A page of monitors, oldest first. `after` continues it, even if the last monitor was removed; absent on the last page. */
export interface MonitorPage {
  readonly monitors: readonly StoredMonitor[];
  readonly after?: string;
}

/** An account's settings and figures of monitors. */
export interface MonitorAccount {
  readonly monitors: number;
  /** Of these, the paused ones. */
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
  /** The last place that was read, also if a filter left it out; the given one if there is nothing newer. */
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

/** The state store of monitors. Times are by the store's own clock. */
export interface MonitorStore extends OpenDataStore {
  /**
   * Adds monitors, or updates the given fields of those that exist, in the order of the numbers. The baselines of their companies
   * must be stored before or with them: `baselines` are stored where the origin has none for the company.
   * @param ids new ids, one for each number
   * @param limit the number of monitors that the account may have
   * @returns `webhooks` if the account would have more than {@link MONITOR_BOUNDS.maxWebhooks} URLs, `no-secret` if it has a webhook but no secret to sign with
   */
  addMonitors(
    owner: MonitorOwner,
    numbers: readonly KvkNumber[],
    ids: readonly string[],
    fields: MonitorFields,
    baselines: readonly Baseline[],
    limit: number,
  ): Promise<readonly AddedMonitor[] | "webhooks" | "no-secret">;
  /** The number of monitors that the account has. */
  countMonitors(owner: Omit<MonitorOwner, "keyId">): Promise<number>;
  /** @param after that of the previous page; empty for the first */
  monitors(owner: Omit<MonitorOwner, "keyId">, after: string, limit: number): Promise<MonitorPage>;
  monitor(owner: Omit<MonitorOwner, "keyId">, id: string): Promise<StoredMonitor | undefined>;
  /** Changes the given fields; setting a webhook also enables a disabled one. */
  changeMonitor(
    owner: MonitorOwner,
    id: string,
    fields: MonitorFields,
  ): Promise<StoredMonitor | "webhooks" | "no-secret" | undefined>;
  /** Deletes a monitor with its pending changes; its events stay. @returns false if there is none */
  removeMonitor(owner: Omit<MonitorOwner, "keyId">, id: string): Promise<boolean>;
  monitorAccount(owner: Omit<MonitorOwner, "keyId">): Promise<MonitorAccount>;
  /**
   * Notes that an account is shown companies in this month (UTC).
   * @param limit the different companies that it may be shown in a month
   * @returns those that it may be shown
   */
  showCompanies(
    accountId: string,
    numbers: readonly KvkNumber[],
    limit: number,
  ): Promise<readonly KvkNumber[]>;
  /**
   * The number of monitored companies, with some that were until lately, and when each live source last answered: Unix milliseconds,
   * by its origin.
   */
  liveFigures(): Promise<{
    readonly companies: number;
    readonly answeredAtMs: Readonly<Record<string, number>>;
  }>;
  setMonitorAccount(
    accountId: string,
    settings: { readonly maxTokens?: number | null | undefined; readonly hasDigest?: boolean | undefined },
  ): Promise<void>;
  /** Notes that the page has shown all events so far. */
  markEventsRead(accountId: string): Promise<void>;

  /** @returns `expired` with the oldest place that can be continued from, if events after `after` were deleted for their age */
  events(
    owner: Omit<MonitorOwner, "keyId">,
    after: number,
    limit: number,
    filter: EventFilter,
  ): Promise<EventPage | { readonly expired: number }>;
  /** Events before a place in the sequence, newest first. Ends early, after some events that a filter leaves out. */
  latestEvents(
    owner: Omit<MonitorOwner, "keyId">,
    before: number,
    limit: number,
    filter: EventFilter,
  ): Promise<LatestEvents>;
  event(owner: Omit<MonitorOwner, "keyId">, id: string): Promise<StoredEvent | undefined>;
  /** Queues a message about an event again. @returns as {@link addTestEvent}; the limit holds for test keys */
  redeliver(owner: Omit<MonitorOwner, "keyId">, eventId: string): Promise<boolean | number>;
  /**
   * Queues a message of type `monitor.test`, without an event.
   * @returns false if the monitor has no enabled webhook; milliseconds to wait if the account is at a limit of tests
   */
  addTestEvent(
    owner: Omit<MonitorOwner, "keyId">,
    message: { readonly id: string; readonly monitorId: string },
  ): Promise<boolean | number>;
  /**
   * Records events of monitors of test keys at once and free of charge. An account keeps the latest 1,000. Unknown monitors are
   * skipped, and messages of an account that has {@link MONITOR_BOUNDS.maxWaitingTests} already.
   */
  addSandboxEvents(accountId: string, events: readonly SandboxEvent[]): Promise<void>;
  webhookStatuses(accountId: string): Promise<readonly WebhookStatus[]>;

  /** Whether there is anything to work on: a monitor, or what earlier ones left. */
  hasMonitorData(): Promise<boolean>;
  /** The next companies with baselines after a number, by number: those that are monitored, and those with events about an address. */
  monitoredCompanies(after: string, limit: number): Promise<readonly MonitoredCompany[]>;
  /** The monitored ones among these companies, with their baselines. */
  monitoredAmong(kvkNumbers: readonly string[]): Promise<readonly MonitoredCompany[]>;
  /** Monitored companies that KVK or its open data answered about since a moment, oldest answer first. */
  answeredMonitored(
    sinceMs: number,
    limit: number,
  ): Promise<readonly { readonly kvkNumber: KvkNumber; readonly atMs: number }[]>;
  /**
   * Stores baselines, each with its changes for every monitor that wants them, in one transaction. An observation whose
   * baseline was replaced meanwhile changes nothing, so that each change is recorded once.
   */
  recordObservations(observations: readonly Observation[]): Promise<void>;
  /** Pauses the newest monitors beyond the limit of the account's tier and resumes those within it. */
  alignMonitors(tiers: TierTable): Promise<void>;
  /** Accounts with changes that can be delivered now, those that waited longest first. */
  dueAccounts(limit: number, perAccount: number): Promise<readonly DueAccount[]>;
  /** Excludes an account from {@link dueAccounts} for some time. @param isForTokens its tokens are used up */
  postponeAccount(owner: Omit<MonitorOwner, "keyId">, afterMs: number, isForTokens: boolean): Promise<void>;
  /** Deletes old events, changes of monitors that were paused longer than `keepMs`, and baselines without a monitor. @returns whether there may be more */
  sweepMonitors(keepMs: number): Promise<boolean>;
}

/** A company with its baselines. */
export interface MonitoredCompany {
  readonly kvkNumber: KvkNumber;
  readonly baselines: readonly Baseline[];
}
