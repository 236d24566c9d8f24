import { describe, expect, it } from "vitest";
import { Recent } from "./recent.ts";

describe("Recent", () => {
  it("makes a value once as long as it is kept, and lets go of the one not asked for longest", () => {
    const made: string[] = [];
    const recent = new Recent<string>(2);
    const get = (key: string) =>
      recent.get(key, () => {
        made.push(key);
        return key.toUpperCase();
      });
    expect(["a", "b", "a", "c", "a", "b"].map(get)).toEqual(["A", "B", "A", "C", "A", "B"]);
    expect(made).toEqual(["a", "b", "c", "b"]);
  });
});
