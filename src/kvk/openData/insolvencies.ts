import type { Insolvency } from "../../contract/resources.ts";
import { type BoundedCache, boundedCache } from "../../lib/boundedCache.ts";
import { OPEN_DATA_ORIGIN } from "../liveSource.ts";
import type { StoredOpenData } from "./queries.ts";

export interface InsolvenciesOptions {
  /** Reads stored answers in the order of the numbers; null where there is none. */
  readonly read: (kvkNumbers: readonly string[]) => Promise<readonly (StoredOpenData | null)[]>;
  readonly now?: () => number;
}

interface Entry {
  readonly insolvency: Insolvency | undefined;
  readonly readAtMs: number;
}

const MAX_IN_MEMORY = 20_000;
/** Another process may store a newer answer. */
const FRESH_FOR_MS = 60_000;

/** The insolvency of companies by KVK's open data, in memory over the state. */
export class Insolvencies {
  readonly #options: InsolvenciesOptions;
  readonly #now: () => number;
  readonly #memory: BoundedCache<string, Entry> = boundedCache(MAX_IN_MEMORY);

  constructor(options: InsolvenciesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * The insolvency of each company; absent where it is unknown. A promise only if the state must be read, with one
   * query.
   * @throws {StoreUnavailable} (the promise)
   */
  of(
    kvkNumbers: readonly string[],
  ): ReadonlyMap<string, Insolvency> | Promise<ReadonlyMap<string, Insolvency>> {
    const missing = kvkNumbers.filter((kvkNumber) => this.#fresh(kvkNumber) === undefined);
    return missing.length === 0 ? this.#fromMemory(kvkNumbers) : this.#read(kvkNumbers, missing);
  }

  async #read(
    kvkNumbers: readonly string[],
    missing: readonly string[],
  ): Promise<ReadonlyMap<string, Insolvency>> {
    const readAtMs = this.#now();
    const stored = await this.#options.read(missing);
    const found = new Map(
      missing.map((kvkNumber, index) => [kvkNumber, insolvencyOf(stored[index])] as const),
    );
    for (const [kvkNumber, insolvency] of found) this.#memory.set(kvkNumber, { insolvency, readAtMs });
    const others = this.#fromMemory(kvkNumbers.filter((kvkNumber) => !found.has(kvkNumber)));
    return new Map([
      ...others,
      ...[...found].flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const])),
    ]);
  }

  #fromMemory(kvkNumbers: readonly string[]): ReadonlyMap<string, Insolvency> {
    return new Map(
      kvkNumbers.flatMap((kvkNumber) => {
        const insolvency = this.#memory.get(kvkNumber)?.insolvency;
        return insolvency === undefined ? [] : [[kvkNumber, insolvency] as const];
      }),
    );
  }

  #fresh(kvkNumber: string): Entry | undefined {
    const entry = this.#memory.get(kvkNumber);
    return entry !== undefined && Math.abs(this.#now() - entry.readAtMs) < FRESH_FOR_MS ? entry : undefined;
  }
}

function insolvencyOf(stored: StoredOpenData | null | undefined): Insolvency | undefined {
  if (stored?.insolvency === undefined) return undefined;
  const observedAt = new Date(stored.observedAtMs).toISOString();
  return { type: stored.insolvency, observedAt, source: OPEN_DATA_ORIGIN };
}
