import type { MailKind } from "../accounts/mails.ts";
import type { TokenPurpose } from "../accounts/peopleStore.ts";
import type { Language } from "../contract/accountResources.ts";
import type { LedgerOperation } from "../contract/prices.ts";

/** The tables of the state, as Kysely needs them. Flags are 0 or 1, moments are ISO 8601 UTC. */
export interface Tables {
  accounts: AccountsTable;
  keys: KeysTable;
  account_months: AccountMonthsTable;
  reservations: ReservationsTable;
  ledger: LedgerTable;
  probe: ProbeTable;
  verdicts: VerdictsTable;
  consultations: ConsultationsTable;
  applied_batches: AppliedBatchesTable;
  live_companies: LiveCompaniesTable;
  live_searches: LiveSearchesTable;
  live_days: LiveDaysTable;
  live_misses: LiveMissesTable;
  live_places: LivePlacesTable;
  forgotten: ForgottenTable;
  people: PeopleTable;
  sessions: SessionsTable;
  known_addresses: KnownAddressesTable;
  one_time_tokens: OneTimeTokensTable;
  attempts: AttemptsTable;
  waiting_mails: WaitingMailsTable;
  plan_requests: PlanRequestsTable;
  departed: DepartedTable;
  departed_months: DepartedMonthsTable;
  suspended_addresses: SuspendedAddressesTable;
  key_days: KeyDaysTable;
  secrets: SecretsTable;
}

interface AccountsTable {
  id: string;
  email: string;
  tier: string;
  suspended: number;
  created_at: string;
  /** Null when it is not suspended, or was by a version that did not note it. */
  suspended_at: string | null;
}

interface KeysTable {
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
  /** The rate window: clock minutes since 1970 and the calls in it. */
  minute: number;
  calls_in_minute: number;
  /** A line of the ledger that is not in it yet: the UTC day, YYYY-MM-DD; null, as the other three, when there is none. */
  open_day: string | null;
  open_operation: LedgerOperation | null;
  open_requests: number | null;
  open_tokens: number | null;
}

interface AccountMonthsTable {
  account_id: string;
  /** Months since year 0. */
  month: number;
  used: number;
}

interface ReservationsTable {
  id: string;
  account_id: string;
  key_id: string;
  operation: LedgerOperation;
  month: number;
  tokens: number;
  /** Unix milliseconds */
  expires_at_ms: number;
  /** 1 once the expiry was seen: what was given back stays so, even when the clock is set back. */
  given_back: number;
}

interface LedgerTable {
  account_id: string;
  key_id: string;
  /** YYYY-MM-DD, UTC */
  day: string;
  operation: LedgerOperation;
  requests: number;
  tokens: number;
  refused_rate: number;
  refused_allowance: number;
}

interface ProbeTable {
  id: number;
  probed_at_ms: number;
}

interface VerdictsTable {
  vat_number: string;
  valid: number;
  validated_at: string;
  name: string | null;
  address: string | null;
  /** Unix milliseconds */
  received_at_ms: number;
  positive_validated_at: string | null;
  positive_name: string | null;
  positive_address: string | null;
  positive_received_at_ms: number | null;
}

interface ConsultationsTable {
  account_id: string;
  vat_number: string;
  requester: string;
  validated_at: string;
  consultation_number: string;
  received_at_ms: number;
}

/** Used where a commit can be cut off with its outcome unknown, see `postgres/commitOutcome.ts`. */
interface AppliedBatchesTable {
  id: string;
  /** 1 when the batch was not committed and never may be. */
  is_void: number;
  /** Unix milliseconds by the database's own clock */
  noted_at_ms: number;
  /** JSON: what the database itself granted in this batch; null for a batch that a node decided. */
  granted: string | null;
}

/** What a live source told of a company. Moments are Unix milliseconds, here and below. */
interface LiveCompaniesTable {
  kvk_number: string;
  /** CompanyFacts without branches, as JSON; null: there is no such company. */
  facts: string | null;
  told_at_ms: number;
  times_told: number;
  branches: string | null;
  branches_at_ms: number | null;
}

interface LiveSearchesTable {
  criteria: string;
  /** LivePage as JSON */
  page: string;
  found_at_ms: number;
}

interface LiveDaysTable {
  /** YYYY-MM-DD, in the Netherlands */
  day: string;
  /** Paid calls. */
  calls: number;
  /** Those of them that accounts of free tiers caused. */
  free_calls: number;
}

/** What one holder (a process) has of a payer's day; a row of the holder `` is there to be locked. */
interface LivePlacesTable {
  /** Keyed hash of the payer's address. */
  subject: string;
  day: string;
  holder: string;
  under_way: number;
  misses: number;
  /** From then on what is under way counts as missed. */
  lapses_at_ms: number;
}

/** What versions before counted by account. */
interface LiveMissesTable {
  account_id: string;
  day: string;
  misses: number;
}

interface ForgottenTable {
  kvk_number: string;
  /** A list as JSON. */
  vat_numbers: string;
  forgotten_at_ms: number;
}

/** What a person adds to an account; a row is made when there is something to add. */
interface PeopleTable {
  account_id: string;
  password_hash: string | null;
  admin: number;
  language: Language;
  first_key_at: string | null;
}

/** Times are Unix milliseconds. */
interface SessionsTable {
  id: string;
  account_id: string;
  token_hash: string;
  created_at_ms: number;
  last_seen_at_ms: number;
  ends_at_ms: number;
  client: string | null;
}

/** Network addresses that an account has signed in from, as keyed hashes. */
interface KnownAddressesTable {
  account_id: string;
  address_hash: string;
  seen_at_ms: number;
}

interface OneTimeTokensTable {
  hash: string;
  purpose: TokenPurpose;
  expires_at_ms: number;
  account_id: string | null;
  email: string | null;
  tier: string | null;
  password_hash: string | null;
  invite_hash: string | null;
  language: Language | null;
}

interface AttemptsTable {
  subject: string;
  tries: number;
  ends_at_ms: number;
}

/** A mail that waits to be sent; never with its link. */
interface WaitingMailsTable {
  id: string;
  kind: MailKind;
  /** Keyed hash of the address that it goes to. */
  email_hash: string;
  account_id: string | null;
  /** confirm: what the account is made of */
  email: string | null;
  tier: string | null;
  password_hash: string | null;
  invite_hash: string | null;
  language: Language;
  asked_at_ms: number;
  /** When it is older than its link would live. */
  drop_at_ms: number;
  /** When it may be claimed next. */
  due_at_ms: number;
  failures: number;
  /** How often it was claimed, and how often since who had claimed it last told how it went. */
  claims: number;
  open_claims: number;
  /** Hash of the secret in the link that was made last. */
  token_hash: string | null;
}

interface PlanRequestsTable {
  account_id: string;
  tier: string;
  asked_at: string;
}

/** What deleted accounts used this month, by the keyed hash of their address: for nodes of the version before. */
interface DepartedTable {
  email_hash: string;
  month: number;
  used: number;
}

/** What deleted accounts used, by the keyed hash of their address and by month. */
interface DepartedMonthsTable {
  email_hash: string;
  month: number;
  used: number;
}

/** Accounts that were deleted while they were suspended, by the keyed hash of their address. */
interface SuspendedAddressesTable {
  email_hash: string;
  suspended_at: string | null;
  kept_until_ms: number;
}

/** How many keys an address made on a day (UTC), by its keyed hash: an account that is made anew goes on counting. */
interface KeyDaysTable {
  subject: string;
  day: string;
  made: number;
}

interface SecretsTable {
  name: string;
  value: string;
}
