import type { Kysely, Transaction } from "kysely";
import type { SecondFactor, TurningOn, TwoFactorStore, UsableCode } from "../../accounts/twoFactorStore.ts";
import type { Tables } from "../schema/tables.ts";
import { lockAccount } from "./accountRows.ts";

/** Before any code: steps of time are counted from 1970 on. */
const NO_STEP = 0;

/** Two-factor sign-in. Whatever changes it locks the account first, as opening a session does. */
export function twoFactorQueries(db: Kysely<Tables>): TwoFactorStore {
  const locked = (accountId: string, work: (transaction: Transaction<Tables>) => Promise<boolean>) =>
    db
      .transaction()
      .execute(async (transaction) => (await lockAccount(transaction, accountId)) && work(transaction));
  return {
    async twoFactor(accountId) {
      const row = await db
        .selectFrom("two_factors")
        .selectAll()
        .select((select) =>
          select
            .selectFrom("recovery_codes")
            .whereRef("recovery_codes.account_id", "=", "two_factors.account_id")
            .select(({ fn }) => fn.countAll<number | string>().as("left"))
            .as("codes_left"),
        )
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        sealed: row.sealed,
        begunAtMs: Number(row.begun_at_ms),
        ...(row.on_since !== null && { onSince: row.on_since }),
        lastStep: Number(row.last_step),
        codesLeft: Number(row.codes_left),
      };
    },

    beginTwoFactor(accountId, sealed, nowMs) {
      return locked(accountId, (transaction) => begin(transaction, accountId, sealed, nowMs));
    },

    turnOnTwoFactor(accountId, first) {
      return locked(accountId, (transaction) => turnOn(transaction, accountId, first));
    },

    renewRecoveryCodes(accountId, code, hashes) {
      return locked(accountId, async (transaction) => {
        if (!(await spendCode(transaction, accountId, code))) return false;
        await replaceRecoveryCodes(transaction, accountId, hashes);
        return true;
      });
    },

    turnOffTwoFactor(accountId, code) {
      return locked(
        accountId,
        async (transaction) =>
          (await spendCode(transaction, accountId, code)) && remove(transaction, accountId),
      );
    },

    removeTwoFactor(accountId) {
      return locked(accountId, (transaction) => remove(transaction, accountId));
    },
  };
}

/**
 * Whether a session may be opened with this, which is used up with it; call it under the lock of the account. Without two-factor sign-in
 * anything will do.
 */
export async function passesSecond(
  transaction: Transaction<Tables>,
  accountId: string,
  second: SecondFactor | undefined | null,
): Promise<boolean> {
  const on = await transaction
    .selectFrom("two_factors")
    .select("account_id")
    .where("account_id", "=", accountId)
    .where("on_since", "is not", null)
    .executeTakeFirst();
  if (on === undefined || second?.kind === "signed in") return true;
  // Across the threads what is absent is null.
  return second !== undefined && second !== null && spendCode(transaction, accountId, second);
}

async function begin(
  transaction: Transaction<Tables>,
  accountId: string,
  sealed: string,
  nowMs: number,
): Promise<boolean> {
  const begun = { sealed, begun_at_ms: nowMs, last_step: NO_STEP };
  const kept = await transaction
    .insertInto("two_factors")
    .values({ account_id: accountId, ...begun })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet(begun).where("two_factors.on_since", "is", null),
    )
    .returning("account_id")
    .execute();
  return kept.length === 1;
}

async function turnOn(
  transaction: Transaction<Tables>,
  accountId: string,
  { sealed, step, at, recoveryHashes, sessionId }: TurningOn,
): Promise<boolean> {
  const turned = await transaction
    .updateTable("two_factors")
    .set({ on_since: at, last_step: step })
    .where("account_id", "=", accountId)
    .where("sealed", "=", sealed)
    .where("on_since", "is", null)
    .returning("account_id")
    .execute();
  if (turned.length === 0) return false;
  await replaceRecoveryCodes(transaction, accountId, recoveryHashes);
  await transaction
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", "!=", sessionId)
    .execute();
  return true;
}

/** Uses a code up; false when it was, or is none of the account's. A step that is older than one that was used is no good any more either. */
async function spendCode(
  transaction: Transaction<Tables>,
  accountId: string,
  code: UsableCode,
): Promise<boolean> {
  const used =
    code.kind === "device"
      ? await transaction
          .updateTable("two_factors")
          .set({ last_step: code.step })
          .where("account_id", "=", accountId)
          .where("sealed", "=", code.sealed)
          .where("on_since", "is not", null)
          .where("last_step", "<", code.step)
          .returning("account_id")
          .execute()
      : await transaction
          .deleteFrom("recovery_codes")
          .where("account_id", "=", accountId)
          .where("hash", "=", code.hash)
          .returning("account_id")
          .execute();
  return used.length === 1;
}

async function replaceRecoveryCodes(
  transaction: Transaction<Tables>,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await transaction.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
  await transaction
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ account_id: accountId, hash })))
    .execute();
}

async function remove(transaction: Transaction<Tables>, accountId: string): Promise<boolean> {
  await transaction.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
  const removed = await transaction
    .deleteFrom("two_factors")
    .where("account_id", "=", accountId)
    .returning("on_since")
    .execute();
  return removed.some(({ on_since }) => on_since !== null);
}
