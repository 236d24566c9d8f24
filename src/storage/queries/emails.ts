import type { Kysely, Transaction } from "kysely";
import type { EmailChange, PeopleStore } from "../../accounts/peopleStore.ts";
import { monthOf } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import { AlreadyTaken, type StoreClock } from "../stateStore.ts";
import { lockAccount, takeOverSuspension } from "./accountRows.ts";
import { keepUsed } from "./departed.ts";
import { holdLinks, spendToken, voidLinks } from "./tokens.ts";

/** Addresses that accounts change to. @param now the store's clock */
export function emailQueries(db: Kysely<Tables>, now: StoreClock): Pick<PeopleStore, "changeEmail"> {
  return {
    async changeEmail(accountId, change) {
      const storeNowMs = await now();
      try {
        return await db
          .transaction()
          .execute((transaction) => changeEmail(transaction, accountId, change, storeNowMs));
      } catch (error) {
        // Somebody signed up with the address in this moment.
        if (error instanceof AlreadyTaken) return "taken";
        throw error;
      }
    },
  };
}

async function changeEmail(
  transaction: Transaction<Tables>,
  accountId: string,
  { email, emailHash, oldHash, tokenHash, nowMs }: EmailChange,
  storeNowMs: number,
): Promise<"changed" | "taken" | "refused"> {
  if (!(await lockAccount(transaction, accountId))) return "refused";
  await holdLinks(transaction, accountId);
  if (tokenHash !== undefined && tokenHash !== null) {
    const link = { hash: tokenHash, purpose: "email", nowMs, of: { accountId, email } } as const;
    if ((await spendToken(transaction, link)) === undefined) return "refused";
    if (!(await mayLeave(transaction, accountId, emailHash, storeNowMs))) return "refused";
  }
  const taken = await transaction
    .selectFrom("accounts")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirst();
  if (taken !== undefined) return "taken";
  await keepUsed(transaction, accountId, oldHash, storeNowMs);
  await transaction.updateTable("accounts").set({ email }).where("id", "=", accountId).execute();
  await takeOverSuspension(transaction, accountId, emailHash, storeNowMs);
  await voidLinks(transaction, accountId);
  return "changed";
}

/** Nobody gets rid of a suspension by another address, nor of what a deleted account of that address used this month. */
async function mayLeave(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  storeNowMs: number,
): Promise<boolean> {
  const suspended = await transaction
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", accountId)
    .where("suspended", "=", 1)
    .executeTakeFirst();
  const used = await transaction
    .selectFrom("departed_months")
    .select("used")
    .where("email_hash", "=", emailHash)
    .where("month", ">=", monthOf(storeNowMs))
    .where("used", ">", 0)
    .executeTakeFirst();
  return suspended === undefined && used === undefined;
}
