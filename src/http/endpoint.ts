import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Static, TObject, TSchema } from "typebox";
import type { BrowserTokens } from "../accounts/browserTokens.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { Condition, HealthService } from "../contract/health.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { Operation } from "../contract/prices.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { Lists } from "../jobs/lists.ts";
import type { Work } from "../lookup/answer.ts";
import type { Finders } from "../lookup/finding.ts";
import type { Lookups } from "../lookup/lookup.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { workQueue } from "../lookup/workQueue.ts";
import type { LedgerQueries } from "../metering/queries/ledger.ts";
import type { Balance } from "../metering/store.ts";
import type { Monitors } from "../monitors/monitors.ts";
import type { Downloads } from "./downloads.ts";

/** The key of a call. */
export interface Caller {
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** The key is a test key. */
  readonly isTest: true | undefined;
  /** A hash of the call's `Idempotency-Key` and API key; undefined without one, and before the input was read. */
  readonly idempotencyId?: string | undefined;
}

/** The account of a free call that the store has allowed. */
export interface Owner extends Caller {
  readonly accountId: string;
  readonly tierName: string;
  readonly idempotencyId: string | undefined;
  /** The balance after this call. */
  readonly balance: Balance;
}

/** The services of handlers. */
export interface Services {
  /** Set for the services of test keys. */
  readonly isTest?: true;
  readonly lookup: Lookups;
  readonly finder: Finders;
  /** Companies and VAT numbers that stored responses must no longer show. */
  readonly suppressed: Suppressed;
  readonly lists: Lists;
  readonly monitors: Monitors;
  readonly ledger: LedgerQueries;
  /** The ledger of test keys. */
  readonly testLedger: LedgerQueries;
  readonly tiers: TierTable;
  readonly tokens: Pick<BrowserTokens, "make">;
  readonly downloads: Downloads;
  readonly health: () => Promise<Health>;
}

/** The parts of {@link Services} that are replaced for test keys. */
export type SandboxServices = Pick<Services, "lookup" | "finder" | "ledger" | "monitors">;

export interface Health {
  readonly status: "ok" | "degraded" | "down";
  readonly services: { readonly kvk: Condition } & Readonly<Partial<Record<HealthService, Condition>>>;
  readonly reason?: string;
  readonly timestamp: string;
}

/** A body that the endpoint reads as a stream. */
export interface Upload {
  /** Media type in lower case, without parameters. */
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

/** A caller's input, validated and typed. */
export interface Input<S extends InputSchema = InputSchema> {
  readonly params: Part<S, "params">;
  readonly query: Part<S, "querystring">;
  readonly body: Part<S, "body">;
  /** Set for an endpoint with `uploads`. */
  readonly upload?: Upload;
  /** Absent when the call did not come over HTTP. */
  readonly headers?: IncomingHttpHeaders;
}

/** The response of an endpoint. */
export interface Answer {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** An object is serialised by the endpoint's schema; a stream is sent as it is. */
  readonly body: object | Readable;
  /** The client already has the body: 304 with these headers and without a body. */
  readonly isUnchanged?: boolean;
}

/** A response and its charge in tokens, at most the full price. */
export interface Delivered extends Answer {
  readonly charge: number;
}

/** The result of a handler. Paid work may throw an ApiError, which is free. */
export type HandlerResult = Work<Delivered>;

export interface Documentation<S extends EndpointSchema = EndpointSchema> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The route's pattern, as logs and the API document show it. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: S;
  /** Errors that only this endpoint returns. */
  readonly errors?: readonly ErrorCode[];
  /** Its responses have an entity tag; an unchanged one gets 304 and is free. */
  readonly isConditional?: true;
  /**
   * The address of the specification that describes it instead of the API document. Responses are then written without
   * a schema.
   */
  readonly specification?: string;
  /** The maximum size of the body in bytes, if it is not the usual one. */
  readonly bodyLimit?: number;
  /** The body is a form (`application/x-www-form-urlencoded`) instead of JSON. */
  readonly isForm?: true;
  /** Writes a body that is not JSON. */
  readonly write?: (body: object) => string;
  /** Headers of every successful response, with its media type if that is not JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media types of a body that the endpoint reads as a stream and must limit itself. */
  readonly uploads?: readonly string[];
  /** An example body of the first of these types. */
  readonly uploadExample?: string;
  /** The status if it is not 200, and the media types if they are not JSON. */
  readonly delivers?: { readonly status?: number; readonly types?: readonly string[] };
}

/** A tool for language models: its arguments and its result are those of the endpoint. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool that it follows in the list; that of the endpoint before it by default. */
  readonly after?: string;
  /** False if the tool calls neither KVK nor VIES. */
  readonly isOpenWorld?: false;
  /** The tool changes the account. A repeated call has no further effect. */
  readonly isChanging?: true;
}

