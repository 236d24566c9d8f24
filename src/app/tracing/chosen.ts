/** Which traces are recorded. */
import { createHmac, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
/** The bytes of the hash of an id that decide whether it is chosen. */
const BYTES = 6;
const ALL = 2 ** (8 * BYTES);

/** A new secret by which traces are chosen. */
export function newTraceSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * Chooses a share of traces by their ids. It uses a secret because callers choose the ids and could otherwise have all
 * their calls recorded. With the same secret either all spans of a trace are chosen or none.
 * @param share from 0 to 1
 */
export function chooser(secret: string, share: number): (traceId: string) => boolean {
  return (traceId) =>
    createHmac("sha256", secret).update(traceId).digest().readUIntBE(0, BYTES) < share * ALL;
}
