import { Breaker, type BreakerTerms, type CallOutcome } from "../../upstream/breaker.ts";
import { type Guard, permitted, runGuarded } from "../../upstream/guards.ts";
import type { LiveHealth } from "../liveSource.ts";
import { NOT_ASKED } from "./codes.ts";
import { type KvkResult, PRODUCTS, type Product } from "./results.ts";

export interface BreakerOptions {
  /** Milliseconds of a clock that never goes back: a clock set back would keep a breaker open. */
  readonly now?: () => number;
  /** How long KVK or a product is left alone at first, milliseconds. */
  readonly openForMs?: number;
  /** Told when something opens or closes; `what` is `key`, `kvk` or a product. */
  readonly onChange?: (what: string, isOpen: boolean, reason: string) => void;
}

export type Guarded = "key" | "kvk" | "product";

const OPEN_FOR_MS = 2_000;
const MAX_OPEN_FOR_MS = 60_000;
const FAILURES_IN_A_ROW = 5;
/** A refused key stays refused until somebody acts: that needs no haste. Three, as one can be a gateway's mistake. */
const KEY: BreakerTerms = { failures: 3, openForMs: 30_000, longestOpenForMs: 600_000 };

/** The breakers in the way of a call: the operator's key, the whole of KVK and the product that is asked. */
export class Breakers {
  readonly #now: () => number;
  readonly #onChange: NonNullable<BreakerOptions["onChange"]>;
  readonly #key: Guard<Guarded>;
  readonly #kvk: Guard<Guarded>;
  readonly #products: ReadonlyMap<Product, Guard<Guarded>>;

  constructor({
    now = () => performance.now(),
    openForMs = OPEN_FOR_MS,
    onChange = () => {},
  }: BreakerOptions = {}) {
    this.#now = now;
    this.#onChange = onChange;
    const longestOpenForMs = Math.max(openForMs, MAX_OPEN_FOR_MS);
    const terms = { failures: FAILURES_IN_A_ROW, openForMs, longestOpenForMs };
    this.#key = { guarded: "key", name: "key", breaker: new Breaker(KEY) };
    this.#kvk = { guarded: "kvk", name: "kvk", breaker: new Breaker(terms) };
    this.#products = new Map(
      PRODUCTS.map((name) => [name, { guarded: "product", name, breaker: new Breaker(terms) }] as const),
    );
  }

  /** Whether a call for this product would be let through now. */
  permits(product: Product): boolean {
    return permitted(this.#inTheWay(product), this.#now());
  }

  /** Runs `call` unless a breaker keeps it away. Rejects only when `call` does. */
  async run(product: Product, call: () => Promise<KvkResult>): Promise<KvkResult> {
    const result = await runGuarded(this.#inTheWay(product), call, {
      now: this.#now,
      callOutcome,
      pauseMs: (result) => (result?.kind === "no-answer" ? 1_000 * (result.retryAfterSeconds ?? 0) : 0),
      onChange: (name, isOpen, because) => this.#onChange(name, isOpen, reasonOf(because)),
    });
    return result ?? NOT_ASKED;
  }

  /**
   * `down` when the key, all of KVK or its profiles are kept from calls, or failed within the last minute and were not seen to work since,
   * `degraded` when another product is or did. KVK has no page that would tell more.
   */
  get health(): LiveHealth {
    const nowMs = this.#now();
    if (this.#inTheWay("basisprofiel").some(({ breaker }) => breaker.isFailing(nowMs))) return "down";
    return [...this.#products.values()].some(({ breaker }) => breaker.isFailing(nowMs)) ? "degraded" : "up";
  }

  /** Which breakers keep calls away: each that is always there, and those of products that do. */
  get shown(): readonly { readonly what: string; readonly isOpen: boolean }[] {
    const nowMs = this.#now();
    const away = [...this.#products.values()].filter(({ breaker }) => !breaker.permits(nowMs));
    return [this.#key, this.#kvk, ...away].map(({ name, breaker }) => ({
      what: name,
      isOpen: !breaker.permits(nowMs),
    }));
  }

  #inTheWay(product: Product): readonly Guard<Guarded>[] {
    const ofProduct = this.#products.get(product);
    return [this.#key, this.#kvk, ...(ofProduct === undefined ? [] : [ofProduct])];
  }
}

/**
 * How a call went for one of the guarded. An answer of KVK proves that what is above its scope works: who says that one
 * number is not ready is there itself. Only an answer to the call proves that the key is good.
 */
export function callOutcome(result: KvkResult | undefined, guarded: Guarded): CallOutcome {
  if (result === undefined) return "unknown";
  if (result.kind !== "no-answer") return "worked";
  if (result.scope === guarded) return "failed";
  if (!result.isFromKvk) return "unknown";
  if (result.scope === "call") return "worked";
  return guarded === "kvk" ? "worked" : "unknown";
}

function reasonOf(result: KvkResult | undefined): string {
  if (result === undefined) return "";
  return result.kind === "found" ? "answered" : result.reason;
}
