import type { KvkNumber } from "../../contract/numbers.ts";
import { bigint, flag, integer, json, table, text } from "./table.ts";

/** The replica of the court's register. */
export const INSOLVENCY_TABLES = {
  court_cases: table(["id"], {
    id: text(),
    case_number: text(),
    /** When the court made the list by which it was last fetched. */
    list_ms: bigint(),
    /** The case as JSON. */
    data: text(),
  }),
  /** Publications whose cases must still be fetched. `is_removed`: the court has removed the case since. */
  court_due: table(["publication"], { publication: text(), is_removed: flag() }),
  /** Numbers whose cases have changed, and when that was stored. */
  court_numbers: table(["kvk_number"], { kvk_number: text<KvkNumber>(), changed_at_ms: bigint() }),
  /** Cases that are no longer stored, until what was derived from them is erased. */
  court_removed: table(["case_number", "kvk_number"], {
    case_number: text(),
    /** Empty for a case without a number. */
    kvk_number: text<KvkNumber | "">(),
    removed_at_ms: bigint(),
  }),
  /** One row: how far the replica is. */
  court_replica: table(["id"], {
    id: integer(),
    /** Grows with every change: processes then load the cases again. */
    version: bigint(),
    /** The starts of the next lists, as the court writes them; empty before the first load. */
    modified_from: text(),
    removed_from: text(),
    /** Whether the removals since `removed_from` must still be asked for. */
    needs_removals: flag(),
    /** When the court made the list of a full load under way, which removes other cases at its end; otherwise 0. */
    load_ms: bigint(),
    /** When the court made the last list of which every case is stored; 0 before the first load. */
    complete_at_ms: bigint(),
    /** Cases that the court has removed, but too many to delete without permission. */
    held: json<readonly string[]>(),
  }),
} as const;
