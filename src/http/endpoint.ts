import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Static, TObject, TSchema } from "typebox";
import type { BrowserTokens } from "../accounts/browserTokens.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { Operation } from "../contract/prices.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { Lists } from "../jobs/lists.ts";
import type { Steps } from "../lib/steps.ts";
import type { Lookups } from "../lookup/lookup.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import type { LedgerStore } from "../metering/ledger.ts";
import type { Balance } from "../metering/store.ts";
import type { Downloads } from "./downloads.ts";

/** Who calls, for what is given to a key and nobody else. */
export interface Caller {
  readonly keyId: string;
  readonly keyKind: KeyKind;
}

/** What handlers work with. */
export interface Services {
  /** These answer test keys. */
  readonly isTest?: true;
  readonly lookup: Lookups;
  /** What may not be told any more, of what was answered once. */
  readonly suppressed: Suppressed;
  readonly lists: Lists;
  readonly ledger: LedgerStore;
  /** That of test keys. */
  readonly testLedger: LedgerStore;
  readonly tiers: TierTable;
  readonly tokens: Pick<BrowserTokens, "make">;
  readonly downloads: Downloads;
  readonly health: () => Promise<Health>;
}

/** What handlers work with in the place of {@link Services}, for a call with a test key. */
export type SandboxServices = Pick<Services, "lookup" | "ledger">;

export interface Health {
  readonly status: "ok" | "degraded" | "down";
  readonly services: { readonly kvk: "up" | "degraded" | "down"; readonly vies?: "up" | "degraded" | "down" };
  readonly reason?: string;
  readonly timestamp: string;
}

/** A body that is read while it comes in, by the endpoint itself. */
export interface Upload {
  /** Media type, in lower case and without its parameters. */
  readonly type: string;
  readonly stream: Readable;
}

export interface EndpointSchema {
  readonly params?: TObject;
  readonly querystring?: TObject;
  readonly body?: TObject;
  readonly response: TSchema;
}

type Part<S extends EndpointSchema, Name extends "params" | "querystring" | "body"> = S[Name] extends TObject
  ? Static<S[Name]>
  : Record<never, never>;

/** What a caller sent, checked and typed. */
export interface Input<S extends EndpointSchema = EndpointSchema> {
  readonly params: Part<S, "params">;
  readonly query: Part<S, "querystring">;
  readonly body: Part<S, "body">;
  /** Of an endpoint that states `uploads`. */
  readonly upload?: Upload;
  /** Absent where the call did not come over HTTP. */
  readonly headers?: IncomingHttpHeaders;
}

/** What is delivered and what it costs, at most the full price. */
export interface Delivered {
  readonly charge: number;
  readonly body: unknown;
  /** That nothing was found. It reads the same for all who ask, so whoever has its tag does not hold the answer to this call. */
  readonly isNothing?: boolean;
}

/**
 * What a handler comes to: what is delivered, at once or in steps between which others have the thread; a body that tells
 * the balance, made after it; or paid work, which asks an upstream and for which the full price is reserved first. Steps and
 * paid work may throw an ApiError, which costs nothing. Of steps the first takes 2 ms at most, unless the endpoint says that it may be
 * slow; the others are done after the store was asked about the call.
 */
export type HandlerResult =
  | Delivered
  | { readonly inSteps: Steps<Delivered> }
  | { readonly charge: number; readonly bodyOf: (balance: Balance) => unknown | Promise<unknown> }
  | OwnAnswer
  | PaidHandlerWork;

/** A free call that answers for its account and key in its own way: another status, other headers, a body that is a stream. */
export interface OwnAnswer {
  readonly charge: 0;
  readonly answer: (caller: OwnCaller) => Promise<Answered>;
}

export interface OwnCaller {
  readonly accountId: string;
  readonly tierName: string;
  readonly keyId: string;
  /** The key is a test key. */
  readonly isTest: true | undefined;
  /** Stands for the call's `Idempotency-Key` and its API key; undefined for a call without one. */
  readonly onceId: string | undefined;
}

export interface Answered {
  /** 200 when it is left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** What the endpoint's schema writes, or bytes as they are. */
  readonly body: object | Readable;
}

