/** For tests: keys, published folders and the registries that follow them. */
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { zstdCompressSync } from "node:zlib";
import { LAYOUT_VERSION } from "../../src/snapshot/layout.ts";
import { parsePublicKey, publicKeyText } from "../../src/snapshot/published/keys.ts";
import {
  fileNameOf,
  MANIFEST_FILE,
  type Manifest,
  signManifest,
} from "../../src/snapshot/published/manifest.ts";
import { openSource } from "../../src/snapshot/published/openSource.ts";
import { type Published, publishSnapshot } from "../../src/snapshot/published/publish.ts";
import type { FetchOptions } from "../../src/snapshot/published/source.ts";

export interface TestKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicText: string;
}

export function makeTestKeys(): TestKeys {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicText = publicKeyText(privateKey);
  return { privateKey, publicKey: parsePublicKey(publicText), publicText };
}

/** Publishes what is current in `directory`. */
export function publish(
  directory: string,
  target: string,
  { privateKey, publicKey }: TestKeys,
  now: () => number = Date.now,
  { allowShrink = false } = {},
): Promise<Published> {
  return publishSnapshot({ directory, target, privateKey, publicKeys: [publicKey], now, allowShrink });
}

export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** A manifest that breaks no rule, but for what is changed. */
export function manifest(changed: Partial<Manifest> = {}): Manifest {
  const packed = "ab".repeat(32);
  return {
    format: 1,
    serial: 5,
    publishedAt: "2026-03-04T05:06:07.890Z",
    layout: LAYOUT_VERSION,
    snapshot: {
      number: 1,
      sha256: "cd".repeat(32),
      bytes: 8_192,
      companies: 1,
      branches: 0,
      origins: [{ origin: "demo", companies: 1, asOf: "2026-01-01T00:00:00.000Z" }],
      createdAt: "2026-03-04T05:00:00.000Z",
    },
    file: { name: fileNameOf(packed), sha256: packed, bytes: 512 },
    ...changed,
  };
}

/** Publishes any bytes as a snapshot, under a manifest that is signed and right unless `changed` makes it wrong. */
export function publishBytes(
  target: string,
  plain: Buffer,
  { privateKey }: TestKeys,
  {
    packed = zstdCompressSync(plain),
    companies = 1,
    ...changed
  }: { packed?: Buffer; companies?: number; serial?: number; bytes?: number } = {},
): Manifest {
  const file = { name: fileNameOf(sha256(packed)), sha256: sha256(packed), bytes: packed.length };
  const made = manifest({
    serial: changed.serial ?? Date.now(),
    file,
    snapshot: {
      ...manifest().snapshot,
      sha256: sha256(plain),
      bytes: changed.bytes ?? plain.length,
      companies,
    },
  });
  writeFileSync(join(target, file.name), packed);
  writeFileSync(join(target, MANIFEST_FILE), signManifest(made, privateKey));
  return made;
}

/** How a registry in `directory` follows a published folder on this disk. */
export function following(directory: string, target: string, { publicKey }: TestKeys): FetchOptions {
  return {
    directory,
    source: openSource(pathToFileURL(target).href),
    publicKeys: [publicKey],
    maxBytes: 2 ** 30,
  };
}

/** Changes one byte in the middle of a file. */
export function damage(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(statSync(path).size / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0x01;
  writeFileSync(path, bytes);
}
