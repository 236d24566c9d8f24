import { createHash, randomBytes } from "node:crypto";
import { base62 } from "../contract/keyForm.ts";
import type { Steps } from "../lib/steps.ts";
import type { NewList } from "./store.ts";

const LENGTH = 22;
/** Numbers that are hashed in one step: a millisecond, however they are written. */
const IN_A_STEP = 500;

/**
 * A new id. Under an `Idempotency-Key` it is made of that and of what was sent: one half each, so that a list that is sent again has the id
 * of the first, and another list under the same key is told as that: `idBegins` is the half of both. Nothing else has to be kept for it.
 * @param terms all else that makes two lists the same
 */
export function* listId(
  idempotencyId: string | undefined,
  terms: readonly unknown[],
  numbers: readonly string[],
): Steps<Pick<NewList, "id" | "idBegins">> {
  if (idempotencyId === undefined) return { id: `job_${base62(LENGTH, randomBytes)}` };
  // Of the JSON of terms and numbers in one array, which is made of parts: as a whole it would hold the thread.
  const content = createHash("sha256").update(`${JSON.stringify(terms).slice(0, -1)},[`);
  for (let from = 0; from < numbers.length; from += IN_A_STEP) {
    const part = JSON.stringify(numbers.slice(from, from + IN_A_STEP)).slice(1, -1);
    content.update(from === 0 ? part : `,${part}`);
    yield;
  }
  const idBegins = `job_${lettersOf(createHash("sha256").update(idempotencyId).digest())}`;
  return { id: idBegins + lettersOf(content.update("]]").digest()), idBegins };
}

/** Half an id, made of a hash: 65 bits of it. */
function lettersOf(hash: Buffer): string {
  let round = 0;
  return base62(LENGTH / 2, () => createHash("sha256").update(`${round++} `).update(hash).digest());
}
