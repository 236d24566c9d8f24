/**
 * Removing data of companies that are shielded or suppressed, or of removed cases, from monitors, events and messages.
 */
import { sql, type Transaction } from "kysely";
import type { Changes, ChangeType } from "../../contract/eventTypes.ts";
import type { Metadata } from "../../contract/monitors.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { deleteRows, findRows, takeRows, updateRows } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { isSameName } from "../../search/spellings.ts";
import { newEventId } from "../changeEvent.ts";
import type { WatchedFields } from "../types.ts";
import { addPending } from "./pending.ts";

const HIDDEN_PARTS: readonly string[] = ["street", "houseNumber", "postalCode", "geo"];

/** Removes the hidden parts of an address that is shielded since. */
export async function hideAddresses(transaction: Transaction<Tables>, kvkNumber: KvkNumber): Promise<void> {
  const own = { kvk_number: kvkNumber };
  for (const row of await findRows(transaction, "monitor_baselines", own)) {
    const fields = withoutHidden(JSON.parse(row.fields));
    const { origin } = row;
    await updateRows(
      transaction,
      "monitor_baselines",
      { ...own, origin },
      { fields: JSON.stringify(fields) },
    );
  }
  await rewriteChanges(transaction, kvkNumber, "company.moved", shownChanges);
}

/** Changes what recorded events of a type about a company, pending ones and undelivered messages show. */
export async function rewriteChanges(
  transaction: Transaction<Tables>,
  kvkNumber: KvkNumber,
  type: ChangeType,
  rewrite: (changes: Changes) => Changes,
): Promise<void> {
  // In this order: an event that is delivered in between is found in the second table.
  for (const table of ["pending_changes", "events"] as const) {
    for (const { id, changes } of await findRows(transaction, table, { kvk_number: kvkNumber, type })) {
      const shown = JSON.stringify(rewrite(JSON.parse(changes) as Changes));
      if (shown !== changes) await updateRows(transaction, table, { id }, { changes: shown });
    }
  }
  for (const { id, payload } of await messagesOf(transaction, kvkNumber)) {
    const message = JSON.parse(payload) as { readonly data: { readonly changes: Changes } };
    const { data } = message;
    const shown = { ...message, data: { ...data, changes: rewrite(data.changes) } };
    await updateRows(transaction, "webhook_messages", { id }, { payload: JSON.stringify(shown) });
  }
}

function shownChanges(changes: Changes): Changes {
  const { address, ...others } = changes;
  if (address === undefined) return changes;
  const shown = Object.entries(address).map(([when, value]) => [when, withoutParts(value)]);
  return { ...others, address: Object.fromEntries(shown) };
}

function withoutHidden(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null || !("address" in fields)) return fields;
  return { ...fields, address: withoutParts(fields.address) };
}

function withoutParts(address: unknown): unknown {
  if (typeof address !== "object" || address === null) return address;
  return Object.fromEntries(Object.entries(address).filter(([part]) => !HIDDEN_PARTS.includes(part)));
}

/** Undelivered messages about events of a company: each has the id of its event. */
async function messagesOf(transaction: Transaction<Tables>, kvkNumber: KvkNumber) {
  const { rows } = await sql<Pick<Tables["webhook_messages"], "id" | "payload">>`
    select id, payload from webhook_messages
    where id in (select id from events where kvk_number = ${kvkNumber})`.execute(transaction);
  return rows;
}

/** The names of a company, including former ones. */
function namesIn(baselines: readonly Tables["monitor_baselines"][]): readonly string[] {
  return baselines.flatMap(({ fields }) => {
    const {
      name = [],
      statutoryName = [],
      tradingNames = [],
      formerNames = [],
    } = JSON.parse(fields) as WatchedFields;
    return [name, statutoryName, tradingNames, formerNames].flat();
  });
}

/** Removes the names of a company from the metadata of a caller, who may have copied one from a search. */
function withoutNames(metadata: string, names: readonly string[]): string {
  const isName = (text: string) => names.some((name) => isSameName(text, name));
  const entries = Object.entries(JSON.parse(metadata) as Metadata);
  return JSON.stringify(Object.fromEntries(entries.filter(([, text]) => !isName(text))));
}

/**
 * Deletes the baselines, changes, events and messages of a company that is now suppressed, and ends its monitors. The
 * caller has locked the suppression list.
 */
export async function endMonitors(
  transaction: Transaction<Tables>,
  kvkNumber: KvkNumber,
  nowMs: number,
): Promise<void> {
  const own = { kvk_number: kvkNumber };
  const names = namesIn(await takeRows(transaction, "monitor_baselines", own));
  await deleteRows(transaction, "insolvencies", own);
  await deleteRows(transaction, "shown_companies", own);
  // The report that a monitor has ended contains no data of the company.
  const isOfCompany = sql`and type <> 'monitor.ended'`;
  await deleteRows(transaction, "pending_changes", own, isOfCompany);
  const messages = await messagesOf(transaction, kvkNumber);
  const ended = await findRows(transaction, "events", { ...own, type: "monitor.ended" });
  const keptIds = new Set(ended.map(({ id }) => id));
  const droppedIds = messages.map(({ id }) => id).filter((id) => !keptIds.has(id));
  if (droppedIds.length > 0) await deleteRows(transaction, "webhook_messages", { id: droppedIds });
  await deleteRows(transaction, "webhook_messages", { test_of: kvkNumber });
  await deleteRows(transaction, "events", own, isOfCompany);
  const { rows: monitors } = await sql<Tables["monitors"]>`
    delete from monitors where kvk_number = ${kvkNumber} returning *`.execute(transaction);
  // Paused monitors may take their places.
  const accounts = [...new Set(monitors.map(({ account_id }) => account_id))].sort();
  for (const account_id of accounts) {
    await updateRows(transaction, "monitor_accounts", { account_id }, { aligned_limit: null });
  }
  await addPending(
    transaction,
    nowMs,
    monitors.map(({ account_id, is_test, key_id, kvk_number, metadata, webhook }) => ({
      ...{ id: newEventId(), account_id, is_test, key_id, kvk_number, webhook },
      metadata: metadata === null ? null : withoutNames(metadata, names),
      ...{ type: "monitor.ended" as const, changes: "{}", price: 0 },
    })),
  );
}
