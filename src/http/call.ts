import type { TokenClaims } from "../accounts/browserTokens.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { BrowserCaller } from "../metering/browserKey.ts";
import type { Repeatable } from "../metering/kept.ts";
import type { Balance } from "../metering/store.ts";
import type { CallTrace } from "./callTracer.ts";
import type { RawQuery } from "./input/query.ts";

/** A call whose key was found. */
export interface CallBegun {
  readonly query: RawQuery;
  readonly keyId: string;
  readonly keyKind: KeyKind;
  operation: LedgerOperation;
  /** The page that a key for browsers is used from. */
  readonly browser: BrowserCaller | undefined;
  /** The claims of a token that was presented instead of a key. */
  readonly token: TokenClaims | undefined;
}

/** A call while it is answered; logs and headers read it. */
export interface Call extends CallBegun {
  /** The hash of its session of typing. */
  session: string | undefined;
  /** Identifies a call that has a price by its `Idempotency-Key`. */
  idempotency: Repeatable | undefined;
  /** The same of any call. */
  idempotencyId: string | undefined;
  /** The balance that the store, or the memory of a refusal, gave last. */
  balance: Balance | undefined;
  /** Tokens charged. */
  tokens: number | undefined;
  /** The code of the error that was answered. */
  code: ErrorCode | undefined;
}

export function beginCall(begun: CallBegun): Call {
  return {
    ...begun,
    session: undefined,
    idempotency: undefined,
    idempotencyId: undefined,
    balance: undefined,
    tokens: undefined,
    code: undefined,
  };
}

/** Whether a call is made with a test key: the store counts such calls separately. */
export function testMark({ keyKind }: Pick<Call, "keyKind">): true | undefined {
  return keyKind === "test" ? true : undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The client's address as it is limited, read when the request begins: a connection that was reset has none. */
    limiterSubject: string;
    /** The client's address as it was read then, by the rules of TRUST_PROXY; undefined when it was gone. */
    clientAddress: string | undefined;
    /** Where the operator wants traces. */
    trace: CallTrace | undefined;
    /** 32 hexadecimal digits; undefined where neither the caller nor the operator has a trace. */
    traceId: string | undefined;
    /** Set as soon as a good key was presented. */
    call: Call | null;
  }
}
