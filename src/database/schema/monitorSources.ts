import type { KvkNumber } from "../../contract/numbers.ts";
import { bigint, flag, table, text } from "./table.ts";

/** The tables of the work on monitored companies. */
export const MONITOR_SOURCE_TABLES = {
  /** The work that one process does at a time. */
  turns: table(["name"], {
    name: text(),
    claim: bigint(),
    lease_until_ms: bigint(),
    /** When the next turn may begin. */
    due_at_ms: bigint(),
    /** Its progress; empty at first. */
    cursor: text(),
  }),
  /** Signals of KVK's Mutatieservice about monitored companies. */
  kvk_signals: table(["id"], {
    id: text(),
    kvk_number: text<KvkNumber>(),
    is_about_branch: flag(),
    /** When KVK registered the change. */
    at_ms: bigint(),
    received_at_ms: bigint(),
    /** When its company is to be refreshed; null once it was. */
    due_at_ms: bigint<number | null>(),
  }),
} as const;
