/** The inputs of a service and its parts. */
import type { Passwords } from "../../accounts/passwords.ts";
import type { Condition, HealthService } from "../../contract/health.ts";
import type { BodyTimes } from "../../http/limits.ts";
import type { UnreadTimeouts } from "../../http/parts.ts";
import type { ListBounds } from "../../jobs/stored.ts";
import type { TurnLoop } from "../../lib/turns.ts";
import type { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { MonitorSource } from "../../monitors/sources.ts";
import type { Registry } from "../../registry/types.ts";
import type { FailureLog } from "../log/failureLog.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import type { Settings } from "../settings/settings.ts";
import type { StateStore } from "../state/stateStore.ts";

/** Options of lists, for tests. */
export interface ListOptions {
  readonly tryAgainAfterMs?: readonly number[];
  readonly retryPausedMs?: number;
  readonly webhookAgainAfterMs?: readonly number[];
  readonly pollEveryMs?: number;
  /** Smaller limits than in a real service. */
  readonly bounds?: Partial<ListBounds>;
  /** DNS servers for the hosts of webhooks; the system's by default. */
  readonly nameServers?: readonly string[];
}

/** Options of monitors, for tests. */
export interface MonitorOptions {
  readonly pollEveryMs?: number;
}

export interface Parts {
  readonly state: StateStore;
  readonly registry: Registry;
  readonly log: Log;
  /** Whether the registry may be out of date, because the published one cannot be fetched. */
  readonly isBehind?: () => boolean;
  /** The clock for people and sessions; tests set it. */
  readonly now?: () => number;
  /** Hashes passwords; tests provide a cheaper one. */
  readonly passwords?: Passwords;
  /** The built account page; tests provide their own. */
  readonly pageFolder?: string;
  /** How often allowances are checked for notices; shorter in tests. */
  readonly allowanceCheckIntervalMs?: number;
  readonly listOptions?: ListOptions;
  readonly monitorOptions?: MonitorOptions;
  /** When connections with unread responses are closed; shorter in tests. */
  readonly unreadTimes?: UnreadTimeouts | undefined;
  readonly bodyTimes?: BodyTimes | undefined;
  /** Counters for the metrics, when enabled. */
  readonly recorder?: Recorder | undefined;
}

/** The same, with shared parts. `failures` watches `state`. */
export interface SharedParts extends Parts {
  readonly settings: Settings;
  readonly suppressed: SuppressionList;
  readonly logger: Log["logger"];
  readonly failures: FailureLog;
  /** Called with failures of the account page. */
  readonly onAccountError: (error: unknown) => void;
  readonly now: () => number;
}

/** A service that this one calls, as health, metrics, monitors and the background work see it. */
export interface Upstream {
  /** Its state in health, by its name there; absent if another part of health includes it. */
  readonly health?: Readonly<Partial<Record<HealthService, () => Condition | Promise<Condition>>>>;
  /** Its name in metrics. */
  readonly metricsName: string;
  breakers(): readonly { readonly what: string; readonly isOpen: boolean }[];
  /** Its background work, which one process does at a time. */
  readonly loops?: readonly TurnLoop[];
  /** The source that it is of monitored companies. */
  readonly monitors?: Pick<MonitorSource, "source" | "everyMs">;
  /** Stops sending requests: waiting callers get cached data. */
  close(): Promise<unknown>;
}
