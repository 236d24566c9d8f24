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
import type { BasicCompany, BatchBasicCompany, BranchList } from "./api/resources.ts";
import { type BatchOptions, batchOf } from "./batch.ts";
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
 * The service, as one key may call it.
 *
 * Each call is tried again where that may help, within its deadline, and never paid twice: tries share an idempotency key.
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

  /** @throws {TypeError} for an address or a key that cannot be one */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.#typing = this.typing();
  }

  /** The remaining rate of the key and tokens of the account, from the latest response. */
  get state(): Balance {
    return this.#transport.balance;
  }

  /** One company by its KVK number, eight digits as text; with `enrich` all that is known of it. 1 token, enriched 5. */
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

  /** The branches of a company, the main one first. 5 tokens. */
  branches(kvkNumber: string, { maxAge, ...call }: BranchesOptions = {}): Promise<BranchList> {
    const path = `/v1/lookup/${segment(kvkNumber)}/branches`;
    return this.#transport.call({ operation: "branches", field: "branches", path, query: { maxAge } }, call);
  }

  /**
   * Companies by any number of KVK numbers, in calls of a hundred within the key's rate; each number is asked and paid once. 1 token for each
   * that is found, enriched 5. If it fails, the error's `partial` has the results so far and the remaining numbers.
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
   * Companies for what a person has typed so far, of two letters on; gives up the stroke before it. A session of typing costs 1 token.
   * @throws {AbortedError} when the next stroke came first
   */
  autocomplete(typed: string, options?: AutocompleteOptions): Promise<AutocompleteAnswer> {
    return this.#typing.suggest(typed, options);
  }

  /** A field with strokes and sessions of its own, for a page with several; under a token, with the `session` that it was made for. */
  typing(options?: TypingOptions): Typing {
    return new Typing(this.#transport, options);
  }

  /** Pages of companies that satisfy every criterion, best first, up to the thousandth row; each is asked for when it is its turn. 1 token a page. */
  search(query: SearchQuery, options: CallOptions = {}): AsyncGenerator<SearchAnswer, void, undefined> {
    return pagesOf(this.#transport, query, options);
  }

  /** Checks a VAT number with VIES. Read `status` first. Without any answer of VIES it throws an UpstreamError. 1 token. */
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
        tellsOutages: true,
      },
      options,
    );
  }
}
