/** The ledgers and settings of accounts with monitors, and the limits of their tiers. */

import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { maxMonitorsOf } from "../../contract/monitors.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { TierTable } from "../../contract/tiers.ts";
import { IS_OPEN_ACCOUNT, withAccount } from "../../database/accountLock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { retryCollisions } from "../../database/collisions.ts";
import {
  countRows,
  findRow,
  findRows,
  insertRows,
  lockRows,
  updateRows,
  upsertRow,
} from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { monthOf } from "../../lib/periods.ts";
import type { MonitorAccount, MonitorOwner } from "../stored.ts";
import { ledgerOf } from "./monitorRows.ts";

/** Monitors paused or resumed in one transaction: calls of their account wait for it. */
const MONITORS_PER_STEP = 100;

export function monitorAccountQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    async monitorAccount(owner: Omit<MonitorOwner, "keyId">): Promise<MonitorAccount> {
      const ledger = ledgerOf(owner);
      const month = monthOf(await now());
      const row = await findRow(db, "monitor_accounts", ledger);
      const account = await findRow(db, "accounts", { id: owner.accountId });
      const monitors = await countRows(db, "monitors", ledger);
      const isNew = sql`and sequence > ${row?.read_through ?? 0}`;
      return {
        monitors,
        paused:
          account?.suspended === 1 ? monitors : await countRows(db, "monitors", { ...ledger, over_limit: 1 }),
        pending: await countRows(db, "pending_changes", ledger),
        spent: row?.month === month ? row.spent : 0,
        ...(row !== undefined && row.max_tokens !== null && { maxTokens: row.max_tokens }),
        unread: await countRows(db, "events", ledger, isNew),
        hasDigest: row === undefined || row.has_digest === 1,
      };
    },

    async setMonitorAccount(
      accountId: string,
      {
        maxTokens,
        hasDigest,
      }: { readonly maxTokens?: number | null | undefined; readonly hasDigest?: boolean | undefined },
    ): Promise<void> {
      const nowMs = await now();
      const ledger = ledgerOf({ accountId });
      const settings = {
        ...(maxTokens !== undefined && {
          max_tokens: maxTokens,
          // Changes may wait for a higher cap.
          due_at_ms: sql<number>`case when monitor_accounts.due_at_ms is null then null else cast(${nowMs} as bigint) end`,
        }),
        ...(hasDigest !== undefined && { has_digest: hasDigest ? 1 : 0 }),
      };
      await withAccount(db, accountId, undefined, async (transaction) => {
        await upsertRow(transaction, "monitor_accounts", ledger);
        if (Object.keys(settings).length > 0)
          await updateRows(transaction, "monitor_accounts", ledger, settings);
      });
    },

    /**
     * Records the companies that an account sees in this month (UTC).
     * @param limit the maximum number of different companies in a month
     * @returns the companies that it may see
     */
    async showCompanies(
      accountId: string,
      numbers: readonly KvkNumber[],
      limit: number,
    ): Promise<readonly KvkNumber[]> {
      const own = { account_id: accountId, month: monthOf(await now()) };
      const hiddenIn = async (from: Kysely<Tables>) => {
        const rows = await findRows(from, "shown_companies", { ...own, kvk_number: numbers });
        const shown = new Set(rows.map(({ kvk_number }) => kvk_number));
        return numbers.filter((number) => !shown.has(number));
      };
      if ((await hiddenIn(db)).length === 0) return numbers;
      return withAccount(db, accountId, [], async (transaction) => {
        const hidden = await hiddenIn(transaction);
        const places = Math.max(0, limit - (await countRows(transaction, "shown_companies", own)));
        const added = hidden.slice(0, places).map((kvk_number) => ({ ...own, kvk_number }));
        if (added.length > 0) await insertRows(transaction, "shown_companies", ...added);
        const left = new Set(hidden.slice(places));
        return numbers.filter((number) => !left.has(number));
      });
    },

    /** Notes that the page has shown all events so far. */
    async markEventsRead(accountId: string): Promise<void> {
      const shown = { read_through: sql`last_sequence` };
      await updateRows(db, "monitor_accounts", ledgerOf({ accountId }), shown);
    },

    /** Pauses the newest monitors beyond the limit of the account's tier and resumes those within it. */
    async alignMonitors(tiers: TierTable): Promise<void> {
      const nowMs = await now();
      for (;;) {
        const due = await unaligned(db, tiers);
        if (due === undefined) return;
        const step = () =>
          db.transaction().execute((transaction) => alignSome(transaction, due, tiers, nowMs));
        while (await retryCollisions(step));
      }
    },
  };
}

