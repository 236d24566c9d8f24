import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { open, type SealKeys, SealUnavailable, seal } from "./sealing.ts";

const keysOf = (...keys: Buffer[]): SealKeys => ({ toSeal: () => keys[0], toOpen: () => keys });
const secret = Buffer.from("a secret of twenty b");

describe("an encrypted secret", () => {
  it("is decrypted only by its key, even among newer ones, and each encryption differs", () => {
    const [old, young] = [randomBytes(32), randomBytes(32)];
    const sealed = seal(keysOf(old), secret, "acc_1");
    expect(open(keysOf(young, old), sealed, "acc_1")).toEqual(secret);
    expect(seal(keysOf(old), secret, "acc_1")).not.toBe(sealed);
    expect(sealed).not.toContain(secret.toString("base64url"));
    expect(() => open(keysOf(young), sealed, "acc_1")).toThrow(SealUnavailable);
    expect(() => open(keysOf(), sealed, "acc_1")).toThrow("is missing");
    expect(() => seal(keysOf(), secret, "acc_1")).toThrow(SealUnavailable);
  });

  it("cannot be decrypted for another account, or if it is changed, truncated or made up", () => {
    const keys = keysOf(randomBytes(32));
    const sealed = seal(keys, secret, "acc_1");
    expect(() => open(keys, sealed, "acc_2")).toThrow("damaged");
    const parts = sealed.split(".");
    const content = Buffer.from(parts[3] ?? "", "base64url");
    for (let index = 0; index < content.length; index++) {
      const changed = Buffer.from(content);
      changed[index] = (changed[index] ?? 0) ^ 1;
      const text = [...parts.slice(0, 3), changed.toString("base64url")].join(".");
      expect(() => open(keys, text, "acc_1")).toThrow(SealUnavailable);
    }
    for (const length of [0, 4, 15, 16, content.length - 1]) {
      const text = [...parts.slice(0, 3), content.subarray(0, length).toString("base64url")].join(".");
      expect(() => open(keys, text, "acc_1")).toThrow(SealUnavailable);
    }
    for (const text of ["", "1", `2.${parts.slice(1).join(".")}`, parts.slice(0, 2).join(".")]) {
      expect(() => open(keys, text, "acc_1")).toThrow(SealUnavailable);
    }
  });
});
