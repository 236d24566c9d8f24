/** Pausing, resuming and ending lists. */

import { type Selectable, sql, type Transaction } from "kysely";
import { priceOfItem } from "../../contract/jobs.ts";
import { toObject } from "../../database/objects.ts";
import { changeRows, deleteRows, insertRows, lockRows, updateRows } from "../../database/rows.ts";
import { isOpenJob } from "../../database/schema/jobs.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { MESSAGE_LIFE_MS } from "../../webhooks/message.ts";
import { messageOf } from "../listMessage.ts";
import type { ListChange, StoredList } from "../stored.ts";

type ListRow = Selectable<Tables["jobs"]>;

interface Changing {
  readonly accountId: string;
  readonly listId: string;
  readonly change: ListChange;
  readonly nowMs: number;
}

export async function changeList(
  transaction: Transaction<Tables>,
  { accountId, listId, change, nowMs }: Changing,
): Promise<StoredList | "ended" | "cap" | undefined> {
  // Locked, so that no worker processes it meanwhile.
  const own = { id: listId, account_id: accountId };
  const [row] = await lockRows(transaction, "jobs", own, sql`and status <> 'receiving'`);
  if (row === undefined) return undefined;
  if (change.kind === "cancel") return cancel(transaction, row, nowMs);
  if (!isOpenJob(row.status)) return "ended";
  if (change.kind === "pause") {
    return write(transaction, row, { status: "paused", reason: "caller", due_at_ms: null });
  }
  const maxTokens = change.maxTokens ?? row.max_tokens;
  const isBelowCap = maxTokens === null || maxTokens - row.charged >= priceOfItem(row.kind);
  if (row.reason === "cap" && !isBelowCap) return "cap";
  // It may be resumed with another key, because the original one may have ended.
  const cap = { max_tokens: maxTokens, key_id: keyOf(row, change) };
  if (row.status !== "paused") return write(transaction, row, cap);
  const status = row.started_at_ms === null ? ("queued" as const) : ("running" as const);
  return write(transaction, row, { ...cap, status, reason: null, due_at_ms: nowMs });
}

/** A list of a test key can only be resumed with a test key, and other lists only with other keys. */
function keyOf(row: ListRow, { keyId, isTest }: Extract<ListChange, { kind: "resume" }>): string {
  return (row.is_test === 1) === (isTest === true) ? keyId : row.key_id;
}

async function write(
  transaction: Transaction<Tables>,
  row: ListRow,
  changes: Partial<Pick<ListRow, "status" | "reason" | "due_at_ms" | "max_tokens" | "key_id">>,
): Promise<StoredList> {
  await updateRows(transaction, "jobs", { id: row.id }, changes);
  return asList({ ...row, ...changes });
}

/** Cancels a list, or discards the results of an ended one: they are no longer returned, and deleted in steps. */
async function cancel(transaction: Transaction<Tables>, row: ListRow, nowMs: number): Promise<StoredList> {
  if (isOpenJob(row.status)) await endList(transaction, row, "cancelled", nowMs);
  else await updateRows(transaction, "jobs", { id: row.id }, { status: "cancelled" });
  const ended = row.ended_at_ms ?? nowMs;
  return asList({ ...row, status: "cancelled", reason: null, ended_at_ms: ended });
}

/** Ends a list: its numbers are deleted, and its webhook is notified. @returns false if another caller ended it */
export async function endList(
  transaction: Transaction<Tables>,
  row: ListRow,
  status: "completed" | "cancelled" | "expired",
  nowMs: number,
): Promise<boolean> {
  const open = { id: row.id, claim: row.claim, ended_at_ms: null };
  const end = { status, reason: null, ended_at_ms: nowMs, due_at_ms: null, lease_until_ms: 0 };
  const [ended] = await changeRows(transaction, "jobs", open, end);
  if (ended === undefined) return false;
  await deleteRows(transaction, "job_blocks", { job_id: row.id });
  if (ended.webhook === null) return true;
  const { id, payload } = messageOf(asList(ended), nowMs);
  await insertRows(transaction, "webhook_messages", {
    ...{ id, account_id: ended.account_id, url: ended.webhook, payload },
    ...{ due_at_ms: nowMs, drop_at_ms: nowMs + MESSAGE_LIFE_MS, failures: 0, claims: 0 },
  });
  return true;
}

export function asList(row: Selectable<Tables["jobs"]>): StoredList {
  const list = toObject("jobs", row, "lease_until_ms", "due_at_ms", "served_at_ms");
  return { ...list, status: list.status === "receiving" ? "queued" : list.status };
}