export interface PaidHandlerWork {
  readonly paidWork: (accountId: string) => Promise<Delivered>;
}

export interface Documentation<S extends EndpointSchema = EndpointSchema> {
  readonly method: "GET" | "POST";
  /** The route's pattern: what logs and the API document show. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: S;
  /** Its answers have an entity tag, and one that the client holds already is not sent again, nor charged. */
  readonly isConditional?: true;
  /** Media types of a body that it reads itself, however large: it has to bound it. */
  readonly uploads?: readonly string[];
  /** A body of the first of these types. */
  readonly uploadExample?: string;
  /** The status of what it delivers, where that is not 200, and the media types, where that is not JSON. */
  readonly delivers?: { readonly status?: number; readonly types?: readonly string[] };
}

/** A call whose input was checked: what it costs, and its work, which may throw an ApiError, which costs nothing. */
export interface PreparedCall {
  readonly operation: Operation;
  /** The full price, which the allowance must cover before anything is delivered. */
  readonly price: number;
  /** The work, or its first step, can hold this thread for more than 2 ms: it is begun only after the store was asked about the call. */
  readonly mayBeSlow: boolean;
  /** The session of typing that the call is of, as it was sent. */
  readonly session: string | undefined;
  readonly work: () => HandlerResult | Promise<HandlerResult>;
}

/** An endpoint that needs a key. */
export interface KeyedEndpoint<S extends EndpointSchema = EndpointSchema> extends Documentation<S> {
  readonly auth: "key";
  /** What a call is filed under when its input could not be read. */
  readonly operation: Operation;
  /** Reads what was sent, without doing anything. @throws {ApiError} for input that breaks a rule: it costs nothing, whatever is left */
  readonly prepare: (input: Input<S>, services: Services, caller: Caller) => PreparedCall;
}

/** An endpoint without a key, limited per client address. */
export interface OpenEndpoint extends Documentation {
  readonly auth: "none";
  readonly handler: (services: Services) => Promise<{ readonly status: number; readonly body: unknown }>;
}

export type Endpoint = KeyedEndpoint | OpenEndpoint;

/** An endpoint as its file states it. `Asked` is what its own rules make of the input that its schema let through. */
interface Stated<S extends EndpointSchema, Asked> extends Documentation<S> {
  readonly operation: Operation;
  readonly cost: (asked: Asked) => { readonly operation: Operation; readonly price: number };
  /** Whether the work, or its first step, can hold this thread for more than 2 ms; never when it is absent. */
  readonly mayBeSlow?: (asked: Asked) => boolean;
  /** The session of typing that the call is of; none when it is absent. */
  readonly session?: (asked: Asked) => string | undefined;
  /** Looks things up; it may throw an ApiError, which costs nothing. Rules for the input are not its business. */
  readonly handler: (
    asked: Asked,
    services: Services,
    caller: Caller,
  ) => HandlerResult | Promise<HandlerResult>;
}

/** Reads what a schema cannot say of the input. @throws {ApiError} for input that breaks a rule */
type Read<S extends EndpointSchema, Asked> = (input: Input<S>, services: Services) => Asked;

/** States an endpoint; its handler is typed by its schema, or by what `read` makes of the input. */
export function keyed<const S extends EndpointSchema, Asked>(
  endpoint: Stated<S, Asked> & { readonly read: Read<S, Asked> },
): KeyedEndpoint;
export function keyed<const S extends EndpointSchema>(endpoint: Stated<S, Input<S>>): KeyedEndpoint;
export function keyed<const S extends EndpointSchema, Asked>(
  endpoint: Stated<S, Asked> & { readonly read?: Read<S, Asked> },
): KeyedEndpoint {
  const { cost, mayBeSlow, session, handler, read, ...rest } = endpoint;
  return {
    ...rest,
    auth: "key",
    prepare: (input, services, caller) => {
      // `input` was read by this very schema; without `read` it is what the handler wants.
      const asked = read === undefined ? (input as Asked) : read(input as Input<S>, services);
      const { operation, price } = cost(asked);
      const work = () => handler(asked, services, caller);
      return { operation, price, mayBeSlow: mayBeSlow?.(asked) === true, session: session?.(asked), work };
    },
  };
}
