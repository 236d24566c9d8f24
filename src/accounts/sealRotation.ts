import { nameOfSealKey, open, type SealKeys, SealUnavailable, seal } from "./sealing.ts";
import type { SealedSecret, TwoFactorStore } from "./twoFactorStore.ts";

export interface RotatedSecrets {
  /** Secrets that are now under the first key. */
  readonly reencrypted: number;
  /** Secrets whose key is not present. */
  readonly unreadable: number;
}

/**
 * Encrypts the secrets of all accounts under the first present key. Each is replaced only if it has not changed, so a service
 * may run, and an interrupted call may be repeated.
 */
export async function rotateSecrets(
  store: Pick<TwoFactorStore, "secretsOfOtherKeys" | "resealTwoFactor">,
  keys: SealKeys,
  onSecret: (done: number) => void,
): Promise<RotatedSecrets> {
  const [first] = keys.toOpen();
  const firstName = first === undefined ? "" : nameOfSealKey(first);
  let reencrypted = 0;
  let unreadable = 0;
  let secrets: readonly SealedSecret[];
  let after = "";
  do {
    secrets = await store.secretsOfOtherKeys(firstName, after);
    for (const secret of secrets) {
      after = secret.accountId;
      const sealed = resealed(keys, secret);
      if (sealed === undefined) unreadable += 1;
      else if (await store.resealTwoFactor(secret, sealed)) onSecret(++reencrypted);
    }
  } while (secrets.length > 0);
  return { reencrypted, unreadable };
}

/** @returns undefined if the key of the secret is missing */
function resealed(keys: SealKeys, { accountId, sealed }: SealedSecret): string | undefined {
  try {
    return seal(keys, open(keys, sealed, accountId), accountId);
  } catch (error) {
    if (error instanceof SealUnavailable) return undefined;
    throw error;
  }
}
