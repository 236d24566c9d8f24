/** Adding, changing and removing monitors. */

import { type Kysely, sql, type Transaction } from "kysely";
import type { Changes } from "../../contract/eventTypes.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { withAccount } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { retryCollisions } from "../../database/collisions.ts";
import { toRow } from "../../database/objects.ts";
import {
  countRows,
  deleteRows,
  findRow,
  findRows,
  insertRows,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { shareSuppressions, suppressedAmong } from "../../database/suppressions.ts";
import { enableWebhook, redirectMessages } from "../../webhooks/endpoints.ts";
import { firstFacts } from "../firstFacts.ts";
import type { AddedMonitor, MonitorFields, MonitorOwner, MonitorPage, StoredMonitor } from "../stored.ts";
import type { Baseline } from "../types.ts";
import { asMonitor, ledgerOf, monitorsIn, withBaselines } from "./monitorRows.ts";
import { addPending, pendingOf, reservePlaces, type WatchingMonitor } from "./pending.ts";

export function ownMonitorQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /**
     * Adds monitors, or updates the given fields of those that exist, in the order of the numbers. The baselines of
     * their companies must be stored before or with them: `baselines` are stored where the origin has none for the
     * company.
     * @param ids new ids, one for each number
     * @param limit the number of monitors that the account may have
     * @returns `webhooks` if the account would have more than {@link MONITOR_BOUNDS.maxWebhooks} URLs, `no-secret` if
     * it has a webhook but no secret to sign with
     */
    async addMonitors(
      owner: MonitorOwner,
      numbers: readonly KvkNumber[],
      ids: readonly string[],
      fields: MonitorFields,
      baselines: readonly Baseline[],
      limit: number,
    ): Promise<readonly AddedMonitor[] | "webhooks" | "no-secret"> {
      const nowMs = await now();
      const none = numbers.map(() => "limit" as const);
      if (numbers.length === 0) return [];
      const adding = { owner, numbers, ids, fields, baselines, limit, nowMs };
      return retryCollisions(() =>
        withAccount(db, owner.accountId, none, async (transaction) => {
          await shareSuppressions(transaction);
          return addMonitors(transaction, adding);
        }),
      );
    },

    /** The number of monitors that the account has. */
    countMonitors: (owner: Omit<MonitorOwner, "keyId">): Promise<number> =>
      countRows(db, "monitors", ledgerOf(owner)),

    /** @param after that of the previous page; empty for the first */
    async monitors(owner: Omit<MonitorOwner, "keyId">, after: string, limit: number): Promise<MonitorPage> {
      const { account_id, is_test } = ledgerOf(owner);
      const { createdAtMs, id } = placeOf(after);
      const rows = await monitorsIn(db)
        .where("monitors.account_id", "=", account_id)
        .where("monitors.is_test", "=", is_test)
        .where(sql<boolean>`(monitors.created_at_ms, monitors.id) > (${createdAtMs}, ${id})`)
        .orderBy("monitors.created_at_ms")
        .orderBy("monitors.id")
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return {
        monitors: page.map(asMonitor),
        ...(last !== undefined && { after: `${last.created_at_ms}.${last.id}` }),
      };
    },

    monitor: (owner: Omit<MonitorOwner, "keyId">, id: string): Promise<StoredMonitor | undefined> =>
      findMonitor(db, owner, id),

    /** Changes the given fields; setting a webhook also enables a disabled one. */
    async changeMonitor(
      owner: MonitorOwner,
      id: string,
      fields: MonitorFields,
    ): Promise<StoredMonitor | "webhooks" | "no-secret" | undefined> {
      const { accountId, keyId } = owner;
      const nowMs = await now();
      const change = () =>
        withAccount(db, accountId, undefined, async (transaction) => {
          const before = await findRow(transaction, "monitors", { id, ...ledgerOf(owner) });
          if (before === undefined) return undefined;
          const refusal = await enableWebhook(transaction, accountId, fields.webhook, [id], nowMs);
          if (refusal !== undefined) return refusal;
          await updateRows(transaction, "monitors", { id }, { ...columnsOf(fields), key_id: keyId });
          await redirectMessages(transaction, [id], fields.webhook, nowMs);
          return findMonitor(transaction, owner, id);
        });
      return retryCollisions(change);
    },

    /** Deletes a monitor with its pending changes, but not its events. @returns false if there is none */
    async removeMonitor(owner: Omit<MonitorOwner, "keyId">, id: string): Promise<boolean> {
      const ledger = ledgerOf(owner);
      const remove = () =>
        withAccount(db, owner.accountId, false, async (transaction) => {
          if ((await deleteRows(transaction, "monitors", { id, ...ledger })) === 0) return false;
          await redirectMessages(transaction, [id], null, 0);
          // A paused one may take its place.
          const paused = await findRow(transaction, "monitors", { ...ledger, over_limit: 1 }, sql`limit 1`);
          if (paused !== undefined)
            await updateRows(transaction, "monitor_accounts", ledger, { aligned_limit: null });
          return true;
        });
      return retryCollisions(remove);
    },
  };
}

