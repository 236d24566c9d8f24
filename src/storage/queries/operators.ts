import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { type AuditEntry, type AuditStore, MAX_AUDITED } from "../../accounts/changes.ts";
import type { NoteEdit, PeopleStore, PlanRequest } from "../../accounts/peopleStore.ts";
import { IS_OPEN_ACCOUNT, withAccount } from "../accountLock.ts";
import { countRows, deleteRows, findRows, insertRows, updateRows, upsertRow } from "../rows.ts";
import type { Tables } from "../schema/tables.ts";
import { asAccount } from "./accountRows.ts";

/** Notes, sessions and addresses for operators. */
export function operatorQueries(
  db: Kysely<Tables>,
): Pick<PeopleStore, "note" | "setNote" | "endSessions" | "emailsOf"> {
  return {
    async note(accountId) {
      return db
        .selectFrom("operator_notes")
        .select(["text", "version", "changed_at_ms as changedAtMs", "changed_by as changedBy"])
        .where("account_id", "=", accountId)
        .executeTakeFirst();
    },

    setNote(accountId, change) {
      // The lock serialises changes of a note, so that the second sees the first's change.
      return withAccount(db, accountId, "no-account" as const, (transaction) =>
        setNote(transaction, accountId, change),
      );
    },

    endSessions(accountId, exceptId = "") {
      return deleteRows(db, "sessions", { account_id: accountId }, sql`and id <> ${exceptId}`);
    },

    async emailsOf(accountIds) {
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
export function auditQueries(db: Kysely<Tables>): AuditStore {
  return {
    async addAudit({ id, atMs, by, what, accountId = null, keyId = null, from = null, to = null }) {
      await insertRows(db, "audit_log", {
        ...{ id, at_ms: atMs, changed_by: by, what, subject: accountId, key_id: keyId },
        ...{ before: from, after: to },
      });
    },

    async audit({ offset, limit, accountId, what }) {
      const filter = {
        ...(accountId !== undefined && { subject: accountId }),
        ...(what !== undefined && { what }),
      };
      const page = sql`order by at_ms desc, id limit ${limit} offset ${offset}`;
      const rows = await findRows(db, "audit_log", filter, page);
      const total = await countRows(db, "audit_log", filter, sql`limit ${MAX_AUDITED}`);
      return { entries: rows.map(asEntry), total };
    },
  };
}

function asEntry(row: Selectable<Tables["audit_log"]>): AuditEntry {
  return {
    id: row.id,
    atMs: row.at_ms,
    by: row.changed_by,
    what: row.what,
    ...(row.subject !== null && { accountId: row.subject }),
    ...(row.key_id !== null && { keyId: row.key_id }),
    ...(row.before !== null && { from: row.before }),
    ...(row.after !== null && { to: row.after }),
  };
}

type PlanQueries = Pick<PeopleStore, "askPlan" | "withdrawPlan" | "planRequests" | "planRequestPage">;

/** Requested plans. */
export function planQueries(db: Kysely<Tables>): PlanQueries {
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
    async askPlan(accountId, tierName, askedAt) {
      const request = { tier: tierName, asked_at: askedAt };
      await upsertRow(db, "plan_requests", { account_id: accountId, ...request }, request);
    },

    async withdrawPlan(accountId) {
      await deleteRows(db, "plan_requests", { account_id: accountId });
    },

    async planRequests(accountId) {
      const rows = await waiting
        .$if(accountId !== undefined, (query) => query.where("accounts.id", "=", accountId ?? ""))
        .execute();
      return rows.map(asRequest);
    },

    async planRequestPage({ offset, limit }) {
      const rows = await waiting.offset(offset).limit(limit).execute();
      return { requests: rows.map(asRequest), total: await countRows(db, "plan_requests", {}) };
    },
  };
}

type WaitingRow = Selectable<Tables["accounts"]> & { readonly asked_tier: string; readonly asked_at: string };
