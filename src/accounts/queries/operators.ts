import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { IS_OPEN_ACCOUNT, withAccount } from "../../database/accountLock.ts";
import { toObject, toRow } from "../../database/objects.ts";
import { countRows, deleteRows, findRows, insertRows, updateRows, upsertRow } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { type AuditEntry, type AuditPage, MAX_AUDITED } from "../changes.ts";
import type { NoteEdit, OperatorNote, Part, PlanRequest } from "../people.ts";
import { asAccount } from "./accountRows.ts";

/** Notes, sessions and addresses for operators. */
export function operatorQueries(db: Kysely<Tables>) {
  return {
    async note(accountId: string): Promise<OperatorNote | undefined> {
      return db
        .selectFrom("operator_notes")
        .select(["text", "version", "changed_at_ms as changedAtMs", "changed_by as changedBy"])
        .where("account_id", "=", accountId)
        .executeTakeFirst();
    },

    /** Stores the note. An empty text also raises the version. @returns `other` if it was changed in the meantime */
    setNote(accountId: string, change: NoteEdit): Promise<"kept" | "other" | "no-account"> {
      // The lock serialises changes of a note, so that the second sees the first's change.
      return withAccount(db, accountId, "no-account" as const, (transaction) =>
        setNote(transaction, accountId, change),
      );
    },

    /** Ends the sessions of an account, except one if given. @returns the number of ended sessions */
    endSessions(accountId: string, exceptId: string = ""): Promise<number> {
      return deleteRows(db, "sessions", { account_id: accountId }, sql`and id <> ${exceptId}`);
    },

    /** Returns the addresses of the given accounts that exist, unordered. */
    async emailsOf(
      accountIds: readonly string[],
    ): Promise<readonly { readonly id: string; readonly email: string }[]> {
      if (accountIds.length === 0) return [];
      const rows = await findRows(db, "accounts", { id: accountIds }, sql`and ${IS_OPEN_ACCOUNT}`);
      return rows.map(({ id, email }) => ({ id, email }));
    },
  };
}

async function setNote(
  transaction: Transaction<Tables>,
  accountId: string,
  { text, basedOn, nowMs, by }: NoteEdit,
): Promise<"kept" | "other"> {
  const changed = { text, changed_at_ms: nowMs, changed_by: by };
  const note = { account_id: accountId, version: basedOn };
  const isStored =
    basedOn === 0
      ? await upsertRow(transaction, "operator_notes", { ...note, version: 1, ...changed })
      : (await updateRows(transaction, "operator_notes", note, { ...changed, version: basedOn + 1 })) === 1;
  return isStored ? "kept" : "other";
}

/** Changes by operators, stored forever: only ids, never an address. */
export function auditQueries(db: Kysely<Tables>) {
  return {
    async addAudit(entry: AuditEntry): Promise<void> {
      await insertRows(db, "audit_log", toRow("audit_log", entry));
    },

    /** @param part the page, optionally of one account or kind */
    async audit({
      offset,
      limit,
      accountId,
      what,
    }: Partial<Pick<AuditEntry, "accountId" | "what">> & {
      readonly offset: number;
      readonly limit: number;
    }): Promise<AuditPage> {
      const filter = {
        ...(accountId !== undefined && { subject: accountId }),
        ...(what !== undefined && { what }),
      };
      const page = sql`order by at_ms desc, id limit ${limit} offset ${offset}`;
      const rows = await findRows(db, "audit_log", filter, page);
      const total = await countRows(db, "audit_log", filter, sql`limit ${MAX_AUDITED}`);
      return { entries: rows.map((row) => toObject("audit_log", row)), total };
    },
  };
}

/** Requested plans. */
export function planQueries(db: Kysely<Tables>) {
  /** The longest waiting first. */
  const waiting = db
    .selectFrom("plan_requests")
    .innerJoin("accounts", "accounts.id", "plan_requests.account_id")
    .selectAll("accounts")
    .select(["plan_requests.tier as asked_tier", "plan_requests.asked_at"])
    .orderBy("plan_requests.asked_at")
    .orderBy("accounts.id");
  const asRequest = ({ asked_tier, asked_at, ...account }: WaitingRow): PlanRequest => ({
    account: asAccount(account),
    tierName: asked_tier,
    askedAt: asked_at,
  });
  return {
    async askPlan(accountId: string, tierName: string, askedAt: string): Promise<void> {
      const request = { tier: tierName, asked_at: askedAt };
      await upsertRow(db, "plan_requests", { account_id: accountId, ...request }, request);
    },

    async withdrawPlan(accountId: string): Promise<void> {
      await deleteRows(db, "plan_requests", { account_id: accountId });
    },

    /** Returns requests for a plan, the oldest first, optionally of one account. */
    async planRequests(accountId?: string): Promise<readonly PlanRequest[]> {
      const rows = await waiting
        .$if(accountId !== undefined, (query) => query.where("accounts.id", "=", accountId ?? ""))
        .execute();
      return rows.map(asRequest);
    },

    /** Returns a page of requests, and the number on all pages. */
    async planRequestPage({
      offset,
      limit,
    }: Part): Promise<{ readonly requests: readonly PlanRequest[]; readonly total: number }> {
      const rows = await waiting.offset(offset).limit(limit).execute();
      return { requests: rows.map(asRequest), total: await countRows(db, "plan_requests", {}) };
    },
  };
}

type WaitingRow = Selectable<Tables["accounts"]> & { readonly asked_tier: string; readonly asked_at: string };

export type AuditQueries = ReturnType<typeof auditQueries>;
