import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { IS_OPEN_ACCOUNT } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { claimRow, isFree } from "../../database/leases.ts";
import { toRow } from "../../database/objects.ts";
import {
  deleteRows,
  findRow,
  findRows,
  insertRows,
  MAX_CANDIDATES,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import {
  type ClaimedMail,
  type MailBounds,
  type MailClaim,
  type MailOrder,
  mailLifeMs,
  type OnceOrder,
} from "../mail/mails.ts";
import { DIGEST_EVERY_MS } from "./monitorNotices.ts";

/** A mail whose sender never reported the outcome is sent again, once. */
const MAX_OPEN_CLAIMS = 2;

export function mailQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /** @returns false if too many mails are waiting, in total or for this address */
    async addMail(
      mail: MailOrder & { readonly id: string },
      emailHash: string,
      bounds: MailBounds,
    ): Promise<boolean> {
      return insertMail(db, rowOf(mail, emailHash, await now()), bounds);
    },

    /** Adds a mail once. @returns `repeated` if it was added before, `full` if too many are waiting */
    async addOnce(
      mail: OnceOrder & { readonly id: string },
      emailHash: string,
      bounds: MailBounds,
    ): Promise<"added" | "repeated" | "full"> {
      const nowMs = await now();
      try {
        return await db.transaction().execute(async (transaction) => {
          // Of concurrent callers the first notes the mail; the others wait for it and find it noted.
          if (!(await noteOnce(transaction, mail, nowMs))) return "repeated";
          if (!(await insertMail(transaction, rowOf(mail, emailHash, nowMs), bounds)))
            throw new TooManyMails();
          return "added";
        });
      } catch (error) {
        if (error instanceof TooManyMails) return "full";
        throw error;
      }
    },

    /**
     * Claims a due mail. The link of an earlier attempt becomes void and the new one works.
     * @returns undefined if none is due
     */
    async claimMail(claim: MailClaim): Promise<ClaimedMail | undefined> {
      const nowMs = await now();
      const first = sql`and ${isFree("waiting_mails", nowMs)} order by due_at_ms limit ${MAX_CANDIDATES}`;
      // Checked every second by every process, so without a lock.
      for (const { id } of await findRows(db, "waiting_mails", {}, first)) {
        const claimed = await db
          .transaction()
          .execute((transaction) => claimOne(transaction, id, nowMs, claim));
        if (claimed !== undefined) return claimed;
      }
      return undefined;
    },

    /** Removes a mail that was sent or cannot be sent. Does nothing if it was claimed again since. */
    async endMail(id: string, claim: number): Promise<void> {
      await deleteRows(db, "waiting_mails", { id, claims: claim });
    },

    /** Postpones a mail that the mail server rejected. */
    async deferMail(id: string, claim: number, pauseMs: number): Promise<void> {
      const dueAtMs = (await now()) + pauseMs;
      const deferred = { due_at_ms: dueAtMs, failures: sql`failures + 1`, open_claims: 0 };
      await updateRows(db, "waiting_mails", { id, claims: claim }, deferred);
    },

    /** Returns the number of waiting mails. */
    async waitingMails(): Promise<number> {
      const { count } = await db
        .selectFrom("waiting_mails")
        .select((select) => select.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** Rolls back the note of a mail that cannot be stored. */
class TooManyMails extends Error {}

/** Notes that a mail is stored. @returns false if it was before, or is not due */
async function noteOnce(transaction: Transaction<Tables>, mail: OnceOrder, nowMs: number): Promise<boolean> {
  const own = { account_id: mail.accountId };
  if ("month" in mail) {
    const { month, tokens, kind } = mail;
    const notice = { ...own, month, tokens, percent: kind === "allowance-80" ? 80 : 100 };
    return upsertRow(transaction, "allowance_notices", notice);
  }
  if (mail.kind === "webhook-disabled") {
    const isDisabled = sql`and is_reported = 0 and disabled_at_ms is not null`;
    return (await updateRows(transaction, "webhook_endpoints", own, { is_reported: 1 }, isDisabled)) > 0;
  }
  const ownMonitors = { ...own, is_test: 0 };
  if (mail.kind === "changes-wait") {
    const waiting = { ...ownMonitors, waits: 1 };
    return (await updateRows(transaction, "monitor_accounts", waiting, { waits: 2 })) > 0;
  }
  const sent = { digest_sent_at_ms: nowMs, digest_through: sql`last_sequence` };
  const isDue = sql`and has_digest = 1 and digest_sent_at_ms <= ${nowMs - DIGEST_EVERY_MS}`;
  return (await updateRows(transaction, "monitor_accounts", ownMonitors, sent, isDue)) > 0;
}

/** False if too many mails are waiting, in total or for its address. */
async function insertMail(
  db: Kysely<Tables>,
  row: ReturnType<typeof rowOf>,
  { maxWaiting, maxToOneAddress }: MailBounds,
): Promise<boolean> {
  const added = await sql<{ id: string }>`
    insert into waiting_mails (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    select ${sql.join(Object.values(row))}
    where (select count(*) from (select 1 from waiting_mails limit ${maxWaiting}) as waiting) < ${maxWaiting}
      and (select count(*) from waiting_mails where email_hash = ${row.email_hash}) < ${maxToOneAddress}
    returning id`.execute(db);
  return added.rows.length === 1;
}

/** The row of a waiting mail. Its `tokens` are the events of a digest. */
function rowOf(order: Parameters<MailQueries["addMail"]>[0], emailHash: string, nowMs: number) {
  return toRow("waiting_mails", {
    ...order,
    ...("events" in order && { tokens: order.events }),
    emailHash,
    askedAtMs: nowMs,
    dueAtMs: nowMs,
    dropAtMs: nowMs + mailLifeMs(order.kind),
    failures: 0,
    claims: 0,
    openClaims: 0,
  });
}

async function claimOne(
  transaction: Transaction<Tables>,
  id: string,
  nowMs: number,
  { leaseMs, tokenHash }: MailClaim,
): Promise<ClaimedMail | undefined> {
  const opened = { open_claims: sql`open_claims + 1` };
  const mail = await claimRow(transaction, "waiting_mails", { id }, { nowMs, leaseMs }, opened);
  if (mail === undefined) return undefined;
  const drop = async (why: "no-account" | "old" | "died"): Promise<ClaimedMail> => {
    await deleteRows(transaction, "waiting_mails", { id });
    return { outcome: "dropped", why };
  };
  const recipient = await recipientOf(transaction, mail);
  if (recipient === undefined) return drop("no-account");
  if (mail.drop_at_ms <= nowMs) return drop("old");
  if (mail.open_claims > MAX_OPEN_CLAIMS) return drop("died");
  if (mail.kind === "confirm" || mail.kind === "reset" || mail.kind === "email")
    await renewLink(transaction, mail, tokenHash, nowMs);
  return {
    outcome: "send",
    id,
    claim: mail.claims,
    failures: mail.failures,
    kind: mail.kind,
    to: recipient,
    language: mail.language,
    ...(mail.month !== null &&
      mail.tokens !== null && { allowance: { month: mail.month, tokens: mail.tokens } }),
    ...(mail.kind === "monitor-digest" && { events: mail.tokens ?? 0 }),
  };
}

type MailRow = Selectable<Tables["waiting_mails"]>;

async function recipientOf(transaction: Transaction<Tables>, mail: MailRow): Promise<string | undefined> {
  if (mail.account_id === null && mail.email !== null) return mail.email;
  const account = await findRow(
    transaction,
    "accounts",
    { id: mail.account_id ?? "" },
    sql`and ${IS_OPEN_ACCOUNT}`,
  );
  return account && (mail.email ?? account.email);
}

/** Revokes the link of an earlier attempt and activates the new one. */
async function renewLink(
  transaction: Transaction<Tables>,
  mail: MailRow,
  tokenHash: string,
  nowMs: number,
): Promise<void> {
  if (mail.token_hash !== null) await deleteRows(transaction, "one_time_tokens", { hash: mail.token_hash });
  await insertRows(transaction, "one_time_tokens", {
    hash: tokenHash,
    purpose: mail.kind === "reset" || mail.kind === "email" ? mail.kind : "confirm",
    expires_at_ms: nowMs + mailLifeMs(mail.kind),
    account_id: mail.account_id,
    email: mail.email,
    tier: mail.tier,
    password_hash: mail.password_hash,
    invite_hash: mail.invite_hash,
    language: mail.kind === "confirm" ? mail.language : null,
  });
  await updateRows(transaction, "waiting_mails", { id: mail.id }, { token_hash: tokenHash });
}

export type MailQueries = ReturnType<typeof mailQueries>;