type Ledger = ReturnType<typeof ledgerOf>;

/** An account whose monitors were last paused by a limit that its tier no longer has. */
async function unaligned(db: Kysely<Tables>, tiers: TierTable): Promise<Ledger | undefined> {
  const { rows } = await sql<Ledger>`
    select monitor_accounts.account_id, monitor_accounts.is_test
    from monitor_accounts join accounts on accounts.id = monitor_accounts.account_id
    where ${IS_OPEN_ACCOUNT}
      and (aligned_limit is null or aligned_limit <> cast(${limitIn(tiers)} as bigint)) limit 1`.execute(db);
  return rows[0];
}

/** The limit of the tier of `accounts`. */
function limitIn(tiers: TierTable): RawBuilder<unknown> {
  const cases = Object.entries(tiers).map(
    ([name, tier]) => sql`when ${name} then cast(${maxMonitorsOf(tier)} as bigint)`,
  );
  return cases.length === 0 ? sql`0` : sql`case accounts.tier ${sql.join(cases, sql` `)} else 0 end`;
}

/** Pauses or resumes some monitors of an account. @returns whether there may be more */
async function alignSome(
  transaction: Transaction<Tables>,
  ledger: Ledger,
  tiers: TierTable,
  nowMs: number,
): Promise<boolean> {
  // Locks the account: adding and removing monitors waits.
  const [account] = await lockRows(transaction, "accounts", { id: ledger.account_id });
  const limit = maxMonitorsOf(account === undefined ? undefined : tiers[account.tier]);
  const firstOver = await findRow(
    transaction,
    "monitors",
    ledger,
    sql`order by created_at_ms, id limit 1 offset ${limit}`,
  );
  const isOwn = sql`account_id = ${ledger.account_id} and is_test = ${ledger.is_test}`;
  const place = firstOver && sql`(${firstOver.created_at_ms}, ${firstOver.id})`;
  const isWithin = place === undefined ? sql`` : sql`and (created_at_ms, id) < ${place}`;
  const resumed = await changeStep(
    transaction,
    sql`${isOwn} and over_limit = 1 ${isWithin}`,
    sql`over_limit = 0, over_limit_since_ms = null`,
  );
  const isOver = sql`${isOwn} and over_limit = 0 and (created_at_ms, id) >= ${place}`;
  const pause = sql`over_limit = 1, over_limit_since_ms = ${nowMs}`;
  const paused = place === undefined ? 0 : await changeStep(transaction, isOver, pause);
  // Updated last, as in other transactions: a transaction that changed these monitors may wait for the row.
  if (resumed > 0) await updateRows(transaction, "monitor_accounts", ledger, { due_at_ms: nowMs });
  if (resumed === MONITORS_PER_STEP || paused === MONITORS_PER_STEP) return true;
  await updateRows(transaction, "monitor_accounts", ledger, { aligned_limit: limit });
  return false;
}

/**
 * Changes some monitors of an account. They are selected once: with nested loops a subquery would find more after each
 * change.
 */
async function changeStep(
  transaction: Transaction<Tables>,
  isDue: RawBuilder<unknown>,
  change: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with step as materialized (select id from monitors where ${isDue} limit ${MONITORS_PER_STEP})
    update monitors set ${change} where id in (select id from step)`.execute(transaction);
  return Number(numAffectedRows ?? 0);
}
