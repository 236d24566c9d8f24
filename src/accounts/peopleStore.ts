import type { Language } from "../contract/accountResources.ts";
import { POOLS } from "../contract/pools.ts";
import type { TokenPurpose } from "../storage/schema/people.ts";
import type { AllowanceNoticeStore } from "./allowances.ts";
import type { AuditStore } from "./changes.ts";
import type { MailStore } from "./mails.ts";
import type { MonitorNoticeStore } from "./monitorNotices.ts";
import type { SecretStore } from "./secrets.ts";
import type { Account, AddedKey, DailyKeys, Key, NewAccount, NewKey } from "./store.ts";
import type { SecondFactor, TwoFactorStore } from "./twoFactorStore.ts";

/** A person with their account. */
export interface StoredPerson {
  readonly account: Account;
  /** Absent for an account created by an operator, before a password was set. */
  readonly passwordHash?: string;
  readonly isAdmin: boolean;
  readonly language: Language;
  /** Whether the person gets mail about a month's allowance. */
  readonly wantsAllowanceMails: boolean;
  /** The account never had a key and has not been offered its first one. */
  readonly mayTakeFirstKey: boolean;
}

export interface NewPerson {
  readonly account: NewAccount;
  readonly passwordHash: string;
  readonly language: Language;
  /** The invite to use up; it must not have expired. */
  readonly inviteHash?: string;
  readonly nowMs: number;
}

/** A change of an account's address. */
export interface EmailChange {
  readonly email: string;
  /** Keyed hashes of the new and the old address. */
  readonly emailHash: string;
  readonly oldHash: string;
  /** The link to use up; absent if an operator makes the change. */
  readonly tokenHash?: string;
  readonly nowMs: number;
}

/** A session of the account page. Times are Unix milliseconds. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly endsAtMs: number;
  readonly client?: string;
}

/** The maximum number of open sessions of an account; the longest unused one ends. */
export const MAX_SESSIONS = POOLS.sessions.perAccount;

/** The network address that a session is opened from. */
export interface SignedInFrom {
  /** Keyed hash of the network address. */
  readonly addressHash: string;
  /** The number of remembered addresses of an account, the latest ones. */
  readonly maxKnown: number;
}

/** The terms of {@link PeopleStore.deleteExpired}. Times are Unix milliseconds. */
export interface RetentionTerms {
  readonly nowMs: number;
  readonly idleMs: number;
  /** Network addresses not seen since this time are deleted. */
  readonly knownSinceMs: number;
  /** Usage of deleted accounts before this month is deleted. */
  readonly month: number;
}

/** A secret that works once and expires; stored as a hash. */
export interface OneTimeToken {
  readonly hash: string;
  readonly purpose: TokenPurpose;
  readonly expiresAtMs: number;
  /** reset: the account whose password is set · email: the account whose address changes · confirm, invite: absent */
  readonly accountId?: string;
  /** confirm: the address that signed up · invite: the only address that may use it, if set */
  readonly email?: string;
  /** The plan of the new account. */
  readonly tierName?: string;
  /** confirm: the chosen password */
  readonly passwordHash?: string;
  /** confirm: the invite that was used */
  readonly inviteHash?: string;
  readonly language?: Language;
}

export interface PlanRequest {
  readonly account: Account;
  readonly tierName: string;
  readonly askedAt: string;
}

/** A suspension of a deleted account, which the next account with its address inherits. Times are ISO 8601 UTC. */
export interface RetainedSuspension {
  /** Absent when unknown. */
  readonly suspendedAt?: string;
  readonly keptUntil: string;
}

/** An account in an operator's list. */
export interface ListedAccount {
  readonly account: Account;
  readonly isAdmin: boolean;
  readonly liveKeys: number;
  readonly used: number;
}

/** A page of a list. */
interface Part {
  readonly offset: number;
  readonly limit: number;
}

export interface PartOfKeys extends Part {
  /** ISO 8601 UTC: omits keys revoked before. */
  readonly revokedSince?: string;
}

export interface KeyPage {
  readonly keys: readonly Key[];
  /** Keys on all pages, at most {@link MAX_LISTED_KEYS}. */
  readonly total: number;
}

/** The number of keys of an account that can be paged through. */
export const MAX_LISTED_KEYS = 10_000;

/** The operators' shared note about an account. */
export interface OperatorNote {
  readonly text: string;
  /** Counts its changes. */
  readonly version: number;
  /** Unix milliseconds */
  readonly changedAtMs: number;
  /** The operator's account, which may have been deleted. */
  readonly changedBy: string;
}

export interface NoteEdit {
  readonly text: string;
  /** The version that was edited; 0 if there was no note. */
  readonly basedOn: number;
  readonly nowMs: number;
  readonly by: string;
}

