import { type Kysely, sql, type Transaction } from "kysely";
import { withAccount } from "../../database/accountLock.ts";
import { toObject } from "../../database/objects.ts";
import {
  countRows,
  deleteRows,
  findRow,
  insertRows,
  takeRows,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import { SEALED_KEY } from "../../database/schema/sealed.ts";
import type { Tables } from "../../database/schema/tables.ts";
import type { SecondFactor, StoredTwoFactor, TwoFactorActivation, UsableCode } from "../secondFactors.ts";

/** Before any code: time steps are counted from 1970. */
const NO_STEP = 0;

/** Two-factor sign-in. All changes lock the account first, like new sessions. */
export function twoFactorQueries(db: Kysely<Tables>) {
  const locked = (accountId: string, work: (transaction: Transaction<Tables>) => Promise<boolean>) =>
    withAccount(db, accountId, false, work);
  return {
    async twoFactor(accountId: string): Promise<StoredTwoFactor | undefined> {
      const row = await findRow(db, "two_factors", { account_id: accountId });
      if (row === undefined) return undefined;
      return {
        ...toObject("two_factors", row, "account_id"),
        codesLeft: await countRows(db, "recovery_codes", { account_id: accountId }),
      };
    },

    /** Stores an unconfirmed secret, replacing an earlier one. @returns false if two-factor sign-in is on */
    beginTwoFactor(accountId: string, sealed: string, nowMs: number): Promise<boolean> {
      const begun = { sealed, begun_at_ms: nowMs, last_step: NO_STEP };
      const row = { account_id: accountId, ...begun };
      const isOff = sql`where two_factors.on_since is null`;
      return locked(accountId, (transaction) => upsertRow(transaction, "two_factors", row, begun, isOff));
    },

    /**
     * Turns it on with a first code and ends all other sessions.
     * @returns false if it is on, or the secret has changed
     */
    turnOnTwoFactor(
      accountId: string,
      { sealed, step, at, recoveryHashes, sessionId }: TwoFactorActivation,
    ): Promise<boolean> {
      return locked(accountId, async (transaction) => {
        const begun = { account_id: accountId, sealed, on_since: null };
        const on = { on_since: at, last_step: step };
        if ((await updateRows(transaction, "two_factors", begun, on)) === 0) return false;
        await replaceRecoveryCodes(transaction, accountId, recoveryHashes);
        await deleteRows(transaction, "sessions", { account_id: accountId }, sql`and id <> ${sessionId}`);
        return true;
      });
    },

    /** Replaces the recovery codes, using a code up. @returns false if the code is invalid or used */
    renewRecoveryCodes(accountId: string, code: UsableCode, hashes: readonly string[]): Promise<boolean> {
      return locked(accountId, async (transaction) => {
        if (!(await spendCode(transaction, accountId, code))) return false;
        await replaceRecoveryCodes(transaction, accountId, hashes);
        return true;
      });
    },

    /** Turns it off, using a code up. @returns false if the code is invalid or used */
    turnOffTwoFactor(accountId: string, code: UsableCode): Promise<boolean> {
      return locked(
        accountId,
        async (transaction) =>
          (await spendCode(transaction, accountId, code)) && remove(transaction, accountId),
      );
    },

    /** All encrypted secrets, some 200 bytes each, without those under the key of this name. */
    async secretsOfOtherKeys(keyName: string): Promise<readonly { accountId: string; sealed: string }[]> {
      const { rows } = await sql<{ accountId: string; sealed: string }>`
        select account_id as "accountId", sealed from two_factors
        where substr(sealed, ${SEALED_KEY.from}, ${SEALED_KEY.length}) <> ${keyName}`.execute(db);
      return rows;
    },

    /** Replaces an encrypted secret by the same secret under another key. @returns false if it has changed */
    async resealTwoFactor(accountId: string, before: string, sealed: string): Promise<boolean> {
      return (
        (await updateRows(db, "two_factors", { account_id: accountId, sealed: before }, { sealed })) === 1
      );
    },

    /** Turns it off without a code, for operators. @returns false if it is not on */
    removeTwoFactor(accountId: string): Promise<boolean> {
      return locked(accountId, (transaction) => remove(transaction, accountId));
    },
  };
}

/**
 * Whether a session may be opened with this code, which is spent. Call it under the lock of the account. Without
 * two-factor sign-in it is not checked.
 */
export async function verifySecondFactor(
  transaction: Transaction<Tables>,
  accountId: string,
  second: SecondFactor | undefined,
): Promise<boolean> {
  const on = await findRow(
    transaction,
    "two_factors",
    { account_id: accountId },
    sql`and on_since is not null`,
  );
  if (on === undefined || second?.kind === "signed in") return true;
  return second !== undefined && spendCode(transaction, accountId, second);
}

/**
 * Spends a code; false if it was spent, or the account has no such code. Steps older than a spent one are refused as
 * well.
 */
async function spendCode(
  transaction: Transaction<Tables>,
  accountId: string,
  code: UsableCode,
): Promise<boolean> {
  if (code.kind !== "device") {
    return (
      (await deleteRows(transaction, "recovery_codes", { account_id: accountId, hash: code.hash })) === 1
    );
  }
  const { sealed, step } = code;
  const isUsable = sql`and on_since is not null and last_step < ${step}`;
  const factor = { account_id: accountId, sealed };
  return (await updateRows(transaction, "two_factors", factor, { last_step: step }, isUsable)) === 1;
}

async function replaceRecoveryCodes(
  transaction: Transaction<Tables>,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteRows(transaction, "recovery_codes", { account_id: accountId });
  await insertRows(transaction, "recovery_codes", ...hashes.map((hash) => ({ account_id: accountId, hash })));
}

async function remove(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  await deleteRows(transaction, "recovery_codes", { account_id: accountId });
  const [factor] = await takeRows(transaction, "two_factors", { account_id: accountId });
  return factor !== undefined && factor.on_since !== null;
}

export type TwoFactorQueries = ReturnType<typeof twoFactorQueries>;
