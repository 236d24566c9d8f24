import { randomBytes } from "node:crypto";
import { base62, hashKey, keyHint, namedKind } from "../contract/keyForm.ts";
import { browserBoundsOfNew } from "./browserBounds.ts";
import { type AskedBounds, keyBounds, keyName } from "./keyBounds.ts";
import { PersonRefusal } from "./refusal.ts";
import type { NewKey } from "./store.ts";

/** How many keys an address may make a day, its rolled ones included. */
export const MOST_KEYS_A_DAY = 100;
const DAY_MS = 86_400_000;

/**
 * A key on its way into the store.
 * @throws {AccountRefusal} for a name that cannot be shown on a line, and for bad bounds
 */
export function draftKey(
  accountId: string,
  name: string,
  key: string,
  nowMs: number,
  asked: AskedBounds = {},
): NewKey {
  const id = `key_${base62(16, randomBytes)}`;
  const createdAt = new Date(nowMs).toISOString();
  const kind = namedKind(key);
  const { expiresAt, browser: _asked, ...bounds } = keyBounds(asked, nowMs);
  const browser = browserBoundsOfNew(kind, asked);
  return {
    ...{ id, accountId, name: keyName(name), ...keyHint(key), kind },
    ...{ createdAt, hash: hashKey(key), ...bounds },
    ...(browser !== undefined && { browser }),
    ...(typeof expiresAt === "string" && { expiresAt }),
  };
}

/** @param key that was drafted and not stored */
export function tooManyToday({ createdAt }: Pick<NewKey, "createdAt">): PersonRefusal {
  const waitSeconds = Math.ceil((DAY_MS - (Date.parse(createdAt) % DAY_MS)) / 1_000);
  return new PersonRefusal(
    "tries",
    `you have made ${MOST_KEYS_A_DAY} keys today (UTC), which is the most; make another one tomorrow`,
    waitSeconds,
  );
}