/** The state store of the account page: people, sessions, tokens, attempts and plans. */
export interface PeopleStore
  extends SecretStore,
    MailStore,
    TwoFactorStore,
    AuditStore,
    AllowanceNoticeStore,
    MonitorNoticeStore {
  /** @returns `taken` if the address has an account; the invite is used up anyway, so that the difference does not show */
  addPerson(person: NewPerson): Promise<"added" | "taken" | "no-invite">;
  person(accountId: string): Promise<StoredPerson | undefined>;
  personByEmail(email: string): Promise<StoredPerson | undefined>;
  /**
   * Sets a password; ends all sessions and all tokens that could set another.
   * @param inPlaceOf hash of the current password, so that only one of parallel changes succeeds
   * @returns false for an unknown account, or if the current password is not `inPlaceOf`
   */
  setPassword(accountId: string, passwordHash: string, inPlaceOf?: string): Promise<boolean>;
  setAdmin(accountId: string, isAdmin: boolean): Promise<boolean>;
  /**
   * Changes an account's address; all its links become void. As when an account is deleted, its usage also stays with the old address. A suspension
   * stored for the new address applies to the account. `refused`: no such account or link, a suspended account, or, with a link, an address that a
   * deleted account used this month.
   */
  changeEmail(accountId: string, change: EmailChange): Promise<"changed" | "taken" | "refused">;
  /** @returns true once per account */
  takeFirstKey(accountId: string, takenAt: string): Promise<boolean>;
  /**
   * Deletes an account with all its data. Its usage is stored under the hash of its address, and so is a suspension, until `suspendedUntilMs`. Stored
   * responses and lists become unreachable and are deleted by {@link sweepDeleted}. @returns false for an unknown account
   */
  deleteAccount(accountId: string, emailHash: string, suspendedUntilMs: number): Promise<boolean>;
  /** Deletes some data of deleted accounts. @returns whether there may be more */
  sweepDeleted(): Promise<boolean>;
  /** Returns up to `most` suspensions of deleted accounts, the latest first. */
  retainedSuspensions(nowMs: number, limit: number): Promise<readonly RetainedSuspension[]>;
  /** @returns false if there is none for this address */
  endRetainedSuspension(emailHash: string): Promise<boolean>;

  /**
   * Opens a session and records its network address. Refused if the password has changed in the meantime, or if two-factor sign-in is on and the
   * second factor is missing or used. The factor is used up. Beyond {@link MAX_SESSIONS} the longest unused session ends.
   */
  addSession(
    session: Session,
    tokenHash: string,
    passwordHash: string,
    from: SignedInFrom,
    second?: SecondFactor,
  ): Promise<boolean>;
  /** Whether the account opened a session from a network address after `sinceMs`. */
  hasSignedInFrom(accountId: string, addressHash: string, sinceMs: number): Promise<boolean>;
  session(tokenHash: string): Promise<Session | undefined>;
  /** Returns open sessions, the last used first. */
  sessions(accountId: string): Promise<readonly Session[]>;
  seenSession(id: string, nowMs: number): Promise<void>;
  endSession(accountId: string, id: string): Promise<boolean>;

  addToken(token: OneTimeToken): Promise<void>;
  token(hash: string, purpose: TokenPurpose, nowMs: number): Promise<OneTimeToken | undefined>;
  /** Uses a token up. Only one of parallel calls gets it. */
  takeToken(hash: string, purpose: TokenPurpose, nowMs: number): Promise<OneTimeToken | undefined>;

  /** Counts an attempt of a subject and returns the count in its window, this one included. */
  countAttempt(
    subject: string,
    nowMs: number,
    windowMs: number,
  ): Promise<{ readonly count: number; readonly endsAtMs: number }>;
  giveBackAttempt(subject: string): Promise<void>;
  clearAttempts(subject: string): Promise<void>;

  askPlan(accountId: string, tierName: string, askedAt: string): Promise<void>;
  withdrawPlan(accountId: string): Promise<void>;
  /** Returns requests for a plan, the oldest first, optionally of one account. */
  planRequests(accountId?: string): Promise<readonly PlanRequest[]>;
  /** Returns a page of requests, and the number on all pages. */
  planRequestPage(part: Part): Promise<{ readonly requests: readonly PlanRequest[]; readonly total: number }>;

  /**
   * Adds a key that replaces another. The old key ends at `endsAt`; at once when that is the new key's creation time. `no-key`: the account has no
   * such live key, or it is being replaced already.
   */
  rollKey(
    oldId: string,
    key: NewKey,
    endsAt: string,
    maxLiveKeys: number,
    daily?: DailyKeys,
  ): Promise<AddedKey | "no-key">;
  /** Adds or restores the account page's own key. @returns false if the account does not exist */
  addPageKey(key: NewKey): Promise<boolean>;
  /** Revokes replaced keys whose overlap is over. @returns their ids */
  endRolledKeys(nowIso: string): Promise<readonly string[]>;
  /** Returns a page of keys without the page's own: live ones, newest first, then revoked ones, most recently revoked first. */
  keyPage(accountId: string, part: PartOfKeys): Promise<KeyPage>;
  /** Returns those of these keys that the account has, unordered, without the page's own. */
  keysNamed(accountId: string, keyIds: readonly string[]): Promise<readonly Key[]>;

  /** Returns accounts whose address or id contains `text`, newest first, with their usage in `month`. */
  findAccounts(
    text: string,
    month: number,
    page: Part,
  ): Promise<{ readonly accounts: readonly ListedAccount[]; readonly total: number }>;

  note(accountId: string): Promise<OperatorNote | undefined>;
  /** Stores the note. An empty text also raises the version. @returns `other` if it was changed in the meantime */
  setNote(accountId: string, change: NoteEdit): Promise<"kept" | "other" | "no-account">;
  /** Ends the sessions of an account, except one if given. @returns the number of ended sessions */
  endSessions(accountId: string, exceptId?: string): Promise<number>;
  /** Returns the addresses of those of these accounts that exist, unordered. */
  emailsOf(
    accountIds: readonly string[],
  ): Promise<readonly { readonly id: string; readonly email: string }[]>;

  /**
   * Deletes some expired data: sessions, tokens, attempts, stored suspensions, known addresses, daily key counts, usage of deleted accounts, and
   * records of allowance mails.
   * @returns whether there may be more
   */
  deleteExpired(terms: RetentionTerms): Promise<boolean>;
}
