import type { Generated } from "kysely";
import type { Peppol } from "../../contract/peppol.ts";
import { accountTable, bigint, flag, json, named, table, text } from "./table.ts";

/** The tables of VIES and of a live registry: their responses, and the cost of calls. */
export const UPSTREAM_TABLES = {
  verdicts: table(["vat_number"], {
    vat_number: text(),
    valid: flag(),
    validated_at: text(),
    name: text<string | null>(),
    address: text<string | null>(),
    received_at_ms: bigint(),
    positive_validated_at: text<string | null>(),
    positive_name: text<string | null>(),
    positive_address: text<string | null>(),
    positive_received_at_ms: bigint<number | null>(),
  }),
  consultations: accountTable("in steps", ["account_id", "vat_number", "requester"], {
    account_id: text(),
    vat_number: text(),
    requester: text(),
    validated_at: text(),
    consultation_number: text(),
    received_at_ms: bigint(),
  }),
  /** The response of a live source about a company. */
  live_companies: table(["kvk_number"], {
    kvk_number: text(),
    /** CompanyFacts without branches, as JSON; null: no such company. */
    facts: text<string | null>(),
    told_at_ms: named("answeredAtMs", bigint()),
    times_told: named("timesAnswered", bigint()),
    branches: text<string | null>(),
    branches_at_ms: bigint<number | null>(),
  }),
  live_searches: table(["criteria"], {
    criteria: text(),
    /** LivePage as JSON */
    page: text(),
    found_at_ms: bigint(),
  }),
  live_days: table(["day"], {
    /** YYYY-MM-DD, in the Netherlands */
    day: text(),
    /** Paid calls. */
    calls: bigint(),
    /** The calls for accounts of free tiers among them. */
    free_calls: bigint(),
    /** The calls that renewed monitored companies, included in `calls`. */
    monitor_calls: bigint<Generated<number>>(),
  }),
  /** The share of one holder (a process) in a payer's day; the row of the holder `` is used for locking. */
  live_places: table(["subject", "day", "holder"], {
    /** Keyed hash of the payer's address. */
    subject: text(),
    day: text(),
    holder: text(),
    under_way: bigint(),
    misses: bigint(),
    /** When running calls count as misses. */
    lapses_at_ms: bigint(),
  }),
  /** The last answer of the Peppol network about a company. */
  peppol_verdicts: table(["kvk_number"], {
    kvk_number: text(),
    data: json<Omit<Peppol, "checkedAt" | "ageSeconds">>(),
    checked_at_ms: bigint(),
  }),
  forgotten: table(["kvk_number"], {
    kvk_number: text(),
    /** A list as JSON. */
    vat_numbers: json<readonly string[]>(),
    forgotten_at_ms: bigint(),
  }),
  /** Answered and unanswered requests to VIES, by state and half hour (its start). */
  vies_history: table(["slot_at_ms", "state"], {
    state: text(),
    slot_at_ms: bigint(),
    answered: bigint(),
    unanswered: bigint(),
  }),
} as const;
