import type { KeyKind } from "../../contract/keyKinds.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import { accountTable, bigint, flag, integer, mark, named, storeTable, table, text } from "./table.ts";

/** The tables of accounts, keys and charges, and of the store itself. */
export const METERING_TABLES = {
  accounts: table(["id"], {
    id: text(),
    email: text(),
    tier: named("tierName", text()),
    suspended: named("isSuspended", flag()),
    created_at: text(),
    /** Null if it is not suspended. */
    suspended_at: text<string | null>(),
  }),
  keys: accountTable("in steps", ["id"], {
    id: text(),
    account_id: text(),
    name: text(),
    hash: text(),
    prefix: text(),
    last_four: text(),
    created_at: text(),
    revoked_at: text<string | null>(),
    /** When a rolled key will be revoked. */
    ends_at: text<string | null>(),
    /** Refused from then on, unless this is changed. */
    expires_at_ms: bigint<number | null>(),
    /** The networks that may use it, separated by commas; null: any. */
    networks: text<string | null>(),
    /** Its kind, which may differ from its prefix. */
    kind: text<KeyKind>(),
    /** For browser keys, like the next two: the allowed origins, separated by commas. */
    origins: text<string | null>(),
    may_look_up: flag(),
    daily_tokens: bigint<number | null>(),
    /** Days since 1970, and the tokens spent or reserved on that day. */
    spending_day: bigint(),
    spent_in_day: bigint(),
    /** The origin and time of a browser's call with a key that is not a browser key. */
    browser_origin: text<string | null>(),
    browser_at_ms: bigint<number | null>(),
    /** The rate window: clock minutes since 1970 and the calls in it. */
    minute: bigint(),
    calls_in_minute: bigint(),
  }),
  /** Accounts with rows that are deleted in steps. */
  owners: table(["id"], {
    /** An existing or former account. */
    id: text(),
    /** The same while the account exists; null once it is deleted. */
    present_id: text<string | null>(),
  }),
  account_months: accountTable("at once", ["account_id", "is_test", "month"], {
    account_id: text(),
    /** Months since year 0. */
    month: integer(),
    used: bigint(),
    is_test: mark(),
  }),
  reservations: accountTable("in steps", ["id"], {
    id: text(),
    account_id: text(),
    key_id: text(),
    operation: text<LedgerOperation>(),
    month: integer(),
    tokens: bigint(),
    expires_at_ms: bigint(),
    /** The day on which its key's cap counts it, days since 1970; null for a key without one. */
    spending_day: bigint<number | null>(),
    /** 1 once the expiry was seen: its tokens stay released even if the clock is set back. */
    given_back: flag(),
    /** Identifies a running request with an `Idempotency-Key`; null, like the hash, without one. */
    idempotency_id: text<string | null>(),
    request_hash: text<string | null>(),
    /** The hash of its typing session; null for none. */
    session: text<string | null>(),
    /** The start of its typing session, if it has a place in one. */
    session_began_ms: named("beganAtMs", bigint<number | null>()),
    is_test: mark(),
  }),
  /** Paid typing sessions; see `metering/typingSession.ts`. */
  typing_sessions: accountTable("in steps", ["key_id", "session"], {
    key_id: text(),
    /** The hash of its name. */
    session: text(),
    account_id: text(),
    /** When the paid call was decided. */
    began_at_ms: bigint(),
    followers: integer(),
  }),
  ledger: accountTable("in steps", ["account_id", "is_test", "day", "key_id", "operation"], {
    account_id: text(),
    key_id: text(),
    day: text(),
    operation: text<LedgerOperation>(),
    requests: bigint(),
    tokens: bigint(),
    refused_rate: named("refusedByRate", bigint()),
    refused_allowance: named("refusedByAllowance", bigint()),
    /** Typing sessions started. */
    sessions: bigint(),
    /** Calls within typing sessions, including the first of each. */
    session_calls: bigint(),
    is_test: mark(),
  }),
  /** Calls answered with an error, by the key of the ledger's lines. */
  failed_calls: accountTable("in steps", ["account_id", "day", "key_id", "operation"], {
    account_id: text(),
    key_id: text(),
    day: text(),
    operation: text<LedgerOperation>(),
    /** Errors of the caller, except refusals. */
    failed_caller: named("byCaller", bigint()),
    /** Errors of the service or of an upstream. */
    failed_service: named("byService", bigint()),
  }),
  /** The outcome of a call, without its input. */
  calls: accountTable("at once", ["account_id", "at_ms", "request_id"], {
    account_id: text(),
    at_ms: bigint(),
    request_id: text(),
    key_id: text(),
    operation: text<LedgerOperation>(),
    status: integer(),
    code: text<string | null>(),
    tokens: bigint(),
    duration_us: bigint(),
  }),
  /** Responses stored with their charge; see `metering/responses.ts`. */
  stored_responses: accountTable({ of: "account_id", key: "id", text: "answer" }, ["account_id", "id"], {
    account_id: text(),
    id: text(),
    request_hash: text(),
    expires_at_ms: bigint(),
    status: integer(),
    /** The KVK and VAT numbers in it, a JSON list. */
    names: named("numbers", text()),
    /** As returned by `packResponse`; empty if it was withdrawn. */
    answer: named("text", text()),
  }),
  /** The stored responses of an account that count towards its limits, by the end of the hour in which they expire. */
  stored_response_totals: accountTable("at once", ["account_id", "ends_at_ms"], {
    account_id: text(),
    ends_at_ms: bigint(),
    answers: bigint(),
    bytes: bigint(),
  }),
  /** Running nodes, from version 1.1.0 on. */
  nodes: storeTable(["id"], {
    id: text(),
    version: text(),
    seen_at_ms: bigint(),
  }),
  probe: storeTable(["id"], {
    id: integer(),
    probed_at_ms: bigint(),
  }),
  /** Ids of batches, for commits with an unknown outcome; see `postgres/commitOutcome.ts`. */
  applied_batches: storeTable(["id"], {
    id: text(),
    /** 1 if the batch was not committed and never may be. */
    is_void: flag(),
    /** By the database's own clock. */
    noted_at_ms: bigint(),
  }),
} as const;