/** A call with validated input. */
export interface PreparedCall {
  readonly operation: Operation;
  /** The full price, which the allowance must cover. */
  readonly price: number;
  /** The store checks that the price is covered before the work begins, and the work gets the balance. */
  readonly checksFirst: boolean;
  /** The typing session as it was sent. */
  readonly session: string | undefined;
  /** May throw an ApiError, which is free. @param before the balance, if the store was asked first */
  readonly work: (before?: Balance) => HandlerResult | Promise<HandlerResult>;
}

/** An endpoint that needs a key. */
export interface KeyedEndpoint<S extends EndpointSchema = EndpointSchema> extends Documentation<S> {
  readonly auth: "key";
  /** The operation of a call with invalid input. */
  readonly operation: Operation;
  /** The rule of its price as the documents show it, if it is not always that of the operation. */
  readonly tokens?: string;
  /** Set for an endpoint that is a tool. Models choose badly between similar tools. */
  readonly tool?: ToolDefinition;
  /** Reads the input and does nothing else. @throws {ApiError} for invalid input, which is free */
  readonly prepare: (input: Input<S>, services: Services, caller: Caller) => PreparedCall;
}

/** A request to an endpoint without a key. */
export interface OpenRequest {
  /** The parameters of the endpoint's schema. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The key in the query, unverified. */
  readonly key: string | undefined;
  /** The public address of the service, without a slash at the end. */
  readonly serviceUrl: string;
}

/** An endpoint without a key, limited per client address. */
export interface OpenEndpoint extends Documentation {
  readonly auth: "none";
  /** How long anyone may cache a response, which then has an entity tag; by default it must not be stored. */
  readonly cacheSeconds?: number;
  /** Answers requests with one of its query parameters; they need a key. */
  readonly keyed?: KeyedEndpoint;
  /** May throw an ApiError. */
  readonly handler: (
    services: Services,
    request: OpenRequest,
  ) => Promise<{ readonly status: number; readonly body: object }>;
}

export type Endpoint = KeyedEndpoint | OpenEndpoint;

/** The definition of a free endpoint. `Read` is the result of `read`, or the input without one. */
interface FreeEndpointDefinition<S extends EndpointSchema, Read> extends Documentation<S> {
  readonly operation: Operation;
  readonly tokens?: string;
  readonly tool?: ToolDefinition;
  /** Validates what a schema cannot express. @throws {ApiError} for invalid input */
  readonly read?: (input: Input<S>, services: Services) => Read;
  /** Runs when the store has allowed the call. It may throw an ApiError. */
  readonly handler: (request: Read, services: Services, owner: Owner) => Promise<Answer>;
}

/** The definition of an endpoint with a price. */
interface EndpointDefinition<S extends EndpointSchema, Read>
  extends Omit<FreeEndpointDefinition<S, Read>, "handler"> {
  readonly cost: (request: Read) => { readonly operation: Operation; readonly price: number };
  /**
   * Whether the handler may block the event loop for more than 2 ms; if so, the store is asked first. False by default.
   */
  readonly mayBeSlow?: (request: Read) => boolean;
  /** Returns the call's typing session; none by default. */
  readonly session?: (request: Read) => string | undefined;
  /** Does the lookup. It may throw an ApiError, which is free. */
  readonly handler: (request: Read, services: Services) => HandlerResult | Promise<HandlerResult>;
}

/** Without `read` the handler gets the input as the schema typed it. */
const asIs = <Read>(input: object) => input as Read;

/** Defines an endpoint with a price. Its handler is typed by its schema, or by the result of `read`. */
export function keyed<const S extends EndpointSchema, Read = Input<S>>(
  endpoint: EndpointDefinition<S, Read>,
): KeyedEndpoint {
  const { cost, mayBeSlow, session, handler, read = asIs<Read>, ...rest } = endpoint;
  return {
    ...rest,
    auth: "key",
    prepare: (input, services) => {
      const parsed = read(input as Input<S>, services);
      const isSlow = mayBeSlow?.(parsed) === true;
      const work = () => handler(parsed, services);
      return {
        ...cost(parsed),
        checksFirst: isSlow,
        session: session?.(parsed),
        work: isSlow ? () => workQueue.run(work) : work,
      };
    },
  };
}

/** Defines a free endpoint. */
export function free<const S extends EndpointSchema, Read = Input<S>>(
  endpoint: FreeEndpointDefinition<S, Read>,
): KeyedEndpoint {
  const { handler, read = asIs<Read>, ...rest } = endpoint;
  return {
    ...rest,
    auth: "key",
    prepare: (input, services, caller) => {
      const parsed = read(input as Input<S>, services);
      const work = async (balance?: Balance): Promise<Delivered> => {
        if (balance === undefined) throw new Error("a free call was answered before the store allowed it");
        const { keyId, keyKind, isTest, idempotencyId } = caller;
        const { accountId, tierName } = balance;
        const owner = { keyId, keyKind, isTest, idempotencyId, accountId, tierName, balance };
        return { ...(await handler(parsed, services, owner)), charge: 0 };
      };
      return { operation: endpoint.operation, price: 0, checksFirst: true, session: undefined, work };
    },
  };
}
