import type { BrowserTokens } from "../accounts/browserTokens.ts";
import type { BrowserSightings } from "../metering/browserSightings.ts";
import type { RecordedCall } from "../metering/callStore.ts";
import type { Keyring } from "../metering/keyring.ts";
import type { Meter } from "../metering/meter.ts";
import type { AccountServices } from "./account/route.ts";
import type { CallTracer } from "./call.ts";
import type { EntityTags } from "./conditional.ts";
import type { SandboxServices, Services } from "./endpoint.ts";
import type { MinuteLimiter } from "./minuteLimiter.ts";
import type { Readiness } from "./probes.ts";
import type { Tickets } from "./tickets.ts";

/** One answered call, for the log. Nothing of what the caller sent: no key, no path, no query. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, `-` for no route. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation: string | undefined;
  readonly accountId: string | undefined;
  /** True for a call with a test key. */
  readonly isTest: true | undefined;
  /** Of the trace that it is part of, 32 hexadecimal digits; undefined where there is none. */
  readonly traceId: string | undefined;
}

/** When connections are cut whose responses are not read. */
export interface UnreadTimes {
  /** A connection takes a place among the unread ones after so long without progress. */
  readonly countedAfterMs: number;
  /** It is cut after so long. */
  readonly cutAfterMs: number;
  readonly lookEveryMs: number;
}

/** The parts of the service that its HTTP interface works with. */
export interface AppParts {
  readonly services: Services;
  /** Answers calls with test keys. */
  readonly sandbox: SandboxServices;
  readonly account: AccountServices;
  /** The folder of the built account and docs pages; it may be absent. */
  readonly pageFolder: string;
  readonly tickets: Tickets;
  /** Makes the entity tags of responses. */
  readonly tags: EntityTags;
  readonly meter: Meter;
  readonly keyring: Keyring;
  readonly limiter: MinuteLimiter;
  /** Of clients that call with what anybody can copy. */
  readonly browserLimiter: MinuteLimiter;
  readonly tokens: BrowserTokens;
  readonly sightings: BrowserSightings;
  readonly trustProxy: readonly string[];
  /** When connections whose answers are not read are cut; tests wait less. */
  readonly unreadTimes?: UnreadTimes | undefined;
  readonly publicUrl: string | undefined;
  readonly version: string;
  /** Whether calls should be sent here. */
  readonly readiness: () => Promise<Readiness>;
  readonly onAnswered: (answered: Answered) => void;
  /** The same of a call with a good key, for its account; `accountId` is undefined where the state could not be asked whose it is. */
  readonly onCall: (accountId: string | undefined, call: RecordedCall) => void;
  readonly now: () => number;
  /** The caller hung up before its answer had left; the call goes on and is charged all the same. */
  readonly onAborted: (aborted: Omit<Answered, "status">) => void;
  readonly onError: (error: unknown, requestId: string, route: string) => void;
  /** Absent where the operator wants no traces. */
  readonly tracer?: CallTracer | undefined;
}
