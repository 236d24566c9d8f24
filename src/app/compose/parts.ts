/** The inputs that a service and its parts are built from. */
import type { Passwords } from "../../accounts/passwords.ts";
import type { UnreadTimes } from "../../http/parts.ts";
import type { ListBounds } from "../../jobs/store.ts";
import type { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { Registry } from "../../registry/types.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { FailureLog } from "../log/failureLog.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import type { Settings } from "../settings/settings.ts";

/** Options of lists that tests set. */
export interface ListOptions {
  readonly tryAgainAfterMs?: readonly number[];
  readonly lookAgainMs?: number;
  readonly webhookAgainAfterMs?: readonly number[];
  readonly lookEveryMs?: number;
  /** Smaller bounds than those of a real service. */
  readonly bounds?: Partial<ListBounds>;
  /** DNS servers for the hosts of webhooks; the system's when left out. */
  readonly nameServers?: readonly string[];
}

export interface Parts {
  readonly state: StateStore;
  readonly registry: Registry;
  readonly log: Log;
  /** Whether the registry may be out of date, because what is published cannot be fetched. */
  readonly isBehind?: () => boolean;
  /** The clock of people and sessions; tests set it. */
  readonly now?: () => number;
  /** Hashes passwords; tests bring a cheaper one. */
  readonly passwords?: Passwords;
  /** The built account page; tests bring their own. */
  readonly pageFolder?: string;
  /** How often allowances are checked for notices; tests do so sooner. */
  readonly lookAtAllowancesEveryMs?: number;
  readonly listOptions?: ListOptions;
  /** When connections whose answers are not read are cut; tests wait less. */
  readonly unreadTimes?: UnreadTimes | undefined;
  /** Counts for the metrics, when they are wanted. */
  readonly recorder?: Recorder | undefined;
}

/** The same, with what its parts share. `state` is watched by `failures`. */
export interface SharedParts extends Parts {
  readonly settings: Settings;
  readonly suppressed: SuppressionList;
  readonly logger: Log["logger"];
  readonly failures: FailureLog;
  /** Called with failures of the account page's parts. */
  readonly onAccountError: (error: unknown) => void;
  readonly now: () => number;
}
