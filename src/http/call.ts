import type { TokenClaims } from "../accounts/browserTokens.ts";
import type { ApiError, ErrorCode } from "../contract/errors.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { BrowserCaller } from "../metering/browserKey.ts";
import type { Repeatable } from "../metering/kept.ts";
import type { Balance } from "../metering/store.ts";
import type { CallTrace } from "./callTracer.ts";
import type { EntityTags } from "./conditional.ts";
import type { RawQuery } from "./input/query.ts";

/** What is known of a call when its key was found. */
export interface CallBegun {
  readonly query: RawQuery;
  readonly keyId: string;
  readonly keyKind: KeyKind;
  operation: LedgerOperation;
  /** Of a call with a key for browsers: where it comes from. */
  readonly browser: BrowserCaller | undefined;
  /** What the token says that was presented in the place of a key. */
  readonly token: TokenClaims | undefined;
}

/** What is known of a call while it is answered; logs read it. */
export interface Call extends CallBegun {
  /** The hash of the session of typing that it is of. */
  session: string | undefined;
  /** By what it is known again, when it has an `Idempotency-Key`. */
  once: Repeatable | undefined;
  /** The same of a call that costs nothing, and whose endpoint knows it again by itself. */
  onceId: string | undefined;
  /** Makes the entity tag of its response, which is not sent when the client has it already; undefined where there is none. */
  tags: EntityTags | undefined;
  tag: string | undefined;
  isUnchanged: boolean;
  /** It is answered by what was kept. */
  isReplayed: boolean;
  /** What the store, or the memory of a refusal, told last: every answer tells it on. */
  balance: Balance | undefined;
  /** What was charged, and the code of the error that was answered. */
  tokens: number | undefined;
  code: ErrorCode | undefined;
  /** Who takes what the call comes to, where it is not its own HTTP answer. */
  receiver: Receiver | undefined;
}

/** All that may come to be known of it has its place from the start: an object that grows is copied, more than once. */
export function beginCall({ query, keyId, keyKind, operation, browser, token }: CallBegun): Call {
  return {
    query,
    keyId,
    keyKind,
    operation,
    browser,
    token,
    session: undefined,
    once: undefined,
    onceId: undefined,
    tags: undefined,
    tag: undefined,
    isUnchanged: false,
    isReplayed: false,
    balance: undefined,
    tokens: undefined,
    code: undefined,
    receiver: undefined,
  };
}

/** Takes what a call comes to in the place of its HTTP answer; it is told once, when the charge is durable. */
export interface Receiver {
  /** The body of an endpoint as text, by that endpoint's schema. */
  serialize(body: unknown): string;
  delivered(text: string): void;
  failed(error: ApiError): void;
}

/** Whether a call is made with a test key, for what the store is asked: it counts such calls apart. */
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
