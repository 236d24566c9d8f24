import type { Generated } from "kysely";

/** The tables of VIES and of a live registry: their responses, and the cost of calls. */
export interface UpstreamTables {
  verdicts: {
    vat_number: string;
    valid: number;
    validated_at: string;
    name: string | null;
    address: string | null;
    received_at_ms: number;
    positive_validated_at: string | null;
    positive_name: string | null;
    positive_address: string | null;
    positive_received_at_ms: number | null;
  };
  consultations: {
    account_id: string;
    vat_number: string;
    requester: string;
    validated_at: string;
    consultation_number: string;
    received_at_ms: number;
  };
  /** The response of a live source about a company. */
  live_companies: {
    kvk_number: string;
    /** CompanyFacts without branches, as JSON; null: no such company. */
    facts: string | null;
    told_at_ms: number;
    times_told: number;
    branches: string | null;
    branches_at_ms: number | null;
  };
  live_searches: {
    criteria: string;
    /** LivePage as JSON */
    page: string;
    found_at_ms: number;
  };
  live_days: {
    /** YYYY-MM-DD, in the Netherlands */
    day: string;
    /** Paid calls. */
    calls: number;
    /** Of these, calls for accounts of free tiers. */
    free_calls: number;
    /** Of `calls`, those that renewed monitored companies. */
    monitor_calls: Generated<number>;
  };
  /** The share of one holder (a process) in a payer's day; the row of the holder `` is used for locking. */
  live_places: {
    /** Keyed hash of the payer's address. */
    subject: string;
    day: string;
    holder: string;
    under_way: number;
    misses: number;
    /** When running calls count as misses. */
    lapses_at_ms: number;
  };
  forgotten: {
    kvk_number: string;
    /** A list as JSON. */
    vat_numbers: string;
    forgotten_at_ms: number;
  };
  /** Answered and unanswered requests to VIES, by state and half hour (its start). */
  vies_history: {
    state: string;
    slot_at_ms: number;
    answered: number;
    unanswered: number;
  };
}
