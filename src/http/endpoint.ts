import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Static, TObject, TSchema } from "typebox";
import type { BrowserTokens } from "../accounts/browserTokens.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { Operation } from "../contract/prices.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { Lists } from "../jobs/lists.ts";
import type { Lookups } from "../lookup/lookup.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import type { LedgerStore } from "../metering/ledger.ts";
import type { Balance } from "../metering/store.ts";
import type { Downloads } from "./downloads.ts";
import { turns } from "./turns.ts";

/** The key of a call. */
export interface Caller {
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** The key is a test key. */
  readonly isTest: true | undefined;
  /** Names the call's `Idempotency-Key` and its API key; undefined for a call without one, and until its input was read. */
  readonly idempotencyId?: string | undefined;
}

/** The account of a free call, which the store has let in. */
export interface Owner extends Caller {
  readonly accountId: string;
  readonly tierName: string;
  readonly idempotencyId: string | undefined;
  /** After this call. */
  readonly balance: Balance;
}

/** What handlers work with. */
export interface Services {
  /** These answer test keys. */
  readonly isTest?: true;
  readonly lookup: Lookups;
  /** Companies and VAT numbers that stored responses must no longer show. */
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

/** Replaces the same parts of {@link Services} for a call with a test key. */
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

/** The parts of a request that have a schema. */
export interface InputSchema {
  readonly params?: TObject;
  readonly querystring?: TObject;
  readonly body?: TObject;
}

export interface EndpointSchema extends InputSchema {
  readonly response: TSchema;
}

type Part<S extends InputSchema, Name extends keyof InputSchema> = S[Name] extends TObject
  ? Static<S[Name]>
  : Record<never, never>;

/** Input of a caller, checked and typed. */
export interface Input<S extends InputSchema = InputSchema> {
  readonly params: Part<S, "params">;
  readonly query: Part<S, "querystring">;
  readonly body: Part<S, "body">;
  /** Of an endpoint that states `uploads`. */
  readonly upload?: Upload;
  /** Absent where the call did not come over HTTP. */
  readonly headers?: IncomingHttpHeaders;
}

/** The answer of an endpoint. */
export interface Answer {
  /** 200 when it is left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Written by the endpoint's schema, or bytes as they are. */
  readonly body: object | Readable;
  /** Nothing was found. Such a body reads the same for every question, so its tag does not stand for the answer to this one. */
  readonly isNothing?: boolean;
}

/** An answer and its charge in tokens, at most the full price. */
export interface Delivered extends Answer {
  readonly charge: number;
}

/** Work that asks an upstream, or takes long: it begins when the full price is reserved. It may throw an ApiError, which costs nothing. */
export interface PaidWork {
  readonly paidWork: (accountId: string) => Promise<Delivered>;
}

/** The result of a handler: an answer, or the work that brings one. */
export type HandlerResult = Delivered | PaidWork;

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

/** A call whose input was checked. */
export interface PreparedCall {
  readonly operation: Operation;
  /** The full price, which the allowance must cover before anything is delivered. */
  readonly price: number;
  /** The store is asked about the call before its work begins; the work then knows the balance. */
  readonly asksFirst: boolean;
  /** The session of typing that the call belongs to, as it was sent. */
  readonly session: string | undefined;
  /** May throw an ApiError, which costs nothing. @param before of a call about which the store was asked first */
  readonly work: (before?: Balance) => HandlerResult | Promise<HandlerResult>;
}

/** An endpoint that needs a key. */
export interface KeyedEndpoint<S extends EndpointSchema = EndpointSchema> extends Documentation<S> {
  readonly auth: "key";
  /** The operation of a call whose input could not be read. */
  readonly operation: Operation;
  /** Reads the input and does nothing else. @throws {ApiError} for input that breaks a rule: it costs nothing */
  readonly prepare: (input: Input<S>, services: Services, caller: Caller) => PreparedCall;
}

/** An endpoint without a key, limited per client address. */
export interface OpenEndpoint extends Documentation {
  readonly auth: "none";
  readonly handler: (services: Services) => Promise<{ readonly status: number; readonly body: unknown }>;
}

export type Endpoint = KeyedEndpoint | OpenEndpoint;

/** A free endpoint as its file states it. `Asked` is the result of `read`, or the input without one. */
interface StatedFree<S extends EndpointSchema, Asked> extends Documentation<S> {
  readonly operation: Operation;
  /** Checks what a schema cannot say about the input. @throws {ApiError} for input that breaks a rule */
  readonly read?: (input: Input<S>, services: Services) => Asked;
  /** Runs when the store has let the call in. It may throw an ApiError. */
  readonly handler: (asked: Asked, services: Services, owner: Owner) => Promise<Answer>;
}

/** An endpoint with a price as its file states it. */
interface Stated<S extends EndpointSchema, Asked> extends Omit<StatedFree<S, Asked>, "handler"> {
  readonly cost: (asked: Asked) => { readonly operation: Operation; readonly price: number };
  /** Whether the handler can hold the thread for more than 2 ms: then the store is asked first. Never when it is left out. */
  readonly mayBeSlow?: (asked: Asked) => boolean;
  /** The session of typing that the call belongs to; none when it is left out. */
  readonly session?: (asked: Asked) => string | undefined;
  /** Looks things up. It may throw an ApiError, which costs nothing. */
  readonly handler: (asked: Asked, services: Services) => HandlerResult | Promise<HandlerResult>;
}

/** Without `read` the input, which was read by the schema, is what the handler wants. */
const asIs = <Asked>(input: object) => input as Asked;

/** States an endpoint with a price. Its handler is typed by its schema, or by the result of `read`. */
export function keyed<const S extends EndpointSchema, Asked = Input<S>>(
  endpoint: Stated<S, Asked>,
): KeyedEndpoint {
  const { cost, mayBeSlow, session, handler, read = asIs<Asked>, ...rest } = endpoint;
  return {
    ...rest,
    auth: "key",
    prepare: (input, services) => {
      const asked = read(input as Input<S>, services);
      const isSlow = mayBeSlow?.(asked) === true;
      const work = () => handler(asked, services);
      return {
        ...cost(asked),
        asksFirst: isSlow,
        session: session?.(asked),
        work: isSlow ? () => turns.run(work) : work,
      };
    },
  };
}

/** States an endpoint that costs nothing. */
export function free<const S extends EndpointSchema, Asked = Input<S>>(
  endpoint: StatedFree<S, Asked>,
): KeyedEndpoint {
  const { handler, read = asIs<Asked>, ...rest } = endpoint;
  return {
    ...rest,
    auth: "key",
    prepare: (input, services, caller) => {
      const asked = read(input as Input<S>, services);
      const work = async (balance?: Balance): Promise<Delivered> => {
        if (balance === undefined) throw new Error("a free call was answered before the store let it in");
        const { keyId, keyKind, isTest, idempotencyId } = caller;
        const { accountId, tierName } = balance;
        const owner = { keyId, keyKind, isTest, idempotencyId, accountId, tierName, balance };
        return { ...(await handler(asked, services, owner)), charge: 0 };
      };
      return { operation: endpoint.operation, price: 0, asksFirst: true, session: undefined, work };
    },
  };
}
