import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoredCache } from "./storedCache.ts";

interface Entry {
  readonly atMs: number;
  readonly text: string;
}

/** A store that counts calls and can fail. */
class Store {
  readonly rows = new Map<string, Entry>();
  reads = 0;
  failure: Error | undefined;

  async read(keys: readonly string[]): Promise<(Entry | null)[]> {
    this.reads += 1;
    if (this.failure !== undefined) throw this.failure;
    return keys.map((key) => this.rows.get(key) ?? null);
  }

  async write(key: string, entry: Entry): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.rows.set(key, entry);
  }
}

function cacheOver() {
  const store = new Store();
  const cache = new StoredCache<Entry>({
    maxInMemory: 3,
    read: (keys) => store.read(keys),
    isNewer: (one, other) => one.atMs > other.atMs,
  });
  const keep = (key: string, entry: Entry) =>
    cache.keep(
      key,
      () => store.write(key, entry),
      () => entry,
    );
  return { cache, store, keep };
}

const entry = (atMs: number, text = "") => ({ atMs, text });

describe("an entry", () => {
  it("comes from memory after it was read or stored, in the order of the keys", async () => {
    const { cache, store, keep } = cacheOver();
    store.rows.set("a", entry(1));
    expect(cache.get("a")).toBeUndefined();
    expect(await cache.read(["b", "a"])).toEqual([undefined, entry(1)]);
    await keep("c", entry(2));
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([entry(1), undefined, entry(2)]);
    expect(store.reads).toBe(1);
  });

  it("is stored before it is returned, and computed from the entry in memory at that time", async () => {
    const { cache, store, keep } = cacheOver();
    const gate = Promise.withResolvers<void>();
    const kept = cache.keep(
      "a",
      () => gate.promise,
      (before) => entry(9, `after ${before?.text}`),
    );
    await keep("a", entry(5, "five"));
    expect(cache.get("a")).toEqual(entry(5, "five"));
    gate.resolve();
    expect(await kept).toEqual(entry(9, "after five"));
    expect(cache.get("a")).toEqual(entry(9, "after five"));
    expect(store.reads).toBe(0);
  });

  it("is not returned if it cannot be stored", async () => {
    const { cache, store, keep } = cacheOver();
    store.failure = new Error("away");
    await expect(keep("a", entry(1))).rejects.toThrow("away");
    await expect(cache.read(["a"])).rejects.toThrow("away");
    expect(cache.get("a")).toBeUndefined();
  });

  it("is not replaced by an older one from a slow read of the store", async () => {
    const { cache, store, keep } = cacheOver();
    store.rows.set("a", entry(1, "old"));
    const reading = cache.read(["a"]);
    await keep("a", entry(2, "new"));
    expect(await reading).toEqual([entry(1, "old")]);
    expect(cache.get("a")).toEqual(entry(2, "new"));
  });

  it("is evicted alone if it is the least recently used", async () => {
    const { cache, keep } = cacheOver();
    for (const key of ["a", "b", "c"]) await keep(key, entry(1));
    cache.get("a");
    await keep("d", entry(1));
    const isThere = (key: string) => cache.get(key) !== undefined;
    expect(["a", "b", "c", "d"].map(isThere)).toEqual([true, false, true, true]);
  });

  it("in memory is never older than the newest that was read or stored, in any order", async () => {
    const steps = fc.array(
      fc.record({ key: fc.constantFrom("a", "b"), atMs: fc.nat(5), isRead: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(steps, async (done) => {
        const { cache, store, keep } = cacheOver();
        const newest = new Map<string, number>();
        for (const { key, atMs, isRead } of done) {
          if (isRead) {
            store.rows.set(key, entry(atMs));
            await cache.read([key]);
          } else {
            await keep(key, entry(atMs));
          }
          newest.set(key, Math.max(atMs, newest.get(key) ?? 0));
          for (const [known, most] of newest) expect(cache.get(known)?.atMs).toBe(most);
        }
      }),
    );
  });
});