async function findMonitor(db: Kysely<Tables>, owner: Omit<MonitorOwner, "keyId">, id: string) {
  const { account_id, is_test } = ledgerOf(owner);
  const row = await monitorsIn(db)
    .where("monitors.id", "=", id)
    .where("monitors.account_id", "=", account_id)
    .where("monitors.is_test", "=", is_test)
    .executeTakeFirst();
  return row && asMonitor(row);
}

/** A page ends with the creation and the id of a monitor: it can be continued even if that monitor was removed. */
function placeOf(after: string): { readonly createdAtMs: number; readonly id: string } {
  const [createdAtMs = "", id = ""] = after.split(".");
  return { createdAtMs: /^\d{1,15}$/.test(createdAtMs) ? Number(createdAtMs) : -1, id };
}

/** The columns to set: `undefined` leaves a field, `null` removes it. */
function columnsOf({ events, metadata, webhook }: MonitorFields) {
  return {
    ...(events !== undefined && { events: events && JSON.stringify(events) }),
    ...(metadata !== undefined && { metadata: metadata && JSON.stringify(metadata) }),
    ...(webhook !== undefined && { webhook }),
  };
}

interface Adding {
  readonly owner: MonitorOwner;
  readonly numbers: readonly KvkNumber[];
  readonly ids: readonly string[];
  readonly fields: MonitorFields;
  readonly baselines: readonly Baseline[];
  readonly limit: number;
  readonly nowMs: number;
}

/** Adds and updates monitors of an account, which the caller has locked. */
async function addMonitors(
  transaction: Transaction<Tables>,
  { owner, numbers, ids, fields, baselines, limit, nowMs }: Adding,
): Promise<readonly AddedMonitor[] | "webhooks" | "no-secret"> {
  const ledger = ledgerOf(owner);
  const suppressed = await suppressedAmong(transaction, numbers);
  const earlier = await findRows(transaction, "monitors", { ...ledger, kvk_number: numbers });
  const earlierIds = earlier.map(({ id }) => id);
  const refusal = await enableWebhook(transaction, owner.accountId, fields.webhook, earlierIds, nowMs);
  if (refusal !== undefined) return refusal;
  await upsertRow(transaction, "monitor_accounts", { ...ledger, digest_sent_at_ms: nowMs });
  const columns = columnsOf(fields);
  if (earlierIds.length > 0) {
    await updateRows(transaction, "monitors", { id: earlierIds }, { ...columns, key_id: owner.keyId });
    await redirectMessages(transaction, earlierIds, fields.webhook, nowMs);
  }

  const places = limit - (await countRows(transaction, "monitors", ledger));
  const present = new Set(earlier.map(({ kvk_number }) => kvk_number));
  const candidates = new Map(numbers.map((kvkNumber, nth) => [kvkNumber, ids[nth] ?? ""]));
  const added = [...candidates]
    .filter(([kvkNumber]) => !present.has(kvkNumber) && !suppressed.has(kvkNumber))
    .slice(0, Math.max(0, places))
    .map(([kvkNumber, id]) => ({
      ...ledger,
      id,
      key_id: owner.keyId,
      kvk_number: kvkNumber,
      over_limit: 0,
      created_at_ms: nowMs,
      events: null,
      ...columns,
    }));
  if (added.length > 0) {
    const newNumbers = added.map(({ kvk_number }) => kvk_number);
    // Changes that others record from here on reach the new monitors.
    if (ledger.is_test === 0) await reservePlaces(transaction, 0);
    if (ledger.is_test === 0) await storeBaselines(transaction, newNumbers, baselines);
    await insertRows(transaction, "monitors", ...added);
    if (ledger.is_test === 0)
      await addPending(transaction, nowMs, await firstChanges(transaction, ledger, added));
  }
  const rows = await monitorsIn(transaction)
    .where("monitors.account_id", "=", ledger.account_id)
    .where("monitors.is_test", "=", ledger.is_test)
    .where("monitors.kvk_number", "in", [...candidates.keys()])
    .execute();
  const monitors = new Map(rows.map((row) => [row.kvk_number, asMonitor(row)]));
  return numbers.map((kvkNumber) =>
    suppressed.has(kvkNumber) ? "suppressed" : (monitors.get(kvkNumber) ?? "limit"),
  );
}

