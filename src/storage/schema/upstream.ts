/** The tables of VIES and of a live registry: their answers, and the cost of asking. */
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
  /** The answer of a live source about a company. */
  live_companies: {
    kvk_number: string;
    /** CompanyFacts without branches, as JSON; null: there is no such company. */
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
    /** Those of them that accounts of free tiers caused. */
    free_calls: number;
  };
  /** The share that one holder (a process) has of a payer's day; a row of the holder `` is there to be locked. */
  live_places: {
    /** Keyed hash of the payer's address. */
    subject: string;
    day: string;
    holder: string;
    under_way: number;
    misses: number;
    /** From then on what is under way counts as missed. */
    lapses_at_ms: number;
  };
  forgotten: {
    kvk_number: string;
    /** A list as JSON. */
    vat_numbers: string;
    forgotten_at_ms: number;
  };
  /** Questions that VIES answered and did not, by state and half hour (the moment when it began). */
  vies_history: {
    state: string;
    slot_at_ms: number;
    answered: number;
    unanswered: number;
  };
}
