import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashKey, makeKey } from "../contract/keyForm.ts";
import { Keyring } from "./keyring.ts";
import { MeterOverloaded } from "./meter.ts";

/** A store that knows keys by their hash and counts how often it is asked. */
function storeOf(ids: Record<string, string>) {
  const asked: string[] = [];
  return {
    asked,
    async findKeyId(hash: string) {
      asked.push(hash);
      return ids[hash];
    },
  };
}

describe("the keyring", () => {
  it("asks the store once for a key that exists, by its hash", async () => {
    const key = makeKey("live", randomBytes);
    const store = storeOf({ [hashKey(key)]: "key_1" });
    const keyring = new Keyring(store);
    expect(await keyring.find(key)).toBe("key_1");
    expect(keyring.find(key)).toBe("key_1");
    expect(store.asked).toEqual([hashKey(key)]);
  });

  it("refuses what has not the form of a key without asking", () => {
    const key = makeKey("live", randomBytes);
    const store = storeOf({});
    const keyring = new Keyring(store);
    for (const bad of ["", "x", key.slice(0, -1), `${key}0`, ` ${key}`, key.toUpperCase(), "é".repeat(45)]) {
      expect(keyring.find(bad)).toBeUndefined();
    }
    expect(store.asked).toEqual([]);
  });

  it("asks again for a key that was not there: it may be made meanwhile", async () => {
    const key = makeKey("test", randomBytes);
    const ids: Record<string, string> = {};
    const keyring = new Keyring(storeOf(ids));
    expect(await keyring.find(key)).toBeUndefined();
    ids[hashKey(key)] = "key_2";
    expect(await keyring.find(key)).toBe("key_2");
  });

  it("remembers which keys are revoked", () => {
    const keyring = new Keyring(storeOf({}));
    expect(keyring.isRevoked("key_1")).toBe(false);
    keyring.forget("key_1");
    expect(keyring.isRevoked("key_1")).toBe(true);
    expect(keyring.isRevoked("key_2")).toBe(false);
  });

  it("passes on that the store is away, and asks again the next time", async () => {
    const key = makeKey("live", randomBytes);
    let isAway = true;
    const keyring = new Keyring({
      async findKeyId() {
        if (isAway) throw new Error("away");
        return "key_1";
      },
    });
    await expect(keyring.find(key)).rejects.toThrow("away");
    isAway = false;
    expect(await keyring.find(key)).toBe("key_1");
  });

  it("asks once for one key however many present it, and lets only so many look-ups wait", async () => {
    const answers: (() => void)[] = [];
    const keyring = new Keyring({
      findKeyId: () => new Promise((resolve) => answers.push(() => resolve("key_1"))),
    });
    const key = makeKey("live", randomBytes);
    const same = [keyring.find(key), keyring.find(key)];
    expect(answers).toHaveLength(1);
    const others = Array.from({ length: 255 }, () => keyring.find(makeKey("live", randomBytes)));
    await expect(keyring.find(makeKey("live", randomBytes))).rejects.toThrow(MeterOverloaded);
    for (const answer of answers) answer();
    expect(await Promise.all([...same, ...others])).toHaveLength(257);
    expect(keyring.find(key)).toBe("key_1");
  });
});
