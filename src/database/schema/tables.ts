import type { KeyKind } from "../../contract/keyKinds.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import type { JobTables } from "./jobs.ts";
import type { MonitorSourceTables } from "./monitorSources.ts";
import type { MonitorTables } from "./monitors.ts";
import type { PeopleTables } from "./people.ts";
import type { UpstreamTables } from "./upstream.ts";

/**
 * The tables of the state; see `../migrations/`. Flags are 0 or 1. Columns that end in `_ms` are Unix milliseconds, other times ISO 8601 UTC. A
 * `day` is YYYY-MM-DD, UTC unless stated otherwise. `is_test` separates the figures of test keys.
 */
export interface Tables extends PeopleTables, UpstreamTables, JobTables, MonitorTables, MonitorSourceTables {
  accounts: {
    id: string;
    email: string;
    tier: string;
    suspended: number;
    created_at: string;
    /** Null if it is not suspended. */
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
    /** When a rolled key will be revoked. */
    ends_at: string | null;
    /** Refused from then on, unless this is changed. */
    expires_at_ms: number | null;
    /** The networks that may use it, separated by commas; null: any. */
    networks: string | null;
    /** Its kind, which may differ from its prefix. */
    kind: KeyKind;
    /** For browser keys, like the next two: the allowed origins, separated by commas. */
    origins: string | null;
    may_look_up: number;
    daily_tokens: number | null;
    /** Days since 1970, and the tokens spent or reserved on that day. */
    spending_day: number;
    spent_in_day: number;
    /** The origin and time of a browser's call with a key that is not a browser key. */
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
    /** The day on which its key's cap counts it, days since 1970; null for a key without one. */
    spending_day: number | null;
    /** 1 once the expiry was seen: its tokens stay released even if the clock is set back. */
    given_back: number;
    /** Identifies a running request with an `Idempotency-Key`; null, like the hash, without one. */
    idempotency_id: string | null;
    request_hash: string | null;
    /** The hash of its typing session; null for none. */
    session: string | null;
    /** The start of its typing session, if it has a place in one. */
    session_began_ms: number | null;
    is_test: number;
  };
  /** Paid typing sessions; see `metering/typingSession.ts`. */
  typing_sessions: {
    key_id: string;
    /** The hash of its name. */
    session: string;
    account_id: string;
    /** When the paid call was decided. */
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
    /** Typing sessions started. */
    sessions: number;
    /** Calls within typing sessions, including the first of each. */
    session_calls: number;
    is_test: number;
  };
  /** Calls answered with an error, by the key of the ledger's lines. */
  failed_calls: {
    account_id: string;
    key_id: string;
    day: string;
    operation: LedgerOperation;
    /** Errors of the caller, except refusals. */
    failed_caller: number;
    /** Errors of the service or of an upstream. */
    failed_service: number;
  };
  /** The outcome of a call, without its input. */
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
  /** Responses stored with their charge; see `metering/responses.ts`. */
  stored_responses: {
    account_id: string;
    id: string;
    request_hash: string;
    expires_at_ms: number;
    status: number;
    /** The KVK and VAT numbers in it, a JSON list. */
    names: string;
    /** As returned by `packResponse`; empty if it was withdrawn. */
    answer: string;
  };
  /** The stored responses of an account that count towards its limits, by the end of the hour in which they expire. */
  stored_response_totals: {
    account_id: string;
    ends_at_ms: number;
    answers: number;
    bytes: number;
  };
  /** Accounts with rows that are deleted in steps. */
  owners: {
    /** An existing or former account. */
    id: string;
    /** The same while the account exists; null once it is deleted. */
    present_id: string | null;
  };
  /** Running nodes, from version 1.1.0 on. */
  nodes: {
    id: string;
    version: string;
    seen_at_ms: number;
  };
  probe: {
    id: number;
    probed_at_ms: number;
  };
  /** Ids of batches, for commits with an unknown outcome; see `postgres/commitOutcome.ts`. */
  applied_batches: {
    id: string;
    /** 1 if the batch was not committed and never may be. */
    is_void: number;
    /** By the database's own clock. */
    noted_at_ms: number;
  };
}
