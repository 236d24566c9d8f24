import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { describeWith, root } from "../../../test/kit/needs.ts";
import { manifest } from "../../../test/kit/published.ts";
import { temporaryFolder } from "../../../test/kit/registry.ts";
import { makeKeys, PrivateKeyRefused, parsePublicKey, publicKeyText, readPrivateKey } from "./keys.ts";
import { readManifest, signManifest } from "./manifest.ts";

describe("a key pair", () => {
  it("consists of a private file and a public line that verifies its signatures", () => {
    const path = join(temporaryFolder(), "keys", "registry.key");
    const { publicKey, isNew } = makeKeys(path);
    expect([isNew, statSync(path).mode & 0o777]).toEqual([true, 0o600]);
    expect(publicKey).toMatch(/^ed25519:[A-Za-z0-9_-]{43}$/);
    const { key, isOpenToOthers } = readPrivateKey(path);
    expect(isOpenToOthers).toBe(false);
    const signed = Buffer.from(signManifest(manifest(), key));
    expect(readManifest(signed, [parsePublicKey(publicKey)])).toEqual(manifest());
    expect(publicKeyText(parsePublicKey(publicKey))).toBe(publicKey);
  });

  it("is never overwritten; a second attempt returns the existing public key", () => {
    const path = join(temporaryFolder(), "registry.key");
    const { publicKey } = makeKeys(path);
    const before = readFileSync(path, "utf8");
    expect(makeKeys(path)).toEqual({ publicKey, isNew: false });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("reports whether others can read the private file", () => {
    const path = join(temporaryFolder(), "registry.key");
    makeKeys(path);
    chmodSync(path, 0o644);
    expect(readPrivateKey(path).isOpenToOthers).toBe(true);
  });

  describeWith(root, "given by root to a process of another user", () => {
    const OTHER_USER = 1_000;
    it.each([
      { mode: 0o440, ownerId: 0, isOpen: false },
      { mode: 0o640, ownerId: 0, isOpen: false },
      { mode: 0o660, ownerId: 0, isOpen: true },
      { mode: 0o444, ownerId: 0, isOpen: true },
      { mode: 0o440, ownerId: OTHER_USER, isOpen: true },
      { mode: 0o400, ownerId: OTHER_USER, isOpen: false },
    ])("is open to others by its mode and owner: %j", ({ mode, ownerId, isOpen }) => {
      const path = join(temporaryFolder(), "registry.key");
      makeKeys(path);
      chownSync(path, ownerId, OTHER_USER);
      chmodSync(path, mode);
      vi.spyOn(process, "getuid").mockReturnValue(OTHER_USER);
      onTestFinished(() => {
        vi.restoreAllMocks();
      });
      expect(readPrivateKey(path).isOpenToOthers).toBe(isOpen);
    });
  });

  it("is rejected without quoting the file", () => {
    const path = join(temporaryFolder(), "registry.key");
    const secret = "tr0ub4dor";
    writeFileSync(path, `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`);
    for (const work of [() => readPrivateKey(path), () => makeKeys(path)]) {
      expect(work).toThrow(PrivateKeyRefused);
      expect(work).toThrow(`${path} cannot be used: it is not an Ed25519 private key`);
      expect(work).not.toThrow(secret);
    }
    expect(() => readPrivateKey(join(path, "absent"))).toThrow("opzoek registry keys");
  });
});
