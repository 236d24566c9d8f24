import type { FastifyRequest } from "fastify";
import type { TokenClaims } from "../accounts/browserTokens.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { BrowserCaller } from "../metering/browserKey.ts";
import type { IdempotencyKey } from "../metering/responses.ts";
import type { Balance } from "../metering/store.ts";
import type { RawQuery } from "./input/read.ts";

/** A call with a valid key. Logs and headers read it. */
export interface Call {
  readonly request: FastifyRequest;
  readonly query: RawQuery;
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** A call with a test key, which the store counts separately. */
  readonly isTest: true | undefined;
  operation: LedgerOperation;
  /** The page of a call with a browser key. */
  readonly browser?: BrowserCaller;
  /** The claims of a token that was presented instead of a key. */
  readonly token?: TokenClaims;
  /** The hash of its typing session. */
  session?: string;
  /** Identifies a call that has a price, by its `Idempotency-Key`. */
  idempotency?: IdempotencyKey;
  /** Identifies any call by its `Idempotency-Key`. */
  idempotencyId?: string;
  /** The latest balance, from the store or a remembered refusal. */
  balance?: Balance;
  /** Tokens charged. */
  tokens?: number;
  /** The code of the error that was sent. */
  code?: ErrorCode;
}

declare module "fastify" {
  interface FastifyRequest {
    /** By the rules of TRUST_PROXY, read when the request begins; undefined for a connection that was reset. */
    clientAddress: string | undefined;
    /** Set when tracing is on. */
    trace: CallTrace | undefined;
    /** 32 hexadecimal digits; undefined when neither the caller nor the service traces the call. */
    traceId: string | undefined;
    /** Set once a valid key was found. */
    call: Call | null;
  }
}

/** The trace of one call. */
export interface CallTrace {
  /** 32 hexadecimal digits, the caller's own if it sent one. */
  readonly traceId: string;
  /** Continues the call inside the trace. */
  within(run: () => void): void;
  /** Called once, when the response was sent or the caller disconnected. @param answer its status is undefined if the caller disconnected */
  end(answer: { readonly status: number | undefined; readonly operation: string | undefined }): void;
}

/** Traces calls. */
export interface CallTracer {
  /** @param route the route's pattern, `-` for none; never the path, which may contain a secret */
  begin(call: {
    readonly method: string;
    readonly route: string;
    readonly requestId: string;
    readonly parent: TraceParent | undefined;
  }): CallTrace;
}

/** The position of a call in its caller's trace. */
export interface TraceParent {
  /** 32 hexadecimal digits */
  readonly traceId: string;
  /** The caller's span, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NONE = /^0+$/;
const SAMPLED = 1;

/**
 * Parses the header `traceparent`; undefined if it is absent or malformed (W3C, Trace Context, section 3.2). Only the known fields of a later
 * version are read.
 */
export function parseTraceParent(header: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof header !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = "", rest] = FORM.exec(header) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (NONE.test(traceId) || NONE.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
