import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashKey, makeKey } from "../contract/keyForm.ts";
import { Keyring } from "./keyring.ts";
import { MeterOverloaded } from "./meter.ts";

const live = (id: string) => ({ id, kind: "live" as const });
const found = (id: string | undefined) => (id === undefined ? null : live(id));

/** A store that knows keys by their hash and counts its calls. */
function storeOf(ids: Record<string, string>) {
  const asked: string[] = [];
  return {
    asked,
    async findKeys(hashes: readonly string[]) {
      asked.push(...hashes);
      return hashes.map((hash) => found(ids[hash]));
    },
  };
}

describe("the keyring", () => {
  it("asks the store once for an existing key, by its hash", async () => {
    const key = makeKey("live", randomBytes);
    const store = storeOf({ [hashKey(key)]: "key_1" });
    const keyring = new Keyring(store);
    expect(await keyring.find(key)).toEqual(live("key_1"));
    expect(keyring.find(key)).toEqual(live("key_1"));
    expect(store.asked).toEqual([hashKey(key)]);
  });

  it("rejects text that is not a key without asking", () => {
    const key = makeKey("live", randomBytes);
    const store = storeOf({});
    const keyring = new Keyring(store);
    for (const bad of ["", "x", key.slice(0, -1), `${key}0`, ` ${key}`, key.toUpperCase(), "é".repeat(45)]) {
      expect(keyring.find(bad)).toBeUndefined();
    }
    expect(store.asked).toEqual([]);
  });

  it("asks again for an unknown key, which may be created in the meantime", async () => {
    const key = makeKey("test", randomBytes);
    const ids: Record<string, string> = {};
    const keyring = new Keyring(storeOf(ids));
    expect(await keyring.find(key)).toBeUndefined();
    ids[hashKey(key)] = "key_2";
    expect(await keyring.find(key)).toEqual(live("key_2"));
  });

  it("remembers revoked keys", () => {
    const keyring = new Keyring(storeOf({}));
    expect(keyring.isRefused("key_1")).toBe(false);
    keyring.recordRevoked("key_1");
    expect(keyring.isRefused("key_1")).toBe(true);
    expect(keyring.isRefused("key_2")).toBe(false);
  });

  it("refuses an expired key for two seconds without asking, unless it is changed in this process", () => {
    let nowMs = 0;
    const keyring = new Keyring(storeOf({}), () => nowMs);
    expect(keyring.isRefused("key_1")).toBe(false);
    keyring.recordExpired("key_1");
    keyring.recordExpired("key_2");
    nowMs = 1_999;
    expect(["key_1", "key_2", "key_3"].map((key) => keyring.isRefused(key))).toEqual([true, true, false]);
    keyring.recordChanged("key_2");
    expect(keyring.isRefused("key_2")).toBe(false);
    nowMs = 2_000;
    expect(keyring.isRefused("key_1")).toBe(false);
    keyring.recordRevoked("key_1");
    expect(keyring.isRefused("key_1")).toBe(true);
  });

  it("passes on that the store is unavailable, and asks again next time", async () => {
    const key = makeKey("live", randomBytes);
    let isUnreachable = true;
    const keyring = new Keyring({
      async findKeys() {
        if (isUnreachable) throw new Error("away");
        return [live("key_1")];
      },
    });
    await expect(keyring.find(key)).rejects.toThrow("away");
    isUnreachable = false;
    expect(await keyring.find(key)).toEqual(live("key_1"));
  });

  it("asks once for concurrent calls with one key, and collects later ones in one lookup", async () => {
    const store = gatedStore();
    const keyring = new Keyring(store);
    const key = newLiveKey();
    const same = [keyring.find(key), keyring.find(key)];
    await store.begun(1);
    const others = Array.from({ length: 300 }, () => keyring.find(newLiveKey()));
    expect(store.sizes).toEqual([1]);
    for (let count = 1; count <= 3; count++) await store.finish(count);
    expect(store.sizes).toEqual([1, 256, 44]);
    expect(await Promise.all(same)).toEqual([live("id of 1"), live("id of 1")]);
    const answers = await Promise.all(others);
    expect(new Set(answers.map((found) => found?.id)).size).toBe(2);
    expect(keyring.find(key)).toEqual(live("id of 1"));
  });

  it("runs one lookup of made-up keys at a time, and refuses those beyond the limit", async () => {
    const store = gatedStore();
    const keyring = new Keyring(store);
    const made = Array.from({ length: 10_000 }, () => Promise.resolve(keyring.find(newLiveKey())));
    await expect(keyring.find(newLiveKey())).rejects.toThrow(MeterOverloaded);
    await store.begun(1);
    expect(store.sizes).toEqual([256]);
    for (let count = 1; count <= 40; count++) await store.finish(count);
    expect((await Promise.all(made)).length).toBe(10_000);
    expect(store.maxAtOnce).toBe(1);
    const after = keyring.find(newLiveKey());
    await store.begun(41);
    await store.finish(41);
    expect(await after).toEqual(live("id of 41"));
  });
});

/** Keys with a valid checksum, each a different one. */
let made = 0;
function newLiveKey(): string {
  made += 1;
  return keyNumber(made);
}

function keyNumber(number: number): string {
  return makeKey("live", (size) =>
    Uint8Array.from({ length: size }, (_, index) => Math.floor(number / 62 ** index) % 62),
  );
}

/** A store whose lookups end when the test allows it; every key of the n-th has the id `id of n`. */
function gatedStore() {
  const gates: (() => void)[] = [];
  const sizes: number[] = [];
  let [atOnce, maxAtOnce] = [0, 0];
  const begun = async (count: number) => {
    while (sizes.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    sizes,
    begun,
    get maxAtOnce() {
      return maxAtOnce;
    },
    async findKeys(hashes: readonly string[]) {
      const count = sizes.push(hashes.length);
      atOnce += 1;
      maxAtOnce = Math.max(maxAtOnce, atOnce);
      await new Promise<void>((resolve) => gates.push(resolve));
      atOnce -= 1;
      return hashes.map(() => live(`id of ${count}`));
    },
    /** Ends the lookup with this number after waiting for its start. */
    async finish(count: number) {
      await begun(count);
      gates[count - 1]?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
