import type { FastifyRequest } from "fastify";
import type { TokenClaims } from "../accounts/browserTokens.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { BrowserCaller } from "../metering/browserKey.ts";
import type { Repeatable } from "../metering/responses.ts";
import type { Balance } from "../metering/store.ts";
import type { RawQuery } from "./input/read.ts";

/** A call whose key was found. Logs and headers read it. */
export interface Call {
  readonly request: FastifyRequest;
  readonly query: RawQuery;
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** Of a call with a test key: the store counts such calls separately. */
  readonly isTest: true | undefined;
  operation: LedgerOperation;
  /** The page that a key for browsers is used from. */
  readonly browser?: BrowserCaller;
  /** The claims of a token that was presented instead of a key. */
  readonly token?: TokenClaims;
  /** The hash of its session of typing. */
  session?: string;
  /** Identifies a call that has a price by its `Idempotency-Key`. */
  idempotency?: Repeatable;
  /** The same of any call. */
  idempotencyId?: string;
  /** The balance that the store, or the memory of a refusal, gave last. */
  balance?: Balance;
  /** Tokens charged. */
  tokens?: number;
  /** The code of the error that was sent. */
  code?: ErrorCode;
}

declare module "fastify" {
  interface FastifyRequest {
    /** By the rules of TRUST_PROXY, read when the request begins: a connection that was reset has none. */
    clientAddress: string | undefined;
    /** Where the operator wants traces. */
    trace: CallTrace | undefined;
    /** 32 hexadecimal digits; undefined where neither the caller nor the operator has a trace. */
    traceId: string | undefined;
    /** Set as soon as a good key was presented. */
    call: Call | null;
  }
}

/** The trace of one call. */
export interface CallTrace {
  /** 32 hexadecimal digits, the caller's own if it sent one. */
  readonly traceId: string;
  /** Goes on with the call: what is done then, and what that waits for, is part of the trace. */
  within(goOn: () => void): void;
  /** Called once, when the response has left or its caller is gone. @param answer its status is undefined where the caller hung up */
  end(answer: { readonly status: number | undefined; readonly operation: string | undefined }): void;
}

/** Traces calls through the service, where the operator wants that. */
export interface CallTracer {
  /** @param route the route's pattern, `-` for none: a path may hold a secret */
  begin(call: {
    readonly method: string;
    readonly route: string;
    readonly requestId: string;
    readonly parent: TraceParent | undefined;
  }): CallTrace;
}

/** Where a call stands in a trace that its caller began. */
export interface TraceParent {
  /** 32 hexadecimal digits */
  readonly traceId: string;
  /** Of the caller's own step, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NONE = /^0+$/;
const SAMPLED = 1;

/**
 * Reads the header `traceparent`; undefined where it is absent or not of the form, which is then as if it were absent (W3C, Trace Context,
 * section 3.2). Of a later version of the form what this one knows is read.
 */
export function parseTraceParent(header: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof header !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = "", rest] = FORM.exec(header) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (NONE.test(traceId) || NONE.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
