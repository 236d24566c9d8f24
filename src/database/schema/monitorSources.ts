import type { KvkNumber } from "../../contract/numbers.ts";
import type { TurnName } from "../../lib/turns.ts";

/** The tables of the work on monitored companies. */
export interface MonitorSourceTables {
  /** The work that one process does at a time. */
  turns: {
    name: TurnName;
    claim: number;
    lease_until_ms: number;
    /** When the next turn may begin. */
    due_at_ms: number;
    /** Its progress; empty at first. */
    cursor: string;
  };
  /** Signals of KVK's Mutatieservice about monitored companies. */
  kvk_signals: {
    id: string;
    kvk_number: KvkNumber;
    is_about_branch: number;
    /** When KVK registered the change. */
    at_ms: number;
    received_at_ms: number;
    /** When its company is to be refreshed; null once it was. */
    due_at_ms: number | null;
  };
}
