import type { Language } from "../contract/accountResources.ts";
import { POOLS } from "../contract/pools.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { AllowanceNoticeStore } from "./allowances.ts";
import type { AuditStore } from "./changes.ts";
import type { MailStore } from "./mails.ts";
import type { SecretStore } from "./secrets.ts";
import type { Account, AddedKey, DailyKeys, Key, NewAccount, NewKey } from "./store.ts";
import type { SecondFactor, TwoFactorStore } from "./twoFactorStore.ts";

/** What is known of a person beside the account. */
export interface StoredPerson {
  readonly account: Account;
  /** Absent for an account that an operator made and nobody has set a password for. */
  readonly passwordHash?: string;
  readonly isAdmin: boolean;
  readonly language: Language;
  /** Whether it is told by mail when a month's allowance comes to its end. */
  readonly wantsAllowanceMails: boolean;
  /** No key was ever made for this account, and none was offered. */
  readonly mayTakeFirstKey: boolean;
}

export interface NewPerson {
  readonly account: NewAccount;
  readonly passwordHash: string;
  readonly language: Language;
  /** The invite that is used up with it; it must not have expired. */
  readonly inviteHash?: string;
  readonly nowMs: number;
}

/** An address on its way to an account. */
export interface EmailChange {
  readonly email: string;
  /** Keyed hashes of this address and of the one that it takes the place of. */
  readonly emailHash: string;
  readonly oldHash: string;
  /** The link that is used up with it; absent when an operator does it. */
  readonly tokenHash?: string;
  readonly nowMs: number;
}

/** Moments are Unix milliseconds. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly endsAtMs: number;
  readonly client?: string;
}

/** So many sessions of an account are open, those that were seen last: all of them are listed at once. */
export const MOST_SESSIONS = POOLS.sessions.perAccount;

/** Where a session is opened from. */
export interface SignedInFrom {
  /** Keyed hash of the network address. */
  readonly addressHash: string;
  /** So many addresses of an account are remembered, those that were seen last. */
  readonly mostKnown: number;
}

/** What {@link PeopleStore.deleteExpired} goes by. Moments are Unix milliseconds. */
export interface RetentionTerms {
  readonly nowMs: number;
  readonly idleMs: number;
  /** Network addresses that were not seen since are forgotten. */
  readonly knownSinceMs: number;
  /** What deleted accounts used before this month is forgotten. */
  readonly month: number;
}

export type TokenPurpose = "invite" | "confirm" | "reset" | "email";

/** Something that is shown once, works once and ends; stored as a hash. */
export interface OneTimeToken {
  readonly hash: string;
  readonly purpose: TokenPurpose;
  readonly expiresAtMs: number;
  /** reset: whose password · email: whose address · confirm, invite: none yet */
  readonly accountId?: string;
  /** confirm: the address that signed up · invite: the only address that may use it, if one was named */
  readonly email?: string;
  /** The plan of the account that comes of it. */
  readonly tierName?: string;
  /** confirm: the password that was chosen */
  readonly passwordHash?: string;
  /** confirm: the invite that it was made with */
  readonly inviteHash?: string;
  readonly language?: Language;
}

export interface PlanRequest {
  readonly account: Account;
  readonly tierName: string;
  readonly askedAt: string;
}

/** A suspension whose account was deleted: it is the next account's of that address. Moments are ISO 8601 UTC. */
export interface KeptSuspension {
  /** Absent when it was not noted. */
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
  /** ISO 8601 UTC: leaves out what was revoked before. */
  readonly revokedSince?: string;
}

export interface KeyPage {
  readonly keys: readonly Key[];
  /** Keys that are listed on all pages, {@link MOST_LISTED_KEYS} at most. */
  readonly total: number;
}

/** So many keys of an account can be leafed through. */
export const MOST_LISTED_KEYS = 10_000;

/** The note of operators about an account: one text that they share. */
export interface OperatorNote {
  readonly text: string;
  /** Counts its changes. */
  readonly version: number;
  /** Unix milliseconds */
  readonly changedAtMs: number;
  /** The operator's own account, which may be gone. */
  readonly changedBy: string;
}

export interface NoteChange {
  readonly text: string;
  /** The version that was changed; 0 where there was no note. */
  readonly basedOn: number;
  readonly nowMs: number;
  readonly by: string;
}

