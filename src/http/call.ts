import type { FastifyRequest } from "fastify";
import type { TokenClaims } from "../accounts/browserTokens.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { BrowserCaller } from "../metering/browserKey.ts";
import type { IdempotencyKey } from "../metering/responses.ts";
import type { Balance } from "../metering/store.ts";
import type { CallTrace } from "./callTrace.ts";
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
