import type { Generated } from "kysely";
import type { EventType, InsolvencyType } from "../../contract/monitors.ts";
import type { KvkNumber } from "../../contract/numbers.ts";

/** The changed fields of a company, and the data that shows the change. */
interface ChangeColumns {
  type: EventType;
  /** Null for events that name no company. */
  kvk_number: KvkNumber | null;
  /** {@link Changes} as JSON. */
  changes: string;
  /** Null, like `as_of_ms`, if no data shows it. */
  origin: string | null;
  as_of_ms: number | null;
  observed_at_ms: number;
  /** A JSON object of texts; null for none. */
  metadata: string | null;
}

/** The tables of monitors, their events, and what they are compared with. */
export interface MonitorTables {
  monitors: {
    id: string;
    account_id: string;
    /** The key that created or last changed it. */
    key_id: string;
    is_test: number;
    kvk_number: KvkNumber;
    /** 1 if its account has more monitors than its tier allows, and this is one of the newest. */
    over_limit: Generated<number>;
    over_limit_since_ms: number | null;
    /** A JSON list of types; null for all. */
    events: string | null;
    metadata: string | null;
    webhook: string | null;
    created_at_ms: number;
  };
  /** The settings and figures of an account with monitors. */
  monitor_accounts: {
    account_id: string;
    is_test: number;
    /** The number of the last event, and of the last one that was deleted for its age. */
    last_sequence: Generated<number>;
    deleted_through: Generated<number>;
    /** The last event that the page has shown. */
    read_through: Generated<number>;
    /** Months since year 0, and the tokens spent on events in that month. */
    month: Generated<number>;
    spent: Generated<number>;
    max_tokens: number | null;
    has_digest: Generated<number>;
    /** When the last weekly mail was stored, and the last event that it counted. */
    digest_sent_at_ms: Generated<number>;
    digest_through: Generated<number>;
    /** When its pending changes are delivered next; null if there are none. */
    due_at_ms: number | null;
    /** The limit by which `monitors.over_limit` was set; null if it must be set again. */
    aligned_limit: number | null;
    /** 1 while changes wait for tokens, 2 once the account's person was mailed about that; otherwise 0. */
    waits: Generated<number>;
  };
  /** The companies whose present data an account was shown in a month, counted since year 0. */
  shown_companies: { account_id: string; month: number; kvk_number: KvkNumber };
  monitor_baselines: {
    kvk_number: KvkNumber;
    origin: string;
    as_of_ms: number;
    serial_ms: number;
    format: number;
    /** WatchedFields as JSON. */
    fields: string;
  };
  /** Changes that are not paid yet. */
  pending_changes: ChangeColumns & {
    /** The id of the event that it becomes. */
    id: string;
    account_id: string;
    is_test: number;
    /** The key whose line in the ledger it is charged to. */
    key_id: string;
    /** Null once the monitor has ended; `metadata` and `webhook` are then its own. */
    monitor_id: string | null;
    /** Orders all pending changes by when they were recorded. */
    place: number;
    price: number;
    webhook: string | null;
  };
  events: ChangeColumns & {
    account_id: string;
    is_test: number;
    sequence: number;
    id: string;
    monitor_id: string | null;
    recorded_at_ms: number;
  };
  /** An address of webhooks: of monitors, or one of lists that failed. */
  webhook_endpoints: {
    account_id: string;
    url: string;
    delivered_at_ms: number | null;
    failed_at_ms: number | null;
    /** The reason of the last failure, without an address. */
    failure: string | null;
    /** Failures since the last delivery. */
    failures: Generated<number>;
    /** No message is sent to it before. */
    paused_until_ms: Generated<number>;
    /** Null while it is enabled. */
    disabled_at_ms: number | null;
    /** 1 once the account's person was mailed that it is disabled. */
    is_reported: Generated<number>;
  };
  /** Responses of KVK's open data. */
  insolvencies: {
    kvk_number: KvkNumber;
    insolvency: InsolvencyType | null;
    is_active: number | null;
    /** 0 for a company that it was never asked about. */
    observed_at_ms: number;
    /** 1 if the company had a monitor when this was last set. */
    is_monitored: number;
  };
  /** One row: the last place of a pending change. */
  change_places: { id: number; last: number };
}
