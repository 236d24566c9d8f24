/** Stored monitors and events as their consumers see them. */
import { type Kysely, type Selectable, sql } from "kysely";
import type { Changes, ChangeType, Metadata } from "../../contract/monitors.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
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
import type { Baseline, WatchedFields } from "../types.ts";

/** The same for a list of objects; see `rowsOf`. */
export const BOOKS = columnsOf("monitor_accounts", "account_id", "is_test");

/** The columns that separate the monitors of live keys from those of test keys. */
export function booksOf({ accountId, isTest }: Omit<MonitorOwner, "keyId">) {
  return { account_id: accountId, is_test: isTest === true ? 1 : 0 };
}

/** One row: the last comparison of all companies, from the JSON of {@link MonitorProgress}. None before the first one. */
export const COMPARED = sql`
  select cast(json(cursor) ->> 'serialMs' as bigint) as serial_ms,
    cast(json(cursor) ->> 'comparedAtMs' as bigint) as compared_at_ms
  from turns where name = 'monitors' and cursor <> ''`;

/**
 * The origins that a company is compared with, each with a time: of KVK's answer, or else of the last comparison with a snapshot.
 * With an origin that lacks the company in that snapshot it is no longer compared, nor with one that has it as a fund.
 */
const COMPARISONS = sql<string | null>`(
  select string_agg(b.origin || ' ' || case when b.origin like 'kvk-%' then b.as_of_ms
    when r.compared_at_ms > monitors.created_at_ms then r.compared_at_ms else monitors.created_at_ms end, ',' order by b.origin)
  from monitor_baselines b left join (${COMPARED}) as r on true
  where b.kvk_number = monitors.kvk_number and (b.fields like '%"isActive":%' or b.fields like '%"insolvency":%')
    and (b.origin like 'kvk-%' or b.serial_ms >= coalesce(r.serial_ms, 0)))`;

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

type MonitorRow = Selectable<Tables["monitors"]> & {
  readonly suspended: number;
  readonly disabled_at_ms: number | null;
  readonly comparisons: string | null;
};

export function asMonitor(row: MonitorRow): StoredMonitor {
  const comparisons = row.is_test === 1 ? `${TEST_ORIGIN} ${row.created_at_ms}` : row.comparisons;
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    ...(row.is_test === 1 && { isTest: true }),
    kvkNumber: row.kvk_number,
    ...(row.suspended === 1
      ? { pausedFor: "account" as const }
      : row.over_limit === 1 && { pausedFor: "limit" as const }),
    ...(row.events !== null && { events: JSON.parse(row.events) as readonly ChangeType[] }),
    ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) as Metadata }),
    ...(row.webhook !== null && { webhook: row.webhook }),
    ...(row.disabled_at_ms !== null && { webhookDisabledAtMs: row.disabled_at_ms }),
    createdAtMs: row.created_at_ms,
    comparisons: (comparisons?.split(",") ?? [])
      .map((comparison) => comparison.split(" "))
      .map(([origin = "", atMs]) => ({ origin, atMs: Number(atMs) })),
  };
}

/** The columns of an event that {@link asEvent} reads. */
export type EventColumns = Omit<Selectable<Tables["events"]>, "account_id" | "is_test" | "recorded_at_ms">;

export function asEvent(row: EventColumns): StoredEvent {
  const { origin, as_of_ms } = row;
  return {
    sequence: row.sequence,
    id: row.id,
    ...(row.monitor_id !== null && { monitorId: row.monitor_id }),
    type: row.type,
    ...(row.kvk_number !== null && { kvkNumber: row.kvk_number }),
    observedAtMs: row.observed_at_ms,
    ...(origin !== null && as_of_ms !== null && { source: { origin, asOfMs: as_of_ms } }),
    changes: JSON.parse(row.changes) as Changes,
    ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) as Metadata }),
  };
}

export function baselineRow({ kvkNumber, origin, asOfMs, serialMs, format, fields }: Baseline) {
  return {
    kvk_number: kvkNumber,
    origin,
    as_of_ms: asOfMs,
    serial_ms: serialMs,
    format,
    fields: JSON.stringify(fields),
  };
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
  return {
    kvkNumber: row.kvk_number,
    origin: row.origin,
    asOfMs: row.as_of_ms,
    serialMs: row.serial_ms,
    format: row.format,
    fields: JSON.parse(row.fields) as WatchedFields,
  };
}
