import type { BrowserTokens } from "../accounts/browserTokens.ts";
import type { MinuteLimiter } from "../lib/minuteLimiter.ts";
import type { BrowserSightings } from "../metering/browserSightings.ts";
import type { Keyring } from "../metering/keyring.ts";
import type { Meter } from "../metering/meter.ts";
import type { RecordedCall } from "../metering/recordedCalls.ts";
import type { Tickets } from "../metering/tickets.ts";
import type { AccountServices } from "./account/route.ts";
import type { CallTracer } from "./callTrace.ts";
import type { EntityTags } from "./conditional.ts";
import type { SandboxServices, Services } from "./endpoint.ts";
import type { BodyTimes } from "./limits.ts";
import type { Readiness } from "./probes.ts";

/** An answered request, for the log. It contains nothing that the caller sent: no key, path or query. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern; `-` for none. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation: string | undefined;
  readonly accountId: string | undefined;
  /** Set for a call with a test key. */
  readonly isTest: true | undefined;
  /** The id of its trace, 32 hexadecimal digits; undefined without one. */
  readonly traceId: string | undefined;
}

/** Timeouts for connections whose clients do not read their responses. */
export interface UnreadTimeouts {
  /** Without progress for this long, a connection counts towards the limit of unread ones. */
  readonly countedAfterMs: number;
  /** Without progress for this long, it is cut. */
  readonly cutAfterMs: number;
  readonly checkEveryMs: number;
}

/** The parts of the service behind its HTTP interface. */
export interface AppParts {
  readonly services: Services;
  /** The services of test keys. */
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
  /** Limits clients with browser keys and tokens. */
  readonly browserLimiter: MinuteLimiter;
  readonly tokens: BrowserTokens;
  readonly sightings: BrowserSightings;
  readonly trustProxy: readonly string[];
  /** Shorter in tests. */
  readonly unreadTimes?: UnreadTimeouts | undefined;
  readonly bodyTimes?: BodyTimes | undefined;
  readonly publicUrl: string | undefined;
  readonly version: string;
  /** Whether a load balancer should send calls here. */
  readonly readiness: () => Promise<Readiness>;
  readonly onAnswered: (answered: Answered) => void;
  /** Called for each call with a valid key; `accountId` is undefined if the state could not be read. */
  readonly onCall: (accountId: string | undefined, call: RecordedCall) => void;
  readonly now: () => number;
  /** Called when the caller disconnected before the response was sent. The call continues and is charged. */
  readonly onAborted: (aborted: Omit<Answered, "status">) => void;
  readonly onError: (error: unknown, requestId: string, route: string) => void;
  /** Absent when tracing is off. */
  readonly tracer?: CallTracer | undefined;
}
