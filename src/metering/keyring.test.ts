import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashKey, makeKey } from "../contract/keyForm.ts";
import { Keyring } from "./keyring.ts";
import { MeterOverloaded } from "./meter.ts";

const live = (id: string) => ({ id, kind: "live" as const });
const found = (id: string | undefined) => (id === undefined ? null : live(id));

/** A store that knows keys by their hash and counts how often it is asked. */
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
  it("asks the store once for a key that exists, by its hash", async () => {
    const key = makeKey("live", randomBytes);
    const store = storeOf({ [hashKey(key)]: "key_1" });
    const keyring = new Keyring(store);
    expect(await keyring.find(key)).toEqual(live("key_1"));
    expect(keyring.find(key)).toEqual(live("key_1"));
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
    expect(await keyring.find(key)).toEqual(live("key_2"));
  });

  it("remembers which keys are revoked", () => {
    const keyring = new Keyring(storeOf({}));
    expect(keyring.isRefused("key_1")).toBe(false);
    keyring.forget("key_1");
    expect(keyring.isRefused("key_1")).toBe(true);
    expect(keyring.isRefused("key_2")).toBe(false);
  });

  it("believes for two seconds that a key has expired, unless it is changed here", () => {
    let nowMs = 0;
    const keyring = new Keyring(storeOf({}), () => nowMs);
    expect(keyring.isRefused("key_1")).toBe(false);
    keyring.noteExpired("key_1");
    keyring.noteExpired("key_2");
    nowMs = 1_999;
    expect(["key_1", "key_2", "key_3"].map((key) => keyring.isRefused(key))).toEqual([true, true, false]);
    keyring.changed("key_2");
    expect(keyring.isRefused("key_2")).toBe(false);
    nowMs = 2_000;
    expect(keyring.isRefused("key_1")).toBe(false);
    keyring.forget("key_1");
    expect(keyring.isRefused("key_1")).toBe(true);
  });

  it("passes on that the store is away, and asks again the next time", async () => {
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

  it("asks once for one key however many present it, and has what comes meanwhile wait for one look-up of many", async () => {
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

  it("lets made-up keys have one look-up at the store at a time, and refuses those beyond what may wait", async () => {
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

/** Keys with a good check, another one each time. */
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

/** A store whose look-ups end when the test lets them; every key of the n-th has the id `id of n`. */
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
    /** Ends the look-up of this number, and waits until it has begun before. */
    async finish(count: number) {
      await begun(count);
      gates[count - 1]?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
