import type { KeyKind } from "../../contract/keyKinds.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import type { JobTables } from "./jobs.ts";
import type { PeopleTables } from "./people.ts";
import type { UpstreamTables } from "./upstream.ts";

/**
 * The tables of the state, see `../migrations/`. Flags are 0 or 1; columns that end in `_ms` are Unix milliseconds, other moments ISO 8601 UTC; a
 * `day` is YYYY-MM-DD, UTC unless said otherwise; `is_test` separates the figures of test keys.
 */
export interface Tables extends PeopleTables, UpstreamTables, JobTables {
  accounts: {
    id: string;
    email: string;
    tier: string;
    suspended: number;
    created_at: string;
    /** Null when it is not suspended. */
    suspended_at: string | null;
  };
  keys: {
    id: string;
    account_id: string;
    name: string;
    hash: string;
    prefix: string;
    last_four: string;
    created_at: string;
    revoked_at: string | null;
    /** When a rolled key is to be revoked. */
    ends_at: string | null;
    /** From then on it is refused, until this is moved. */
    expires_at_ms: number | null;
    /** The networks that it may be used from, separated by commas; null: any. */
    networks: string | null;
    /** Its kind, which is not always the one that its prefix names. */
    kind: KeyKind;
    /** Of a key for browsers, as the next two: the origins that it may be used from, separated by commas. */
    origins: string | null;
    may_look_up: number;
    daily_tokens: number | null;
    /** Days since 1970, and the tokens that it spent or set aside on that day. */
    spending_day: number;
    spent_in_day: number;
    /** The page's origin and the moment when a browser called with a key that is none for browsers. */
    browser_origin: string | null;
    browser_at_ms: number | null;
    /** The rate window: clock minutes since 1970 and the calls in it. */
    minute: number;
    calls_in_minute: number;
  };
  account_months: {
    account_id: string;
    /** Months since year 0. */
    month: number;
    used: number;
    is_test: number;
  };
  reservations: {
    id: string;
    account_id: string;
    key_id: string;
    operation: LedgerOperation;
    month: number;
    tokens: number;
    expires_at_ms: number;
    /** The day that its key's cap counts it on, days since 1970; null for a key without one. */
    spending_day: number | null;
    /** 1 once the expiry was seen: what was given back stays so, even when the clock is set back. */
    given_back: number;
    /** By what its request is known again while it is under way; null, as the hash, when it need not be. */
    keep_id: string | null;
    request_hash: string | null;
    /** The hash of the session of typing that it is of; null for none. */
    session: string | null;
    /** Of one that has its place in a session: when that was begun. */
    session_began_ms: number | null;
    is_test: number;
  };
  /** Sessions that a key paid for once, see `metering/typingSession.ts`. */
  typing_sessions: {
    key_id: string;
    /** The hash of its name. */
    session: string;
    account_id: string;
    /** When the call was decided that was paid for. */
    began_at_ms: number;
    followers: number;
  };
  ledger: {
    account_id: string;
    key_id: string;
    day: string;
    operation: LedgerOperation;
    requests: number;
    tokens: number;
    refused_rate: number;
    refused_allowance: number;
    /** Sessions of typing that were begun. */
    sessions: number;
    /** Calls that were delivered in one, those that began it among them. */
    session_calls: number;
    is_test: number;
  };
  /** Calls that were answered with an error, by the key of the ledger's lines. */
  failed_calls: {
    account_id: string;
    key_id: string;
    day: string;
    operation: LedgerOperation;
    /** By something of the caller's own, refusals left out. */
    failed_caller: number;
    /** By something of the service's or of an upstream's. */
    failed_service: number;
  };
  /** How a call went; never what was asked. */
  calls: {
    account_id: string;
    at_ms: number;
    request_id: string;
    key_id: string;
    operation: LedgerOperation;
    status: number;
    code: string | null;
    tokens: number;
    duration_us: number;
  };
  /** Answers that were kept with their charge, see `metering/responses.ts`. */
  kept_answers: {
    account_id: string;
    id: string;
    request_hash: string;
    expires_at_ms: number;
    status: number;
    /** The KVK and VAT numbers in it, a JSON list. */
    names: string;
    /** As `packAnswer` made it; empty when it was withdrawn. */
    answer: string;
  };
  /** The stored answers of an account that count against its bounds, by the end of the hour in which its time is over. */
  kept_totals: {
    account_id: string;
    ends_at_ms: number;
    answers: number;
    bytes: number;
  };
  /** Who has rows that are deleted in steps. */
  owners: {
    /** An account that is there or was. */
    id: string;
    /** The same while it is there; null once it is deleted. */
    present_id: string | null;
  };
  probe: {
    id: number;
    probed_at_ms: number;
  };
  /** Used where a commit can be cut off with its outcome unknown, see `postgres/commitOutcome.ts`. */
  applied_batches: {
    id: string;
    /** 1 when the batch was not committed and never may be. */
    is_void: number;
    /** By the database's own clock. */
    noted_at_ms: number;
  };
}
