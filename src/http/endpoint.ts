import type { Static, TObject, TSchema } from "typebox";
import type { Operation } from "../contract/prices.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { Balance, LedgerStore } from "../metering/store.ts";
import type { Companies } from "../registry/companies/companies.ts";
import type { CompanyFinder } from "../registry/companies/finding.ts";
import type { Verdicts } from "../vat/verdicts/verdicts.ts";

/** What handlers work with. */
export interface Services {
  readonly companies: Companies;
  readonly finder: CompanyFinder;
  /** How long callers wait for a live source. */
  readonly liveWaits: { readonly oneMs: number; readonly batchMs: number };
  readonly verdicts: Verdicts;
  readonly ledger: LedgerStore;
  readonly tiers: TierTable;
  readonly health: () => Promise<Health>;
}

export interface Health {
  readonly status: "ok" | "degraded" | "down";
  readonly services: { readonly kvk: "up" | "degraded" | "down"; readonly vies?: "up" | "degraded" | "down" };
  readonly timestamp: string;
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
}

/** What is delivered and what it costs, at most the full price. */
export interface Delivered {
  readonly charge: number;
  readonly body: unknown;
}

/**
 * What a handler comes to: what is delivered; a body that tells the balance, made after it; or work that leaves the
 * process, for which the full price is reserved first. That work may throw an ApiError, which costs nothing.
 */
export type Delivery =
  | Delivered
  | { readonly charge: number; readonly bodyOf: (balance: Balance) => unknown | Promise<unknown> }
  | { readonly outside: (accountId: string) => Promise<Delivered> };

export interface Documentation<S extends EndpointSchema = EndpointSchema> {
  readonly method: "GET" | "POST";
  /** The route's pattern: what logs and the API document show. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: S;
}

/** An endpoint that needs a key. The handler looks things up; it may throw an ApiError, which costs nothing. */
export interface KeyedEndpoint<S extends EndpointSchema = EndpointSchema> extends Documentation<S> {
  readonly auth: "key";
  /** What a call is filed under when its input could not be read. */
  readonly operation: Operation;
  /** The full price, which the allowance must cover before anything is delivered. */
  readonly cost: (input: Input<S>) => { readonly operation: Operation; readonly price: number };
  readonly handler: (input: Input<S>, services: Services) => Delivery | Promise<Delivery>;
}

/** An endpoint without a key, limited per client address. */
export interface OpenEndpoint extends Documentation {
  readonly auth: "none";
  readonly handler: (services: Services) => Promise<{ readonly status: number; readonly body: unknown }>;
}

export type Endpoint = KeyedEndpoint | OpenEndpoint;

/** States an endpoint; its handler is typed by its schema. */
export function keyed<const S extends EndpointSchema>(
  endpoint: Omit<KeyedEndpoint<S>, "auth">,
): KeyedEndpoint {
  const { cost, handler, ...rest } = endpoint;
  return {
    ...rest,
    auth: "key",
    // `input` was read by this very schema: the call path reads with `endpoint.schema` before it calls either.
    cost: (input) => cost(input as Input<S>),
    handler: (input, services) => handler(input as Input<S>, services),
  };
}
