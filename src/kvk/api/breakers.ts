import { Breaker, type BreakerTerms, type CallOutcome } from "../../upstream/breaker.ts";
import { type Guard, permitted, runGuarded } from "../../upstream/guards.ts";
import type { LiveHealth } from "../liveSource.ts";
import { NOT_ASKED } from "./codes.ts";
import { type KvkResult, PRODUCTS, type Product } from "./results.ts";

export interface BreakerOptions {
  /** A monotonic clock, milliseconds: a clock set back would keep a breaker open. */
  readonly now?: () => number;
  /** Called when a breaker opens or closes; `what` is `key`, `kvk` or a product. */
  readonly onChange?: (what: string, isOpen: boolean, reason: string) => void;
}

export type Guarded = "key" | "kvk" | "product";

/** For all of KVK, and for each product. */
const TERMS: BreakerTerms = { failures: 5, openForMs: 2_000, maxOpenForMs: 60_000 };
/** A refused key stays refused until the operator acts, so it is retried slowly. Three, as one refusal can be a gateway's mistake. */
const KEY: BreakerTerms = { failures: 3, openForMs: 30_000, maxOpenForMs: 600_000 };

/** The breakers that guard calls: of the operator's key, of all of KVK, and of each product. */
export class Breakers {
  readonly #now: () => number;
  readonly #onChange: BreakerOptions["onChange"];
  readonly #key: Guard<Guarded> = { guarded: "key", name: "key", breaker: new Breaker(KEY) };
  readonly #kvk: Guard<Guarded> = { guarded: "kvk", name: "kvk", breaker: new Breaker(TERMS) };
  readonly #products: ReadonlyMap<Product, Guard<Guarded>> = new Map(
    PRODUCTS.map((name) => [name, { guarded: "product", name, breaker: new Breaker(TERMS) }]),
  );

  constructor({ now = () => performance.now(), onChange }: BreakerOptions = {}) {
    this.#now = now;
    this.#onChange = onChange;
  }

  /** Whether a call for this product would be permitted now. */
  permits(product: Product): boolean {
    return permitted(this.#guardsOf(product), this.#now());
  }

  /** Runs `call` unless a breaker is open. Rejects only when `call` does. */
  async run(product: Product, call: () => Promise<KvkResult>): Promise<KvkResult> {
    const result = await runGuarded(this.#guardsOf(product), call, {
      now: this.#now,
      callOutcome,
      pauseMs: (result) => (result?.kind === "no-answer" ? 1_000 * (result.retryAfterSeconds ?? 0) : 0),
      onChange: (name, isOpen, because) => this.#onChange?.(name, isOpen, reasonOf(because)),
    });
    return result ?? NOT_ASKED;
  }

  /**
   * `down` when the breaker of the key, of KVK or of its profiles is open, or opened within the last minute without a success since;
   * `degraded` when that is so for another product that lookups use. KVK has no status page.
   */
  get health(): LiveHealth {
    const nowMs = this.#now();
    if (this.#guardsOf("basisprofiel").some(({ breaker }) => breaker.isFailing(nowMs))) return "down";
    const isDegraded = [...this.#products].some(
      ([product, { breaker }]) => product !== "abonnementen" && breaker.isFailing(nowMs),
    );
    return isDegraded ? "degraded" : "up";
  }

  /** The breakers of the key and of KVK, and those of products that are open. */
  get shown(): readonly { readonly what: string; readonly isOpen: boolean }[] {
    const nowMs = this.#now();
    const openProducts = [...this.#products.values()].filter(({ breaker }) => !breaker.permits(nowMs));
    return [this.#key, this.#kvk, ...openProducts].map(({ name, breaker }) => ({
      what: name,
      isOpen: !breaker.permits(nowMs),
    }));
  }

  #guardsOf(product: Product): readonly Guard<Guarded>[] {
    const ofProduct = this.#products.get(product);
    return [this.#key, this.#kvk, ...(ofProduct === undefined ? [] : [ofProduct])];
  }
}

/**
 * The outcome of a call for one breaker. A response of KVK proves that everything above its scope works: an error for one
 * number shows that KVK is up. Only an answer to the call itself proves that the key is valid.
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
