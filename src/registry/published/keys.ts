import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileErrorOf } from "../../lib/fileErrors.ts";
import { makeOwnFolder, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { RegistryRefusal } from "../errors.ts";

/** The format of a public key in a setting: the 32 bytes of Ed25519 (RFC 8032) as base64url. */
const PUBLIC_KEY = /^ed25519:([A-Za-z0-9_-]{43})$/;
const OPEN_TO_OTHERS = 0o077;
/** As above, without reading by the group. */
const OPEN_BEYOND_GROUP = 0o037;

/** The private key cannot be created or read. The message contains the path, never the content. */
export class PrivateKeyRefused extends RegistryRefusal {}

/** Formats a public key, or the public half of a private key, for `REGISTRY_PUBLIC_KEY`. */
export function publicKeyText(key: KeyObject): string {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  const { x } = publicKey.export({ format: "jwk" });
  return `ed25519:${x}`;
}

/** @throws {RangeError} for an invalid public key; settings were validated before */
export function parsePublicKey(text: string): KeyObject {
  const x = PUBLIC_KEY.exec(text)?.[1];
  if (x === undefined)
    throw new RangeError("a public key begins with ed25519: and has 43 characters after it");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/**
 * Creates a key pair and writes the private key to a new file that only its owner may read. Never overwrites a file.
 * @returns the public key as one line, also for an existing file
 * @throws {PrivateKeyRefused}
 */
export function makeKeys(path: string): { publicKey: string; isNew: boolean } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" });
  try {
    makeOwnFolder(dirname(path));
    writeFileSync(path, pem, { mode: OWN_FILE_MODE, flag: "wx", flush: true });
    return { publicKey: publicKeyText(privateKey), isNew: true };
  } catch (error) {
    const code = fileErrorOf(error);
    if (code === "EEXIST") return { publicKey: publicKeyText(readPrivateKey(path).key), isNew: false };
    throw new PrivateKeyRefused(
      `${path} cannot be written (${code}): check that its folder exists and that you may write in it.`,
      { cause: error },
    );
  }
}

/**
 * Reads the private key.
 * @returns the key, and whether others than its owner may read the file
 * @throws {PrivateKeyRefused}
 */
export function readPrivateKey(path: string): { key: KeyObject; isOpenToOthers: boolean } {
  let reason = "it is not an Ed25519 private key in PEM";
  try {
    const key = createPrivateKey(readFileSync(path, "utf8"));
    if (key.asymmetricKeyType === "ed25519") return { key, isOpenToOthers: isOpenToOthers(statSync(path)) };
  } catch (error) {
    // A parser's message may quote the secret.
    const code = fileErrorOf(error);
    if (code !== undefined) reason = `it cannot be read (${code})`;
  }
  throw new PrivateKeyRefused(
    `${path} cannot be used: ${reason}. REGISTRY_PRIVATE_KEY_FILE must name the file that "opzoek registry keys" made.`,
  );
}

/** Root gives a file to another user's process through a group of that process, as Kubernetes does with `fsGroup`. */
function isOpenToOthers({ mode, uid }: Stats): boolean {
  const isFromRoot = uid === 0 && process.getuid?.() !== 0;
  return (mode & (isFromRoot ? OPEN_BEYOND_GROUP : OPEN_TO_OTHERS)) !== 0;
}
