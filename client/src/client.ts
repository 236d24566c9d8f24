import type {
  AutocompleteAnswer,
  BatchAnswer,
  BranchesQuery,
  HealthAnswer,
  LookupQuery,
  SearchAnswer,
  SearchQuery,
  UsageAnswer,
  VatValidationQuery,
} from "./api/calls.ts";
import type { BasicCompany, BatchBasicCompany, BranchList, MatchQuery } from "./api/resources.ts";
import { type BatchOptions, batchOf } from "./batch.ts";
import { type MatchOptions, matchesOf } from "./match.ts";
import type { MatchOf } from "./matched.ts";
import { answerTo, type FetchOptions, type Route, type RouteAnswer, type RouteOptions } from "./request.ts";
import { pagesOf } from "./search.ts";
import type { Balance } from "./state.ts";
import { type CallOptions, type ClientOptions, segment, Transport } from "./transport.ts";
import { type AutocompleteOptions, Typing, type TypingOptions } from "./typing.ts";
import type { Company, VatVerdict } from "./verdicts.ts";

/** Options of `lookup()`. */
export type LookupOptions = CallOptions & LookupQuery;
/** Options of `branches()`. */
export type BranchesOptions = CallOptions & BranchesQuery;
/** Options of `vat()`. */
export type VatOptions = CallOptions & VatValidationQuery;

/** The result of `batch()`. Its companies are basic ones unless they were enriched. */
export type BatchOf<Found> = Omit<BatchAnswer, "results"> & {
  /** The companies found, in the order of the request. */
  readonly results: readonly Found[];
};

/**
 * A client of the service.
 *
 * Calls are retried within their deadline and never charged twice, because all tries share an idempotency key.
 * Every method rejects with an {@link OpzoekError}.
 *
 * @example
 * ```ts
 * const opzoek = new Opzoek({ baseUrl: "https://opzoek.example", key });
 * const { name } = await opzoek.lookup("51234567");
 * ```
 */
export class Opzoek {
  readonly #transport: Transport;
  readonly #typing: Typing;

