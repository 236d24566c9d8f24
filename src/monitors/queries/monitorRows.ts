/** Stored monitors and events in the form that callers see. */
import { type Kysely, type Selectable, sql } from "kysely";
import { COURT_ORIGIN } from "../../contract/insolvency.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { PEPPOL_ORIGIN } from "../../contract/peppol.ts";
import { toObject } from "../../database/objects.ts";
import { findRows, listOf } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { columnsOf } from "../../database/sql.ts";
import {
  type MonitoredCompany,
  type MonitorOwner,
  type StoredEvent,
  type StoredMonitor,
  TEST_ORIGIN,
} from "../stored.ts";
import type { Baseline } from "../types.ts";

/** The columns of a ledger for a list of objects; see `rowsOf`. */
export const LEDGER_COLUMNS = columnsOf("monitor_accounts", "account_id", "is_test");

/** The live or the test ledger of an account. */
export function ledgerOf({ accountId, isTest }: Omit<MonitorOwner, "keyId">) {
  return { account_id: accountId, is_test: isTest === true ? 1 : 0 };
}

/** Pending changes `p` with their monitors `m`, as far as they have one. */
export const PENDING_CHANGES = "pending_changes p left join monitors m on m.id = p.monitor_id";

/**
 * Whether one of these can be delivered: free, such as the end of a monitor, or of a monitor that is not paused by the
 * limit of its tier.
 */
export const IS_DELIVERABLE = "(p.price = 0 or m.over_limit = 0)";

/**
 * One row: the last comparison of all companies, from the JSON of {@link MonitorProgress}. None before the first one.
 */
export const COMPARED = sql`
  select cast(json(cursor) ->> 'serialMs' as bigint) as serial_ms,
    cast(json(cursor) ->> 'comparedAtMs' as bigint) as compared_at_ms
  from turns where name = 'monitors' and cursor <> ''`;

/** Whether a baseline is of a source that belongs to no snapshot. */
const IS_DATED = sql`(b.origin like 'kvk-%' or b.origin in (${sql.lit(COURT_ORIGIN)}, ${sql.lit(PEPPOL_ORIGIN)}))`;

/**
 * The origins of a company's comparisons, each with the time of KVK's or Peppol's answer, of the court's list or of the
 * last comparison with a snapshot. An origin does not count if that snapshot lacks its facts about the company, or has
 * it as a fund.
 */
const COMPARISONS = sql<string | null>`(
  select string_agg(b.origin || ' ' || case when ${IS_DATED} then b.as_of_ms
    when r.compared_at_ms > monitors.created_at_ms then r.compared_at_ms else monitors.created_at_ms end, ',' order by b.origin)
  from monitor_baselines b left join (${COMPARED}) as r on true
  where b.kvk_number = monitors.kvk_number and (b.fields like '%"isActive":%' or b.fields like '%"insolvency":%' or b.fields like '%"peppol":%')
    and (${IS_DATED} or b.serial_ms >= coalesce(r.serial_ms, 0)))`;

/** Monitors with the reasons that may pause them or their webhook. */
export function monitorsIn(db: Kysely<Tables>) {
  return db
    .selectFrom("monitors")
    .innerJoin("accounts", "accounts.id", "monitors.account_id")
    .leftJoin("webhook_endpoints", (join) =>
      join
        .onRef("webhook_endpoints.account_id", "=", "monitors.account_id")
        .onRef("webhook_endpoints.url", "=", "monitors.webhook"),
    )
    .selectAll("monitors")
    .select(["accounts.suspended", "webhook_endpoints.disabled_at_ms", COMPARISONS.as("comparisons")]);
}

/** The webhook of a monitor; null without an enabled one. */
export function enabledWebhook(monitor: Pick<MonitorRow, "webhook" | "disabled_at_ms">): string | null {
  return monitor.disabled_at_ms === null ? monitor.webhook : null;
}

type MonitorRow = Selectable<Tables["monitors"]> & {
  readonly suspended: number;
  readonly disabled_at_ms: number | null;
  readonly comparisons: string | null;
};

export function asMonitor(row: MonitorRow): StoredMonitor {
  const comparisons = row.is_test === 1 ? `${TEST_ORIGIN} ${row.created_at_ms}` : row.comparisons;
  const pausedFor = row.suspended === 1 ? "account" : row.over_limit === 1 ? "limit" : undefined;
  return {
    ...toObject("monitors", row, "over_limit", "over_limit_since_ms"),
    ...(pausedFor !== undefined && { pausedFor }),
    ...(row.disabled_at_ms !== null && { webhookDisabledAtMs: row.disabled_at_ms }),
    comparisons: (comparisons?.split(",") ?? [])
      .map((comparison) => comparison.split(" "))
      .map(([origin = "", atMs]) => ({ origin, atMs: Number(atMs) })),
  };
}

/** The columns of an event that {@link asEvent} reads. */
export type EventColumns = Omit<Selectable<Tables["events"]>, "account_id" | "is_test" | "recorded_at_ms">;

export function asEvent(row: EventColumns): StoredEvent {
  const { origin, asOfMs, ...event } = toObject("events", row, "account_id", "is_test", "recorded_at_ms");
  return { ...event, ...(origin !== undefined && asOfMs !== undefined && { source: { origin, asOfMs } }) };
}

export async function withBaselines(
  db: Kysely<Tables>,
  kvkNumbers: readonly KvkNumber[],
): Promise<readonly MonitoredCompany[]> {
  if (kvkNumbers.length === 0) return [];
  const isOfCompany = sql`and kvk_number in ${listOf(kvkNumbers)} order by kvk_number, origin`;
  const rows = await findRows(db, "monitor_baselines", {}, isOfCompany);
  const byCompany = Map.groupBy(rows.map(asBaseline), ({ kvkNumber }) => kvkNumber);
  return kvkNumbers.map((kvkNumber) => ({ kvkNumber, baselines: byCompany.get(kvkNumber) ?? [] }));
}

function asBaseline(row: Tables["monitor_baselines"]): Baseline {
  return toObject("monitor_baselines", row) as Baseline;
}
