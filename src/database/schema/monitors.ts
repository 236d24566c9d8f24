import type { Generated } from "kysely";
import type { Changes, ChangeType, EventType } from "../../contract/eventTypes.ts";
import type { InsolvencyType } from "../../contract/insolvency.ts";
import type { Metadata } from "../../contract/monitors.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { Activity } from "../../contract/resources.ts";
import { accountTable, bigint, flag, integer, json, mark, table, text } from "./table.ts";

/** The changed fields of a company, and the data that shows the change. */
const CHANGE = {
  type: text<EventType>(),
  /** Null for events that name no company. */
  kvk_number: text<KvkNumber | null>(),
  /** {@link Changes} as JSON. */
  changes: json<Changes>(),
  /** Null, like `as_of_ms`, if no data shows it. */
  origin: text<string | null>(),
  as_of_ms: bigint<number | null>(),
  observed_at_ms: bigint(),
  /** A JSON object of texts; null for none. */
  metadata: json<Metadata, string | null>(),
};

/** The tables of monitors, their events, and what they are compared with. */
export const MONITOR_TABLES = {
  monitors: accountTable("in steps", ["id"], {
    id: text(),
    account_id: text(),
    /** The key that created or last changed it. */
    key_id: text(),
    is_test: mark(),
    kvk_number: text<KvkNumber>(),
    /** 1 if its account has more monitors than its tier allows, and this is one of the newest. */
    over_limit: flag<Generated<number>>(),
    over_limit_since_ms: bigint<number | null>(),
    /** A JSON list of types; null for all. */
    events: json<readonly ChangeType[], string | null>(),
    metadata: json<Metadata, string | null>(),
    webhook: text<string | null>(),
    created_at_ms: bigint(),
  }),
  /** The settings and the ledger of an account with monitors. */
  monitor_accounts: accountTable("at once", ["account_id", "is_test"], {
    account_id: text(),
    is_test: mark(),
    /** The number of the last event, and of the last one that was deleted for its age. */
    last_sequence: bigint<Generated<number>>(),
    deleted_through: bigint<Generated<number>>(),
    /** The last event that the page has shown. */
    read_through: bigint<Generated<number>>(),
    /** Months since year 0, and the tokens spent on events in that month. */
    month: integer<Generated<number>>(),
    spent: bigint<Generated<number>>(),
    max_tokens: bigint<number | null>(),
    has_digest: flag<Generated<number>>(),
    /** When the last weekly mail was stored, and the last event that it counted. */
    digest_sent_at_ms: bigint<Generated<number>>(),
    digest_through: bigint<Generated<number>>(),
    /** When its pending changes are delivered next; null if there are none. */
    due_at_ms: bigint<number | null>(),
    /** The limit by which `monitors.over_limit` was set; null if it must be set again. */
    aligned_limit: bigint<number | null>(),
    /** 1 while changes wait for tokens, 2 once the account's person was mailed about that; otherwise 0. */
    waits: integer<Generated<number>>(),
  }),
  /** The companies whose data an account saw in a month, counted since year 0. */
  shown_companies: accountTable("in steps", ["account_id", "month", "kvk_number"], {
    account_id: text(),
    month: integer(),
    kvk_number: text<KvkNumber>(),
  }),
  monitor_baselines: table(["kvk_number", "origin"], {
    kvk_number: text<KvkNumber>(),
    origin: text(),
    as_of_ms: bigint(),
    serial_ms: bigint(),
    format: integer(),
    /** WatchedFields as JSON. */
    fields: json<object>(),
  }),
  /** Changes that are not paid yet. */
  pending_changes: accountTable("in steps", ["id"], {
    ...CHANGE,
    /** The id of the event that it becomes. */
    id: text(),
    account_id: text(),
    is_test: mark(),
    /** The key that the ledger charges it to. */
    key_id: text(),
    /** Null once the monitor has ended; `metadata` and `webhook` are then its own. */
    monitor_id: text<string | null>(),
    /** Orders all pending changes by when they were recorded. */
    place: bigint(),
    price: integer(),
    webhook: text<string | null>(),
  }),
  events: accountTable("in steps", ["account_id", "is_test", "sequence"], {
    ...CHANGE,
    account_id: text(),
    is_test: mark(),
    sequence: bigint(),
    id: text(),
    monitor_id: text<string | null>(),
    recorded_at_ms: bigint(),
  }),
  /** Responses of KVK's open data. */
  insolvencies: table(["kvk_number"], {
    kvk_number: text<KvkNumber>(),
    insolvency: text<InsolvencyType | null>(),
    is_active: flag<number | null>(),
    activities: json<readonly Activity[], string | null>(),
    /** YYYY-MM-DD */
    start_date: text<string | null>(),
    /** 0 for a company that it was never asked about. */
    observed_at_ms: bigint(),
    /** 1 if the company had a monitor when this was last set. */
    is_monitored: flag(),
  }),
  /** One row: the last place of a pending change. */
  change_places: table(["id"], { id: integer(), last: bigint() }),
} as const;
