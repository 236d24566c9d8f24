import type { PoolClient } from "pg";
import { LeastRecentlyUsed } from "../../lib/leastRecentlyUsed.ts";
import { arrayLiteral } from "./arrayLiterals.ts";
import type { TransactionEnd } from "./commitOutcome.ts";
import type { ReadKey } from "./rows.ts";

/** As many as the keyring keeps, at 180 bytes each: a key whose account is unknown costs a batch a look. */
const MOST_KEYS = 100_000;

/** The accounts of keys, kept from what was read of them: a key never changes hands, so what is kept stays true. */
export class KeyAccounts {
  readonly #accountIds = new LeastRecentlyUsed<string>(MOST_KEYS);

  /** The account of a key; `undefined` when it was not read yet. */
  of(keyId: string): string | undefined {
    return this.#accountIds.get(keyId);
  }

  /** The accounts of keys, each once; `undefined` when one of them is not known. */
  ofAll(keyIds: readonly string[]): string[] | undefined {
    const accountIds = new Set<string>();
    for (const keyId of keyIds) {
      const accountId = this.#accountIds.get(keyId);
      if (accountId === undefined) return undefined;
      accountIds.add(accountId);
    }
    return [...accountIds];
  }

  /** Of keys those whose account is not known, each once. */
  unknownOf(keyIds: readonly string[]): string[] {
    return [...new Set(keyIds.filter((keyId) => this.#accountIds.get(keyId) === undefined))];
  }

  learn(keys: readonly KeyOfAccount[]): void {
    for (const { id, account_id: accountId } of keys) {
      if (id !== null && this.#accountIds.peek(id) === undefined) this.#accountIds.set(id, accountId);
    }
  }
}

type KeyOfAccount = Pick<ReadKey, "id" | "account_id">;

/**
 * Whose keys are. Never throws for what the database does.
 * @param onSent called when the question is on its way: a transaction may follow in the same packet
 */
export async function accountsOfKeys(
  client: PoolClient,
  keyIds: readonly string[],
  onSent: () => void,
): Promise<TransactionEnd<readonly KeyOfAccount[]>> {
  const asked = client.query<KeyOfAccount>({
    name: "opzoek_accounts_of_keys",
    text: "select id, account_id from keys where id = any($1::text[])",
    values: [arrayLiteral(keyIds)],
  });
  onSent();
  const [told] = await Promise.allSettled([asked]);
  return told.status === "fulfilled"
    ? { kind: "committed", result: told.value.rows }
    : { kind: "failed", error: told.reason };
}
