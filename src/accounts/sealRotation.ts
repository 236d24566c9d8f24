import { nameOfSealKey, open, type SealKeys, SealUnavailable, seal } from "./sealing.ts";
import type { TwoFactorStore } from "./twoFactorStore.ts";

export interface RotatedSecrets {
  /** Secrets that were put under the first key. */
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
  const [firstName = ""] = keys.toOpen().map(nameOfSealKey);
  let [reencrypted, unreadable, after] = [0, 0, ""];
  for (;;) {
    const secrets = await store.secretsOfOtherKeys(firstName, after);
    for (const { accountId, sealed } of secrets) {
      after = accountId;
      try {
        const renewed = seal(keys, open(keys, sealed, accountId), accountId);
        if (await store.resealTwoFactor(accountId, sealed, renewed)) onSecret(++reencrypted);
      } catch (error) {
        if (!(error instanceof SealUnavailable)) throw error;
        unreadable += 1;
      }
    }
    if (secrets.length === 0) return { reencrypted, unreadable };
  }
}
