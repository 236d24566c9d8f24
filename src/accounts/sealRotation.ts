import type { TwoFactorQueries } from "./queries/twoFactors.ts";
import { nameOfSealKey, open, type SealKeys, SealUnavailable, seal } from "./sealing.ts";

/**
 * Encrypts the secrets of all accounts under the first present key. Each is replaced only if it has not changed, so a
 * service may run, and an interrupted call may be repeated.
 * @returns (the promise) the number of replaced secrets, and of secrets whose key is missing
 */
export async function rotateSecrets(
  store: TwoFactorQueries,
  keys: SealKeys,
  onSecret: (done: number) => void,
): Promise<{ readonly reencrypted: number; readonly unreadable: number }> {
  const [firstName = ""] = keys.toOpen().map(nameOfSealKey);
  let [reencrypted, unreadable] = [0, 0];
  for (const { accountId, sealed } of await store.secretsOfOtherKeys(firstName)) {
    try {
      const renewed = seal(keys, open(keys, sealed, accountId), accountId);
      if (await store.resealTwoFactor(accountId, sealed, renewed)) onSecret(++reencrypted);
    } catch (error) {
      if (!(error instanceof SealUnavailable)) throw error;
      unreadable += 1;
    }
  }
  return { reencrypted, unreadable };
}
