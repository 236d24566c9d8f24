import { type Kysely, sql, type Transaction } from "kysely";
import type { EmailChange, PeopleStore } from "../../accounts/peopleStore.ts";
import { monthOf } from "../../lib/periods.ts";
import { lockAccount } from "../accountLock.ts";
import type { StoreClock } from "../clock.ts";
import { findRow, updateRows } from "../rows.ts";
import type { Tables } from "../schema/tables.ts";
import { UniqueViolation } from "../stateErrors.ts";
import { inheritSuspension } from "./accountRows.ts";
import { preserveUsage } from "./departed.ts";
import { lockMailsWithLinks, spendToken, voidLinks } from "./tokens.ts";

/** Changes of addresses. @param now the store's clock */
export function emailQueries(db: Kysely<Tables>, now: StoreClock): Pick<PeopleStore, "changeEmail"> {
  return {
    async changeEmail(accountId, change) {
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
