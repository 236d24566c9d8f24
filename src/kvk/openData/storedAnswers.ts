import { type BoundedCache, boundedCache } from "../../lib/boundedCache.ts";
import type { StoredOpenData } from "./queries.ts";

export interface StoredAnswersOptions {
  /** Reads stored answers in the order of the numbers; null where there is none. */
  readonly read: (kvkNumbers: readonly string[]) => Promise<readonly (StoredOpenData | null)[]>;
  readonly now?: () => number;
}

interface Entry {
  readonly answer: StoredOpenData | undefined;
  readonly readAtMs: number;
}

const MAX_IN_MEMORY = 20_000;
/** Another process may store a newer answer. */
const FRESH_FOR_MS = 60_000;

/** The answers of KVK's open data, in memory over the state. */
export class StoredAnswers {
  readonly #options: StoredAnswersOptions;
  readonly #now: () => number;
  readonly #memory: BoundedCache<string, Entry> = boundedCache(MAX_IN_MEMORY);

  constructor(options: StoredAnswersOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * The answer about each company; absent where there is none. A promise only if the state must be read, with one
   * query.
   * @throws {StoreUnavailable} (the promise)
   */
  of(
    kvkNumbers: readonly string[],
  ): ReadonlyMap<string, StoredOpenData> | Promise<ReadonlyMap<string, StoredOpenData>> {
    const missing = kvkNumbers.filter((kvkNumber) => this.#fresh(kvkNumber) === undefined);
    return missing.length === 0 ? this.#fromMemory(kvkNumbers) : this.#read(kvkNumbers, missing);
  }

  async #read(
    kvkNumbers: readonly string[],
    missing: readonly string[],
  ): Promise<ReadonlyMap<string, StoredOpenData>> {
    const readAtMs = this.#now();
    const stored = await this.#options.read(missing);
    const found = new Map(
      missing.map((kvkNumber, index) => [kvkNumber, stored[index] ?? undefined] as const),
    );
    for (const [kvkNumber, answer] of found) this.#memory.set(kvkNumber, { answer, readAtMs });
    const others = this.#fromMemory(kvkNumbers.filter((kvkNumber) => !found.has(kvkNumber)));
    return new Map([
      ...others,
      ...[...found].flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const])),
    ]);
  }

  #fromMemory(kvkNumbers: readonly string[]): ReadonlyMap<string, StoredOpenData> {
    return new Map(
      kvkNumbers.flatMap((kvkNumber) => {
        const answer = this.#memory.get(kvkNumber)?.answer;
        return answer === undefined ? [] : [[kvkNumber, answer] as const];
      }),
    );
  }

  #fresh(kvkNumber: string): Entry | undefined {
    const entry = this.#memory.get(kvkNumber);
    return entry !== undefined && Math.abs(this.#now() - entry.readAtMs) < FRESH_FOR_MS ? entry : undefined;
  }
}
