/** Which traces are recorded. */
import { createHmac, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
/** Of what is made of an id, so many bytes say whether it is chosen. */
const BYTES = 6;
const ALL = 2 ** (8 * BYTES);

/** A new secret by which traces are chosen. */
export function newTraceSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * Chooses a share of traces by their ids, which callers make up: with a secret, as else they could make up those that are chosen. With the same secret
 * all spans of a trace are chosen or none is.
 * @param share from 0 to 1
 */
export function chooser(secret: string, share: number): (traceId: string) => boolean {
  return (traceId) =>
    createHmac("sha256", secret).update(traceId).digest().readUIntBE(0, BYTES) < share * ALL;
}
