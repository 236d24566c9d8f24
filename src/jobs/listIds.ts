import { createHash, randomBytes } from "node:crypto";
import { base62 } from "../contract/keyForm.ts";
import type { Steps } from "../lib/steps.ts";
import type { NewList } from "./stored.ts";

const LENGTH = 22;
/** Numbers hashed in one step, which takes about a millisecond. */
const IN_A_STEP = 500;

/**
 * Returns a new id. With an `Idempotency-Key`, one half is a hash of the key (`idPrefix`) and the other a hash of the
 * content: the same list gets the same id again, and another list under the same key is recognised. Nothing else needs
 * to be stored.
 * @param terms everything apart from the numbers that makes two lists the same
 */
export function* listId(
  idempotencyId: string | undefined,
  terms: readonly unknown[],
  numbers: readonly string[],
): Steps<Pick<NewList, "id" | "idPrefix">> {
  if (idempotencyId === undefined) return { id: `job_${base62(LENGTH, randomBytes)}` };
  // Hashes a JSON array of terms and numbers part by part: serialising it at once would block the event loop.
  const content = createHash("sha256").update(`${JSON.stringify(terms).slice(0, -1)},[`);
  for (let from = 0; from < numbers.length; from += IN_A_STEP) {
    const part = JSON.stringify(numbers.slice(from, from + IN_A_STEP)).slice(1, -1);
    content.update(from === 0 ? part : `,${part}`);
    yield;
  }
  const idPrefix = `job_${lettersOf(createHash("sha256").update(idempotencyId).digest())}`;
  return { id: idPrefix + lettersOf(content.update("]]").digest()), idPrefix };
}

/** Returns half an id from a hash: 65 bits of it. */
function lettersOf(hash: Buffer): string {
  let round = 0;
  return base62(LENGTH / 2, () => createHash("sha256").update(`${round++} `).update(hash).digest());
}
