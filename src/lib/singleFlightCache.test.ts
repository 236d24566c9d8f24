import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withTimeout } from "./deadline.ts";
import { SingleFlightCache } from "./singleFlightCache.ts";

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

function cacheOver(store = new Store(), maxInMemory = 3) {
  const cache = new SingleFlightCache<Entry, string>({
    maxInMemory,
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

  it("is read every time without memory", async () => {
    const { cache, store, keep } = cacheOver(new Store(), 0);
    await keep("a", entry(1));
    expect(cache.get("a")).toBeUndefined();
    expect(await cache.read(["a"])).toEqual([entry(1)]);
    expect(await cache.read(["a"])).toEqual([entry(1)]);
    expect(store.reads).toBe(2);
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

describe("a flight", () => {
  it("serves all callers during its run, and the next caller starts another", async () => {
    const { cache } = cacheOver();
    const gates: PromiseWithResolvers<string>[] = [];
    const fly = (name: string) =>
      cache.fly(name, () => {
        const gate = Promise.withResolvers<string>();
        gates.push(gate);
        return gate.promise;
      });
    const all = Array.from({ length: 100 }, () => fly("a"));
    const other = fly("b");
    expect(gates).toHaveLength(2);
    expect(cache.inProgress("a")).toBe(all[0]);
    gates[0]?.resolve("one");
    gates[1]?.resolve("two");
    expect(new Set(await Promise.all(all))).toEqual(new Set(["one"]));
    expect(await other).toBe("two");
    expect(cache.inProgress("a")).toBeUndefined();
    void fly("a");
    expect(gates).toHaveLength(3);
  });

  it("completes and stores its result after all callers left, without an unhandled rejection", async () => {
    const { cache, store, keep } = cacheOver();
    const gate = Promise.withResolvers<void>();
    const work = async () => {
      await gate.promise;
      await keep("a", entry(1));
      return "late";
    };
    expect(await withTimeout(1, cache.fly("a", work))).toBeUndefined();
    gate.resolve();
    await turn();
    expect(cache.get("a")).toEqual(entry(1));
    const failing = Promise.withResolvers<string>();
    expect(
      await withTimeout(
        1,
        cache.fly("a", () => failing.promise),
      ),
    ).toBeUndefined();
    failing.reject(new Error("late failure"));
    await turn();
    expect(cache.inProgress("a")).toBeUndefined();
    expect(store.rows.size).toBe(1);
  });

  it("with a failing store rejects for each caller, and the next one starts again", async () => {
    const { cache, store, keep } = cacheOver();
    store.failure = new Error("away");
    const fetch = async () => {
      await keep("a", entry(1));
      return "kept";
    };
    const outcomes = await Promise.allSettled([cache.fly("a", fetch), cache.fly("a", fetch)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    store.failure = undefined;
    expect(await cache.fly("a", fetch)).toBe("kept");
    expect(cache.get("a")).toEqual(entry(1));
  });
});
