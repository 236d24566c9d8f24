import type { KvkNumber } from "../../contract/numbers.ts";

/** The share of the day's paid calls that renews monitored companies. Days are YYYY-MM-DD. */
export interface MonitorCallStore {
  /** Counts one paid call of a day, unless `limit` are counted already, or `share` of monitors. */
  spendMonitorCall(day: string, limit: number, share: number): Promise<"spent" | "day-over" | "share-over">;
  refundMonitorCall(day: string): Promise<void>;
  monitorCalls(day: string): Promise<number>;
}

/** A monitored company, and when KVK's API last answered about it: Unix milliseconds, 0 if it never did. */
export interface MonitoredAnswer {
  readonly kvkNumber: KvkNumber;
  readonly answeredAtMs: number;
}

/** Monitored companies: those of active monitors of live keys, of accounts that are not suspended. */
export interface MonitoredStore {
  /** The first account after an id that has such companies. */
  accountWithMonitors(after: string): Promise<string | undefined>;
  /** Its companies after a number, by number. */
  monitoredOf(accountId: string, after: string, limit: number): Promise<readonly MonitoredAnswer[]>;
}

/** A signal of the Mutatieservice that a company has changed. */
export interface Signal {
  readonly id: string;
  readonly kvkNumber: KvkNumber;
  /** It names a branch. */
  readonly isAboutBranch: boolean;
  /** When KVK registered the change, Unix milliseconds. */
  readonly atMs: number;
}

/** Signals about monitored companies, until these are refreshed. */
export interface SignalStore {
  /** Stores the signals about monitored companies, each id once. @returns how many were new */
  storeSignals(signals: readonly Signal[]): Promise<number>;
  /** Signals whose companies are to be refreshed now, oldest first. Those of companies that are no longer monitored are deleted. */
  dueSignals(limit: number): Promise<readonly Signal[]>;
  /** The companies of these signals were refreshed. */
  completeSignals(ids: readonly string[]): Promise<void>;
  postponeSignals(ids: readonly string[], waitMs: number): Promise<void>;
  /** Deletes completed signals that are older than `completedMs`, and all that are older than `keepMs`. @returns the uncompleted ones */
  sweepSignals(completedMs: number, keepMs: number): Promise<number>;
}

/** The state store of the sources of monitors. */
export interface MonitorSourceStore extends MonitorCallStore, MonitoredStore, SignalStore {}
