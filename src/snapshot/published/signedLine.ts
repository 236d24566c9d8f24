import { type KeyObject, sign, verify } from "node:crypto";

const SIGNATURE_LINE = /^\{"ed25519":"([A-Za-z0-9_-]{86})"\}\n?$/;

/** Why a signed text is not believed: it carries no signature, or one of nobody who is trusted. */
export type Unsigned = "no signature" | "another key";

/**
 * A line with its signature in a second one.
 * @param signedAs signed before the line, so that nothing else that the key may ever sign passes for it
 */
export function signLine(line: string, signedAs: string, privateKey: KeyObject): string {
  const signature = sign(null, Buffer.from(signedAs + line), privateKey).toString("base64url");
  return `${line}\n{"ed25519":"${signature}"}\n`;
}

/** The line of such a text when one of the keys has proved its signature, as an object; else why not. Nothing of it is parsed before. */
export function provedLine(
  bytes: Buffer,
  signedAs: string,
  publicKeys: readonly KeyObject[],
): { readonly line: string } | Unsigned {
  const end = bytes.indexOf("\n");
  const line = end === -1 ? bytes : bytes.subarray(0, end);
  const signature = SIGNATURE_LINE.exec(bytes.toString("latin1", line.length + 1))?.[1];
  if (signature === undefined) return "no signature";
  const signed = Buffer.concat([Buffer.from(signedAs), line]);
  const proof = Buffer.from(signature, "base64url");
  return publicKeys.some((key) => verify(null, signed, key, proof))
    ? { line: line.toString("utf8") }
    : "another key";
}
