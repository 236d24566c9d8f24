import type { Language } from "../contract/accountResources.ts";
import { POOLS } from "../contract/pools.ts";
import type { TokenPurpose } from "../database/schema/people.ts";
import type { Account, Key, NewAccount } from "./stored.ts";

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
  /** The number of latest addresses that are remembered for an account. */
  readonly maxKnown: number;
}

/** The terms of {@link PeopleQueries.deleteExpired}. Times are Unix milliseconds. */
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
export interface Part {
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
