import type { Generated } from "kysely";
import type { KvkNumber } from "../../contract/numbers.ts";
import { accountTable, bigint, flag, integer, storeTable, text } from "./table.ts";

/** The tables of webhooks, for lists and monitors. */
export const WEBHOOK_TABLES = {
  /** Secrets are derived from these and a secret of the service: these rows alone cannot sign. */
  webhook_secrets: accountTable("at once", ["account_id", "seed"], {
    account_id: text(),
    seed: text(),
    made_at_ms: bigint(),
    /** Null for the current one. */
    ends_at_ms: bigint<number | null>(),
  }),
  /** A message waiting to be delivered. */
  webhook_messages: accountTable("in steps", ["id"], {
    id: text(),
    account_id: text(),
    url: text(),
    payload: text(),
    due_at_ms: bigint(),
    drop_at_ms: bigint(),
    failures: integer(),
    claims: integer(),
    /** The company of a message that a caller asked for as a test; null for other messages. */
    test_of: text<Generated<KvkNumber | null>>(),
    /**
     * The monitor whose webhook gets the message; null for messages about lists, and about monitors that have ended.
     */
    monitor_id: text<Generated<string | null>>(),
  }),
  /** An address of webhooks: of monitors, or one of lists that failed. */
  webhook_endpoints: accountTable("at once", ["account_id", "url"], {
    account_id: text(),
    url: text(),
    delivered_at_ms: bigint<number | null>(),
    failed_at_ms: bigint<number | null>(),
    /** The reason of the last failure, without an address. */
    failure: text<string | null>(),
    /** Failures since the last delivery. */
    failures: integer<Generated<number>>(),
    /** No message is sent to it before. */
    paused_until_ms: bigint<Generated<number>>(),
    /** Null while it is enabled. */
    disabled_at_ms: bigint<number | null>(),
    /** 1 once the account's person was mailed that it is disabled. */
    is_reported: flag<Generated<number>>(),
  }),
  /** One row: how long the clock has run evenly; see `webhooks/clockWatch.ts`. */
  clock_watch: storeTable(["id"], {
    id: integer(),
    since_ms: bigint(),
    seen_ms: bigint(),
  }),
} as const;
