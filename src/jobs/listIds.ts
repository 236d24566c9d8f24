import { createHash, randomBytes } from "node:crypto";
import { base62 } from "../contract/keyForm.ts";

const LENGTH = 22;

/** The id of a list, and with what the ids of others begin that were sent under the same `Idempotency-Key`. */
export interface ListId {
  readonly id: string;
  readonly idBegins?: string;
}

/**
 * A new id. Under an `Idempotency-Key` it is made of that and of what was sent: one half each, so that a list that is sent again has the id
 * of the first, and another list under the same key is told as that. Nothing else has to be kept for it.
 * @param content all that makes two lists the same
 */
export function listId(onceId: string | undefined, content: readonly unknown[]): ListId {
  if (onceId === undefined) return { id: `job_${base62(LENGTH, randomBytes)}` };
  const idBegins = `job_${lettersOf(onceId)}`;
  return { id: idBegins + lettersOf(JSON.stringify(content)), idBegins };
}

/** Half an id, made of a text: 65 bits of its hash. */
function lettersOf(text: string): string {
  const hash = createHash("sha256").update(text).digest();
  let round = 0;
  return base62(LENGTH / 2, () => createHash("sha256").update(`${round++} `).update(hash).digest());
}
