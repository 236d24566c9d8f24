/** For tests: keys, published folders and the registries that follow them. */
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { zstdCompressSync } from "node:zlib";
import { LAYOUT_VERSION } from "../../src/registry/layout.ts";
import { FetchFailure, type FetchFailureKind } from "../../src/registry/published/failure.ts";
import type { FetchOptions } from "../../src/registry/published/fetchPublished.ts";
import { parsePublicKey, publicKeyText } from "../../src/registry/published/keys.ts";
import { MANIFEST_FILE, type Manifest, signManifest } from "../../src/registry/published/manifest.ts";
import { type Published, publishSnapshot } from "../../src/registry/published/publish.ts";
import { PublishedRegistry } from "../../src/registry/published/publishedRegistry.ts";
import { openPublishedSource } from "../../src/registry/published/source.ts";
import { packTar } from "../../src/registry/published/tar.ts";
import { temporaryFolder } from "./registry.ts";

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

/** Publishes the current snapshot of `directory`. */
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

/** A valid manifest with some fields replaced. */
export function manifest(changed: Partial<Manifest> = {}): Manifest {
  return {
    format: 3,
    serial: 5,
    publishedAt: "2026-03-04T05:06:07.890Z",
    layout: LAYOUT_VERSION,
    snapshot: {
      sha256: "cd".repeat(32),
      companies: 1,
      origins: [{ origin: "demo", companies: 1, asOf: "2026-01-01T00:00:00.000Z" }],
      createdAt: "2026-03-04T05:00:00.000Z",
    },
    archive: { name: "registry-5.tar.zst", sha256: "ab".repeat(32), bytes: 512, unpackedBytes: 8_192 },
    ...changed,
  };
}

/** A tar archive of these files, not yet compressed. */
export async function tarOf(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    body: Readable.from([bytes]),
  }));
  return Buffer.concat(await Array.fromAsync(packTar(entries)));
}

export interface Archive {
  readonly packed: Buffer;
  readonly unpackedBytes: number;
}

/**
 * An archive of one file that passes for a snapshot of the given number of companies, with an index if there is one.
 */
export async function archiveOf(
  plain: Buffer,
  companies = 1,
  index?: Buffer,
): Promise<Archive & { readonly sha256: string }> {
  const { createdAt, origins } = manifest().snapshot;
  const info = { number: 1, file: "snapshot-1.sqlite", sha256: sha256(plain), bytes: plain.length };
  const current = { ...info, companies, branches: 0, origins, createdAt };
  const pointer = Buffer.from(JSON.stringify({ current }));
  const names = index && { "snapshot-1.names": index };
  const tar = await tarOf({ "current.json": pointer, [info.file]: plain, ...names });
  return { packed: zstdCompressSync(tar), unpackedBytes: tar.length, sha256: info.sha256 };
}

/** Publishes any archive with a valid signature. */
export function publishArchive(
  target: string,
  { packed, unpackedBytes, ...snapshot }: Archive & { readonly sha256?: string },
  { privateKey }: TestKeys,
  serial = Date.now(),
): Manifest {
  const name = `registry-${serial}.tar.zst`;
  const made = manifest({
    serial,
    snapshot: { ...manifest().snapshot, ...snapshot },
    archive: { name, sha256: sha256(packed), bytes: packed.length, unpackedBytes },
  });
  writeFileSync(join(target, name), packed);
  writeFileSync(join(target, MANIFEST_FILE), signManifest(made, privateKey));
  return made;
}

/** Options with which a registry in `directory` follows a published folder on this disk. */
export function following(directory: string, target: string, { publicKey }: TestKeys): FetchOptions {
  return {
    directory,
    source: openPublishedSource(pathToFileURL(target).href),
    publicKeys: [publicKey],
    maxBytes: 2 ** 30,
  };
}

/** A publisher's registry, the folder that it publishes to, and a following node. */
export function followingPlaces(keys: TestKeys) {
  const folder = temporaryFolder();
  const [publisher, target, node] = [
    join(folder, "publisher"),
    join(folder, "published"),
    join(folder, "node"),
  ];
  const options = following(node, target, keys);
  const { signal } = new AbortController();
  return {
    ...{ publisher, target, node, options },
    /** One fetch, as by a new process. */
    round: (changed: Partial<FetchOptions> = {}) =>
      new PublishedRegistry({ ...options, ...changed }).round(signal),
  };
}

/** The kind of the failure with which `work` rejects. */
export async function kindOf(work: Promise<unknown>): Promise<FetchFailureKind> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FetchFailure) return error.kind;
  throw error ?? new Error("it was accepted");
}

/** Changes one byte in the middle of a file. */
export function damage(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(statSync(path).size / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0x01;
  writeFileSync(path, bytes);
}
