import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashKey, isWellFormedKey, keyHint, makeKey } from "./keyForm.ts";
import { KEY_KINDS } from "./keyKinds.ts";

describe("the form of a key", () => {
  it("is recognised offline, and any wrong character is detected", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KEY_KINDS),
        fc.nat(200),
        fc.constantFrom(..."0aZ9"),
        (kind, at, character) => {
          const key = makeKey(kind, randomBytes);
          expect(isWellFormedKey(key)).toBe(true);
          expect(key).toMatch(/^opz_(live|test|pub)_[0-9A-Za-z]{36}$/);
          const place = at % key.length;
          const wrong = key.slice(0, place) + character + key.slice(place + 1);
          if (wrong !== key) expect(isWellFormedKey(wrong)).toBe(false);
        },
      ),
    );
  });

  it("is stored as the SHA-256 of the whole key, in hexadecimal", () => {
    const key = makeKey("live", randomBytes);
    expect(hashKey(key)).toBe(createHash("sha256").update(key).digest("hex"));
  });

  it("uses all base62 characters about equally often", () => {
    const seen = new Map<string, number>();
    for (let round = 0; round < 2_000; round++) {
      for (const character of makeKey("live", randomBytes).slice(9, 39)) {
        seen.set(character, (seen.get(character) ?? 0) + 1);
      }
    }
    expect(seen.size).toBe(62);
    expect(Math.min(...seen.values())).toBeGreaterThan((2_000 * 30) / 62 / 2);
  });

  it("shows a person only the prefix and the last four characters", () => {
    const key = makeKey("pub", randomBytes);
    expect(keyHint(key)).toEqual({ prefix: "opz_pub_", lastFour: key.slice(-4) });
  });
});
