import { PRODUCTS, type Product } from "../../kvk/api/results.ts";
import { type Count, enterAll, RecentList, Tally } from "../tally.ts";

/** What has come in so far, in all and by product; calls without a good key count too. */
export interface Counts {
  readonly all: Count;
  readonly products: Readonly<Record<Product, Count>>;
  /** The most that came within a second. */
  readonly mostInASecond: number;
}

/** One request that came in. */
export interface LoggedRequest {
  readonly at: string;
  readonly product: Product;
  /** The number in the path, or the query. */
  readonly asked: string;
  /** The kind of fault that it met last. */
  readonly fault?: string;
}

const MOST_LOGGED = 10_000;
const SECOND_MS = 1_000;

/** Counts what is asked and remembers the last {@link MOST_LOGGED} requests. */
export class Ledger {
  readonly #all = new Tally();
  readonly #products = new Map<Product, Tally>(PRODUCTS.map((product) => [product, new Tally()]));
  readonly #log = new RecentList<LoggedRequest>(MOST_LOGGED);
  #lastSecond: number[] = [];
  #mostInASecond = 0;

  /** Counts a request. @returns what to call when it is over, and how many came within the last second, with it */
  enter(product: Product): { readonly leave: () => void; readonly inLastSecond: number } {
    const ofProduct = this.#products.get(product);
    const nowMs = performance.now();
    this.#lastSecond = [...this.#lastSecond.filter((at) => nowMs - at < SECOND_MS), nowMs];
    const inLastSecond = this.#lastSecond.length;
    this.#mostInASecond = Math.max(this.#mostInASecond, inLastSecond);
    return { leave: enterAll([this.#all, ...(ofProduct === undefined ? [] : [ofProduct])]), inLastSecond };
  }

  write(logged: LoggedRequest): void {
    this.#log.add(logged);
  }

  get log(): readonly LoggedRequest[] {
    return this.#log.items;
  }

  get counts(): Counts {
    const count = (product: Product) => (this.#products.get(product) ?? new Tally()).count;
    return {
      all: this.#all.count,
      products: {
        zoeken: count("zoeken"),
        basisprofiel: count("basisprofiel"),
        vestigingen: count("vestigingen"),
        vestigingsprofiel: count("vestigingsprofiel"),
      },
      mostInASecond: this.#mostInASecond,
    };
  }
}
