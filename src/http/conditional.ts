/** Entity tags, and whether what a client holds already is what it would be sent (RFC 9110, sections 8.8.3 and 13.1.2). */
import { hash } from "node:crypto";

/** The strong entity tag of a body: of its bytes alone, so it is the same on every node. */
export function entityTag(text: string): string {
  return `"${hash("sha256", text, "base64url")}"`;
}

/**
 * Whether `If-None-Match` names this tag, weak or strong. Tags hold no quotes, so one that stands in the list is found as text. `*` names none: who
 * sends it holds nothing, and would be told for nothing what is sold.
 */
export function isHeld(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.includes(tag);
}
