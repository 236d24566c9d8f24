import { type Kysely, sql, type Transaction } from "kysely";
import { toObject, toRow } from "../../database/objects.ts";
import { deleteRows, findRow, insertRows, lockRows, takeRows, updateRows } from "../../database/rows.ts";
import type { TokenPurpose } from "../../database/schema/people.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { MAX_AHEAD_MS } from "../../lib/periods.ts";
import type { OneTimeToken } from "../people.ts";

export function tokenQueries(db: Kysely<Tables>) {
  return {
    async addToken(token: OneTimeToken): Promise<void> {
      await insertRows(db, "one_time_tokens", toRow("one_time_tokens", token));
    },

    async token(hash: string, purpose: TokenPurpose, nowMs: number): Promise<OneTimeToken | undefined> {
      const row = await findRow(db, "one_time_tokens", { hash, purpose }, sql`and expires_at_ms > ${nowMs}`);
      return row && toObject("one_time_tokens", row);
    },

    /** Uses a token up. Of parallel calls only one gets it. */
    takeToken: (hash: string, purpose: TokenPurpose, nowMs: number): Promise<OneTimeToken | undefined> =>
      spendToken(db, { hash, purpose, nowMs }),
  };
}

/** The token to spend: still valid, and of that account and address if given. */
interface TokenToSpend {
  readonly hash: string;
  readonly purpose: OneTimeToken["purpose"];
  readonly nowMs: number;
  readonly owner?: { readonly accountId: string; readonly email: string };
}

/** Spends a token, which works once; undefined if it does not exist. */
export async function spendToken(
  db: Kysely<Tables>,
  { hash, purpose, nowMs, owner }: TokenToSpend,
): Promise<OneTimeToken | undefined> {
  const token = {
    hash,
    purpose,
    ...(owner !== undefined && { account_id: owner.accountId, email: owner.email }),
  };
  const [row] = await takeRows(db, "one_time_tokens", token, sql`and expires_at_ms > ${nowMs}`);
  return row && toObject("one_time_tokens", row);
}

/** Waiting mails with links for an existing account. */
const WITH_LINKS = sql`and kind in ('reset', 'email')`;

/**
 * Locks an account's mails with links: they are claimed either before or after this
 * transaction. A claim locks the mail and then needs its token and the account's address: call this before either is
 * changed, or the two deadlock.
 */
export async function lockMailsWithLinks(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await lockRows(transaction, "waiting_mails", { account_id: accountId }, WITH_LINKS);
}

/** Revokes every link of an account, including those waiting to be sent. */
export async function voidLinks(db: Kysely<Tables>, accountId: string): Promise<void> {
  // Mails before tokens: a claimed mail creates a token.
  await deleteRows(db, "waiting_mails", { account_id: accountId }, WITH_LINKS);
  await deleteRows(db, "one_time_tokens", { account_id: accountId });
}

/** Attempts of a subject in its window. */
export function attemptQueries(db: Kysely<Tables>) {
  return {
    /** Counts an attempt of a subject and returns the count in its window, this one included. */
    async countAttempt(
      subject: string,
      nowMs: number,
      windowMs: number,
    ): Promise<{ readonly count: number; readonly endsAtMs: number }> {
      const endsAtMs = nowMs + windowMs;
      // A window that ends later was begun by a clock that was ahead. Not sooner, because concurrent attempts do not
      // arrive in the order of their times, and clocks of nodes differ.
      const latestMs = endsAtMs + MAX_AHEAD_MS;
      const isOver = sql<boolean>`(attempts.ends_at_ms <= ${nowMs} or attempts.ends_at_ms > ${latestMs})`;
      const row = await db
        .insertInto("attempts")
        .values({ subject, tries: 1, ends_at_ms: endsAtMs })
        .onConflict((conflict) =>
          conflict.column("subject").doUpdateSet({
            tries: sql<number>`case when ${isOver} then 1 else attempts.tries + 1 end`,
            ends_at_ms: sql<number>`case when ${isOver} then excluded.ends_at_ms else attempts.ends_at_ms end`,
          }),
        )
        .returning(["tries", "ends_at_ms"])
        .executeTakeFirstOrThrow();
      return { count: row.tries, endsAtMs: row.ends_at_ms };
    },

    async giveBackAttempt(subject: string): Promise<void> {
      await updateRows(db, "attempts", { subject }, { tries: sql`tries - 1` }, sql`and tries > 0`);
    },

    async clearAttempts(subject: string): Promise<void> {
      await deleteRows(db, "attempts", { subject });
    },
  };
}
