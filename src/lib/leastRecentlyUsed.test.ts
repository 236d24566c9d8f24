import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeastRecentlyUsed } from "./leastRecentlyUsed.ts";

const key = fc.constantFrom("a", "b", "c", "d", "e");
const step = fc.oneof(
  fc.record({ kind: fc.constant("get" as const), key }),
  fc.record({ kind: fc.constant("peek" as const), key }),
  fc.record({ kind: fc.constant("set" as const), key, value: fc.nat(9) }),
  fc.record({ kind: fc.constant("make" as const), key, value: fc.nat(9) }),
  fc.record({ kind: fc.constant("delete" as const), key }),
);

describe("a cache of what was used last", () => {
  it("lets go of the entry not used for longest, one for each new one", () => {
    const kept = new LeastRecentlyUsed<number>(3);
    for (const [index, key] of ["a", "b", "c"].entries()) kept.set(key, index);
    expect(kept.get("a")).toBe(0);
    kept.peek("b");
    kept.set("d", 3);
    expect(["a", "b", "c", "d"].map((key) => kept.peek(key))).toEqual([0, undefined, 2, 3]);
    kept.set("c", 9);
    kept.set("e", 4);
    expect(["a", "c", "d", "e"].map((key) => kept.peek(key))).toEqual([undefined, 9, 3, 4]);
    expect(kept.size).toBe(3);
  });

  it("makes a value once as long as it is kept", () => {
    const made: string[] = [];
    const kept = new LeastRecentlyUsed<string>(2);
    const get = (key: string) =>
      kept.getOrMake(key, () => {
        made.push(key);
        return key.toUpperCase();
      });
    expect(["a", "b", "a", "c", "a", "b"].map(get)).toEqual(["A", "B", "A", "C", "A", "B"]);
    expect(made).toEqual(["a", "b", "c", "b"]);
  });

  it("holds after any steps what a list in the order of use holds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), (most, steps) => {
        const kept = new LeastRecentlyUsed<number>(most);
        let list: { key: string; value: number }[] = [];
        const put = (key: string, value: number) => {
          list = [...list.filter((entry) => entry.key !== key), { key, value }].slice(-most);
        };
        for (const one of steps) {
          const known = list.find((entry) => entry.key === one.key);
          if (one.kind === "peek") expect(kept.peek(one.key)).toBe(known?.value);
          else if (one.kind === "get") {
            expect(kept.get(one.key)).toBe(known?.value);
            if (known !== undefined) put(known.key, known.value);
          } else if (one.kind === "set") {
            kept.set(one.key, one.value);
            put(one.key, one.value);
          } else if (one.kind === "make") {
            const value = known?.value ?? one.value;
            expect(kept.getOrMake(one.key, () => one.value)).toBe(value);
            put(one.key, value);
          } else {
            kept.delete(one.key);
            list = list.filter((entry) => entry.key !== one.key);
          }
          expect(kept.size).toBe(list.length);
        }
        for (const { key, value } of list) expect(kept.peek(key)).toBe(value);
      }),
    );
  });
});