/** The changes that new monitors report at once; none that the account's last event about it reported. */
async function firstChanges(db: Transaction<Tables>, ledger: Ledger, added: readonly WatchingMonitor[]) {
  const monitors = new Map(added.map((monitor) => [monitor.kvk_number, monitor]));
  const numbers = [...monitors.keys()];
  const recorded = await findRows(db, "events", { ...ledger, kvk_number: numbers }, sql`order by sequence`);
  const companies = await withBaselines(db, numbers);
  return companies.flatMap(({ kvkNumber, baselines }) =>
    firstFacts(baselines).flatMap(({ baseline, ...change }) => {
      const monitor = monitors.get(kvkNumber);
      const valueIn = ({ isActive, insolvency }: Changes) =>
        (change.changes["isActive"] ? isActive : insolvency)?.current;
      const values = recorded.map(({ kvk_number, changes }) =>
        kvk_number === kvkNumber ? valueIn(JSON.parse(changes)) : undefined,
      );
      const isReported = values.findLast((value) => value !== undefined) === valueIn(change.changes);
      return monitor === undefined || isReported ? [] : pendingOf(monitor, change, baseline);
    }),
  );
}

type Ledger = ReturnType<typeof ledgerOf>;

/**
 * Stores the first baselines of companies that get a monitor. Those left from an earlier monitor may be older than this
 * one.
 */
async function storeBaselines(
  transaction: Transaction<Tables>,
  kvkNumbers: readonly KvkNumber[],
  baselines: readonly Baseline[],
): Promise<void> {
  const monitored = await transaction
    .selectFrom("monitors")
    .select("kvk_number")
    .distinct()
    .where("is_test", "=", 0)
    .where("kvk_number", "in", kvkNumbers)
    .execute();
  const before = new Set(monitored.map(({ kvk_number }) => kvk_number));
  const unmonitored = kvkNumbers.filter((kvkNumber) => !before.has(kvkNumber));
  await deleteRows(transaction, "monitor_baselines", { kvk_number: unmonitored });
  const rows = baselines
    .filter(({ kvkNumber }) => kvkNumbers.includes(kvkNumber))
    .map((baseline) => toRow("monitor_baselines", baseline));
  if (rows.length > 0) {
    await transaction
      .insertInto("monitor_baselines")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["kvk_number", "origin"]).doNothing())
      .execute();
  }
  await transaction
    .insertInto("insolvencies")
    .values(kvkNumbers.map((kvk_number) => ({ kvk_number, observed_at_ms: 0, is_monitored: 1 })))
    .onConflict((conflict) => conflict.column("kvk_number").doUpdateSet({ is_monitored: 1 }))
    .execute();
}