  /** @throws {TypeError} for an invalid address or key */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.#typing = this.typing();
  }

  /** The remaining rate of the key and tokens of the account, from the latest response. */
  get state(): Balance {
    return this.#transport.balance;
  }

  /**
   * Looks up a company by its KVK number, eight digits as text. `enrich` adds everything known about it. 1 token,
   * enriched 5.
   */
  lookup(kvkNumber: string, options: LookupOptions & { readonly enrich: true }): Promise<Company>;
  lookup(kvkNumber: string, options?: LookupOptions & { readonly enrich?: false }): Promise<BasicCompany>;
  lookup(kvkNumber: string, options?: LookupOptions): Promise<BasicCompany | Company>;
  lookup(kvkNumber: string, options: LookupOptions = {}): Promise<BasicCompany | Company> {
    const { enrich, maxAge, vatMaxAge, ...call } = options;
    const path = `/v1/lookup/${segment(kvkNumber)}`;
    return this.#transport.call(
      { operation: "lookup", field: "kvkNumber", path, query: { enrich, maxAge, vatMaxAge } },
      call,
    );
  }

  /** Returns the branches of a company, the main one first. 5 tokens. */
  branches(kvkNumber: string, { maxAge, ...call }: BranchesOptions = {}): Promise<BranchList> {
    const path = `/v1/lookup/${segment(kvkNumber)}/branches`;
    return this.#transport.call({ operation: "branches", field: "branches", path, query: { maxAge } }, call);
  }

  /**
   * Looks up any number of KVK numbers, in calls of a hundred within the key's rate. Duplicates are charged once. 1
   * token for each company, enriched 5. If it fails, the error's `partial` has the results so far and the remaining
   * numbers.
   */
  batch(
    kvkNumbers: Iterable<string>,
    options: BatchOptions & { readonly enrich: true },
  ): Promise<BatchOf<Company>>;
  batch(
    kvkNumbers: Iterable<string>,
    options?: BatchOptions & { readonly enrich?: false },
  ): Promise<BatchOf<BatchBasicCompany>>;
  batch(kvkNumbers: Iterable<string>, options?: BatchOptions): Promise<BatchOf<BatchBasicCompany | Company>>;
  batch(kvkNumbers: Iterable<string>, options: BatchOptions = {}): Promise<unknown> {
    return batchOf(this.#transport, kvkNumbers, options);
  }

  /**
   * Finds the companies meant by any number of names, addresses or numbers, in calls of a hundred within the key's
   * rate. 1 token for each valid query. If it fails, the error's `partialMatch` has the results so far and the
   * remaining queries.
   */
  match(queries: Iterable<MatchQuery>, options: MatchOptions = {}): Promise<MatchOf> {
    return matchesOf(this.#transport, queries, options);
  }

  /**
   * Suggests companies for the text typed so far, from two characters on. Cancels the previous call. A typing session
   * costs 1 token.
   * @throws {AbortedError} when the next call cancels this one
   */
  autocomplete(typed: string, options?: AutocompleteOptions): Promise<AutocompleteAnswer> {
    return this.#typing.suggest(typed, options);
  }

  /** Autocomplete for one of several fields, with its own sessions. With a token, pass the token's `session`. */
  typing(options?: TypingOptions): Typing {
    return new Typing(this.#transport, options);
  }

  /**
   * Yields pages of companies that match every criterion, best first, up to 1,000 rows. Pages are fetched one at a
   * time. 1 token a page.
   */
  search(query: SearchQuery, options: CallOptions = {}): AsyncGenerator<SearchAnswer, void, undefined> {
    return pagesOf(this.#transport, query, options);
  }

  /**
   * Checks a VAT number with VIES. Read `status` first. If VIES does not answer and no earlier result is stored, it
   * throws an UpstreamError. 1 token.
   */
  vat(vatNumber: string, { maxAge, requester, ...call }: VatOptions = {}): Promise<VatVerdict> {
    const path = `/v1/validate/vat/${segment(vatNumber)}`;
    return this.#transport.call(
      { operation: "validate", field: "vatNumber", path, query: { maxAge, requester } },
      call,
    );
  }

  /** Returns this month's usage. Free, but counts as a call of the minute. */
  usage(options?: CallOptions): Promise<UsageAnswer> {
    return this.#transport.call(
      { operation: "usage", field: "tokens", path: "/v1/usage", isSafeToRepeat: true },
      options,
    );
  }

  /** Returns the health of the service. `down` is a result, not an error. Free, and without a key. */
  health(options?: CallOptions): Promise<HealthAnswer> {
    return this.#transport.call(
      {
        operation: "health",
        field: "status",
        path: "/v1/health",
        isSafeToRepeat: true,
        needsNoKey: true,
        accepts503: true,
      },
      options,
    );
  }

  /**
   * Calls any endpoint of the API document, with its path parameters, query and body. Returns the body of the response,
   * or a `Response` to read as a stream if it is not JSON.
   *
   * @example
   * ```ts
   * const { name } = await opzoek.request("GET /v1/lookup/{kvkNumber}", { path: { kvkNumber: "51234567" } });
   * ```
   */
  request<R extends Route>(
    route: R,
    ...[options]: Record<never, never> extends RouteOptions<R>
      ? [options?: RouteOptions<R>]
      : [options: RouteOptions<R>]
  ): Promise<RouteAnswer<R>>;
  async request(route: string, options: FetchOptions = {}): Promise<unknown> {
    const { body, response } = await answerTo(this.#transport, route, options);
    return body ?? response;
  }

  /**
   * Like `request()` for a route that is not typed, such as one of a newer service. Returns the response as it was
   * sent: JSON in full, otherwise a stream.
   */
  async fetch(route: string, options: FetchOptions = {}): Promise<Response> {
    const { response, text } = await answerTo(this.#transport, route, options);
    return text === undefined ? response : new Response(text, response);
  }
}