/** People, their sessions and what they see: what the account page needs of a state store. */
export interface PeopleStore
  extends SecretStore,
    MailStore,
    TwoFactorStore,
    AuditStore,
    AllowanceNoticeStore {
  /** `taken`: the address has an account; an invite is used up all the same, so that both cost as much. */
  addPerson(person: NewPerson): Promise<"added" | "taken" | "no-invite">;
  person(accountId: string): Promise<StoredPerson | undefined>;
  personByEmail(email: string): Promise<StoredPerson | undefined>;
  /**
   * Sets a password, ends all sessions and every token that could set another. False for no such account, and where `inPlaceOf`, the hash of the one
   * until now, is named and it is another by then: of any number at once that change the same, one does.
   */
  setPassword(accountId: string, passwordHash: string, inPlaceOf?: string): Promise<boolean>;
  setAdmin(accountId: string, isAdmin: boolean): Promise<boolean>;
  /**
   * Gives an account another address; every link that was made for it is void. What it used stays with the old address too, as when an
   * account is deleted, and a suspension that was kept for the new one is now its own. `refused`: no such account or link, a suspended account, or
   * with a link an address that a deleted account used this month.
   */
  changeEmail(accountId: string, change: EmailChange): Promise<"changed" | "taken" | "refused">;
  /** True once for an account. */
  takeFirstKey(accountId: string, takenAt: string): Promise<boolean>;
  /**
   * Deletes an account with all that belongs to it. What it used is kept under the hash of its address, and so is its
   * suspension, if it is suspended, until `suspendedUntilMs`. Kept answers and what lists hold are out of reach with it, and left to
   * {@link sweepDeleted}. False for no such account.
   */
  deleteAccount(accountId: string, emailHash: string, suspendedUntilMs: number): Promise<boolean>;
  /** Deletes some of what deleted accounts left. @returns whether more may be left */
  sweepDeleted(): Promise<boolean>;
  /** Suspensions that outlive their account, those that were kept last first, `most` of them. */
  keptSuspensions(nowMs: number, most: number): Promise<readonly KeptSuspension[]>;
  /** False when none is kept for this address. */
  endKeptSuspension(emailHash: string): Promise<boolean>;

  /**
   * Opens a session and notes where it was opened from; not when the password is another one by now, nor without a second factor that is
   * good, where the account has two-factor sign-in on. That factor is used up with it. Of more than {@link MOST_SESSIONS} those end that were seen first.
   */
  addSession(
    session: Session,
    tokenHash: string,
    passwordHash: string,
    from: SignedInFrom,
    second?: SecondFactor,
  ): Promise<boolean>;
  /** Whether a session of the account was opened from a network address after `sinceMs`. */
  hasSignedInFrom(accountId: string, addressHash: string, sinceMs: number): Promise<boolean>;
  session(tokenHash: string): Promise<Session | undefined>;
  /** The open sessions, the one that was seen last first. */
  sessions(accountId: string): Promise<readonly Session[]>;
  seenSession(id: string, nowMs: number): Promise<void>;
  endSession(accountId: string, id: string): Promise<boolean>;

  addToken(token: OneTimeToken): Promise<void>;
  token(hash: string, purpose: TokenPurpose, nowMs: number): Promise<OneTimeToken | undefined>;
  /** Uses it up: of any number at once, one gets it. */
  takeToken(hash: string, purpose: TokenPurpose, nowMs: number): Promise<OneTimeToken | undefined>;

  /** Counts one more try of a subject in its window and tells how many there were, this one included. */
  countAttempt(
    subject: string,
    nowMs: number,
    windowMs: number,
  ): Promise<{ readonly count: number; readonly endsAtMs: number }>;
  giveBackAttempt(subject: string): Promise<void>;
  clearAttempts(subject: string): Promise<void>;

  askPlan(accountId: string, tierName: string, askedAt: string): Promise<void>;
  withdrawPlan(accountId: string): Promise<void>;
  /** Who waits for a plan, the longest first; of one account when it is named. */
  planRequests(accountId?: string): Promise<readonly PlanRequest[]>;
  /** Some of them, and how many there are on all pages. */
  planRequestPage(part: Part): Promise<{ readonly requests: readonly PlanRequest[]; readonly total: number }>;

  /**
   * Makes a key that takes the place of another, which ends at `endsAt`, at once when that is the new key's own
   * beginning. `no-key`: the account has no such live key, or it is ending already.
   */
  rollKey(
    oldId: string,
    key: NewKey,
    endsAt: string,
    mostLiveKeys: number,
    daily?: DailyKeys,
  ): Promise<AddedKey | "no-key">;
  /** Makes the page's own key of an account work, whether it is there or not. False when there is no such account. */
  addPageKey(key: NewKey): Promise<boolean>;
  /** Revokes the rolled keys whose time is over; their ids. */
  endRolledKeys(nowIso: string): Promise<readonly string[]>;
  /** Some keys of an account, the page's own left out: those that live, the newest first, then those that were revoked, the last one first. */
  keyPage(accountId: string, part: PartOfKeys): Promise<KeyPage>;
  /** Those of these keys that the account has, in no order; the page's own is none of them. */
  keysNamed(accountId: string, keyIds: readonly string[]): Promise<readonly Key[]>;

  /** Accounts whose address or id holds `text`, the newest first. `month` counts what they used. */
  findAccounts(
    text: string,
    month: number,
    page: Part,
  ): Promise<{ readonly accounts: readonly ListedAccount[]; readonly total: number }>;

  note(accountId: string): Promise<OperatorNote | undefined>;
  /** `other`: somebody changed the note since. An empty text is a note too: its version goes on. */
  setNote(accountId: string, change: NoteChange): Promise<"kept" | "other" | "no-account">;
  /** Ends the sessions of an account, but for one if it is named; how many there were. */
  endSessions(accountId: string, exceptId?: string): Promise<number>;
  /** The addresses of those of these accounts that are there, in no order. */
  emailsOf(
    accountIds: readonly string[],
  ): Promise<readonly { readonly id: string; readonly email: string }[]>;

  /**
   * Deletes some of what has ended: sessions, tokens, tries, kept suspensions, known addresses, days on which keys were made, and what deleted
   * accounts used, and who was told of an allowance, before.
   * @returns whether there may be more
   */
  deleteExpired(terms: RetentionTerms): Promise<boolean>;
}

/** What the ledger files the use of a deleted account under, when its address comes back. */
export const EARLIER_ACCOUNT = { keyId: "earlier-account", operation: "other" } as const satisfies {
  keyId: string;
  operation: LedgerOperation;
};
