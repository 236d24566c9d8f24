import { type Kysely, sql, type Transaction } from "kysely";
import { lockAccount } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { findRow, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { UniqueViolation } from "../../database/stateErrors.ts";
import { monthOf } from "../../lib/periods.ts";
import type { EmailChange } from "../people.ts";
import { inheritSuspension } from "./accountRows.ts";
import { preserveUsage } from "./departed.ts";
import { lockMailsWithLinks, spendToken, voidLinks } from "./tokens.ts";

/** Changes of addresses. @param now the store's clock */
export function emailQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /**
     * Changes an account's address; all its links become void. As when an account is deleted, its usage also stays with
     * the old address. A suspension stored for the new address applies to the account. `refused`: no such account or
     * link, a suspended account, or, with a link, an address that a deleted account used this month.
     */
    async changeEmail(accountId: string, change: EmailChange): Promise<"changed" | "taken" | "refused"> {
      const storeNowMs = await now();
      try {
        return await db
          .transaction()
          .execute((transaction) => changeEmail(transaction, accountId, change, storeNowMs));
      } catch (error) {
        // Another account took the address at the same moment.
        if (error instanceof UniqueViolation) return "taken";
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
  await lockMailsWithLinks(transaction, accountId);
  if (tokenHash !== undefined && tokenHash !== null) {
    const link = { hash: tokenHash, purpose: "email", nowMs, owner: { accountId, email } } as const;
    if ((await spendToken(transaction, link)) === undefined) return "refused";
    if (!(await mayChangeEmail(transaction, accountId, emailHash, storeNowMs))) return "refused";
  }
  if ((await findRow(transaction, "accounts", { email })) !== undefined) return "taken";
  await preserveUsage(transaction, accountId, oldHash, storeNowMs);
  await updateRows(transaction, "accounts", { id: accountId }, { email });
  await inheritSuspension(transaction, accountId, emailHash, storeNowMs);
  await voidLinks(transaction, accountId);
  return "changed";
}

/** A new address must not end a suspension, or hide the usage of a deleted account with that address this month. */
async function mayChangeEmail(
  transaction: Transaction<Tables>,
  accountId: string,
  emailHash: string,
  storeNowMs: number,
): Promise<boolean> {
  const suspended = await findRow(transaction, "accounts", { id: accountId, suspended: 1 });
  const used = await findRow(
    transaction,
    "departed_months",
    { email_hash: emailHash },
    sql`and month >= ${monthOf(storeNowMs)} and used > 0 limit 1`,
  );
  return suspended === undefined && used === undefined;
}
