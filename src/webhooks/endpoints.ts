/** The webhooks of monitors. */
import { type Kysely, type SqlBool, sql, type Transaction } from "kysely";
import { MONITOR_BOUNDS } from "../contract/monitors.ts";
import { countRows, deleteRows, findRow, listOf, updateRows, upsertRow } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { changeSome, ROWS_PER_STEP } from "../database/sweeping.ts";
import { EVENT_MESSAGE_LIFE_MS, MESSAGE_LIFE_MS } from "./message.ts";

/**
 * Adds or enables a webhook of an account, which the caller has locked.
 * @param changedIds the monitors that will use it instead of their current one
 */
export async function enableWebhook(
  transaction: Transaction<Tables>,
  accountId: string,
  url: string | null | undefined,
  changedIds: readonly string[],
  nowMs: number,
): Promise<"webhooks" | "no-secret" | undefined> {
  if (url === undefined || url === null) return undefined;
  const secret = await findRow(transaction, "webhook_secrets", { account_id: accountId, ends_at_ms: null });
  if (secret === undefined) return "no-secret";
  await forgetUnused(transaction, accountId, nowMs);
  const isOther = sql`and url <> ${url} and ${isUsed(changedIds)}`;
  const others = await countRows(transaction, "webhook_endpoints", { account_id: accountId }, isOther);
  if (others >= MONITOR_BOUNDS.maxWebhooks) return "webhooks";
  const enabled = { disabled_at_ms: null, is_reported: 0 };
  await upsertRow(transaction, "webhook_endpoints", { account_id: accountId, url, ...enabled }, enabled);
  return undefined;
}

/** Whether another monitor than these uses a webhook. */
function isUsed(exceptIds: readonly string[]) {
  const isOther = exceptIds.length === 0 ? sql`` : sql`and monitors.id not in ${listOf(exceptIds)}`;
  return sql<SqlBool>`exists (select 1 from monitors where monitors.account_id = webhook_endpoints.account_id
    and monitors.webhook = webhook_endpoints.url ${isOther})`;
}

const EVENT_ID_START = "evt_";

type Message = Pick<Tables["webhook_messages"], "id" | "account_id" | "url" | "drop_at_ms">;

const endpointOf = ({ account_id, url }: Message) => ({ account_id, url });

/** Deletes addresses of an account that no monitor uses and that have had no failure within the life of a message. */
async function forgetUnused(db: Kysely<Tables>, accountId: string, nowMs: number): Promise<void> {
  const isOld = sql`and coalesce(failed_at_ms, 0) <= ${nowMs - EVENT_MESSAGE_LIFE_MS} and not ${isUsed([])}`;
  await deleteRows(db, "webhook_endpoints", { account_id: accountId }, isOld);
}

/** Records that an address accepted a message. */
export async function noteDelivery(db: Kysely<Tables>, message: Message, nowMs: number): Promise<void> {
  const isReported = sql`case when disabled_at_ms is null then 0 else is_reported end`;
  const delivered = { delivered_at_ms: nowMs, failures: 0, is_reported: isReported };
  await updateRows(db, "webhook_endpoints", endpointOf(message), delivered);
}

/** Records that an address refused a message, or did not answer. */
export async function noteFailure(
  db: Kysely<Tables>,
  message: Message,
  failure: string,
  nowMs: number,
  pausedUntilMs: number | undefined,
): Promise<void> {
  await forgetUnused(db, message.account_id, nowMs);
  const paused = pausedUntilMs === undefined ? {} : { paused_until_ms: pausedUntilMs };
  const failed = { failed_at_ms: nowMs, failure, ...paused };
  const again = { ...failed, failures: sql`webhook_endpoints.failures + 1` };
  await upsertRow(db, "webhook_endpoints", { ...endpointOf(message), ...failed, failures: 1 }, again);
}

/** Disables the address of a message. @returns false if it was disabled already */
export async function disable(
  transaction: Transaction<Tables>,
  message: Message,
  nowMs: number,
  isDue = sql``,
): Promise<boolean> {
  const disabled = { disabled_at_ms: nowMs, paused_until_ms: 0, failures: 0 };
  const isEnabled = sql`and disabled_at_ms is null ${isDue}`;
  return (await updateRows(transaction, "webhook_endpoints", endpointOf(message), disabled, isEnabled)) > 0;
}

/**
 * Disables a webhook that accepted nothing since the dropped message about an event was queued.
 * @returns whether it did
 */
export async function disableUnresponsive(
  transaction: Transaction<Tables>,
  dropped: Message,
  nowMs: number,
): Promise<boolean> {
  if (!isOfEvent(dropped.id)) return false;
  const queuedAtMs = dropped.drop_at_ms - EVENT_MESSAGE_LIFE_MS;
  const isSilent = sql`and (delivered_at_ms is null or delivered_at_ms < ${queuedAtMs})`;
  return disable(transaction, dropped, nowMs, isSilent);
}

/**
 * Sends the waiting messages of monitors to their new webhook at once, with a new claim and lifetime. Without a new
 * webhook it drops them.
 */
export async function redirectMessages(
  transaction: Transaction<Tables>,
  monitorIds: readonly string[],
  url: string | null | undefined,
  nowMs: number,
): Promise<void> {
  if (url === undefined) return;
  const waiting = { monitor_id: monitorIds };
  if (url === null) await deleteRows(transaction, "webhook_messages", waiting);
  else {
    const life = { due_at_ms: nowMs, drop_at_ms: nowMs + EVENT_MESSAGE_LIFE_MS, failures: 0 };
    const moved = { ...life, url, claims: sql`claims + 1` };
    await updateRows(transaction, "webhook_messages", waiting, moved, sql`and url <> ${url}`);
  }
}

/** Drops the messages to an address, or some of them. Does not wait for a message that another process is ending. */
export async function dropMessages(
  db: Kysely<Tables>,
  { account_id, url }: Pick<Message, "account_id" | "url">,
  which = sql``,
): Promise<void> {
  const isDue = sql<SqlBool>`account_id = ${account_id} and url = ${url} ${which}`;
  while ((await changeSome(db, { table: "webhook_messages", isDue }, ROWS_PER_STEP)) === ROWS_PER_STEP);
}

/** A message about an event has the id of the event; a message about a list has an id of its own. */
function isOfEvent(messageId: string): boolean {
  return messageId.startsWith(EVENT_ID_START);
}

/** How long the delivery of a message is retried. */
export function lifetimeOf(messageId: string): number {
  return isOfEvent(messageId) ? EVENT_MESSAGE_LIFE_MS : MESSAGE_LIFE_MS;
}
