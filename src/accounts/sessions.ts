import { randomBytes } from "node:crypto";
import { base62 } from "../contract/keyForm.ts";
import type { Session, SignedInFrom, StoredPerson } from "./people.ts";
import type { PeopleQueries } from "./queries.ts";
import { PersonRefusal } from "./refusal.ts";
import type { SecondFactor } from "./secondFactors.ts";
import { hashToken, KeyedHashes, looksLikeToken, newToken } from "./secrets.ts";

export interface SessionTerms {
  /** An unused session ends after this. */
  readonly idleMs: number;
  /** Every session ends after this. */
  readonly longestMs: number;
}

/** The origin of a request. */
export interface RequestOrigin {
  /** The browser's `User-Agent`. */
  readonly client: string | undefined;
  /** The network address, by which attempts are counted. */
  readonly address: string;
  /** Aborted when the client has disconnected. */
  readonly gone?: AbortSignal;
}

/** The signed-in person of a request. */
export interface SignedIn {
  readonly person: StoredPerson;
  readonly session: Session;
}

/** A new session. The token goes to the browser only. */
export interface OpenedSession {
  readonly token: string;
  readonly signedIn: SignedIn;
}

const MAX_CLIENT_LENGTH = 200;
/** How often a session's last use is written at most. */
const LAST_SEEN_INTERVAL_MS = 60_000;
/** How long an account's network address is remembered after its last sign-in. */
export const ADDRESS_RETENTION_MS = 90 * 24 * 3_600_000;
const MAX_KNOWN = 20;

/**
 * Sessions: opaque tokens, stored as hashes. They end when idle, when old, when ended by the person, and when the
 * password changes.
 */
export class Sessions {
  readonly #store: PeopleQueries;
  readonly #terms: SessionTerms;
  readonly #now: () => number;
  readonly #networkHashes: KeyedHashes;

  constructor(store: PeopleQueries, terms: SessionTerms, now: () => number) {
    this.#store = store;
    this.#terms = terms;
    this.#networkHashes = new KeyedHashes(store, "network addresses");
    this.#now = now;
  }

  /** Opens a session. @returns undefined if the password changed in the meantime, or the second factor was used */
  async open(
    accountId: string,
    passwordHash: string,
    { client, address }: RequestOrigin,
    second?: SecondFactor,
  ): Promise<OpenedSession | undefined> {
    const token = newToken();
    const nowMs = this.#now();
    const shown = client?.replace(/\p{C}/gu, "").slice(0, MAX_CLIENT_LENGTH);
    const session: Session = {
      id: `ses_${base62(16, randomBytes)}`,
      accountId,
      createdAtMs: nowMs,
      lastSeenAtMs: nowMs,
      endsAtMs: nowMs + this.#terms.longestMs,
      ...(shown !== undefined && shown !== "" && { client: shown }),
    };
    const from = await this.#from(accountId, address);
    const isOpen = await this.#store.addSession(session, hashToken(token), passwordHash, from, second);
    if (!isOpen) return undefined;
    const person = await this.#store.person(accountId);
    return person === undefined ? undefined : { token, signedIn: { person, session } };
  }

  /** Returns the person of a session cookie; undefined if it is invalid or has ended. */
  async find(token: string): Promise<SignedIn | undefined> {
    if (!looksLikeToken(token)) return undefined;
    const session = await this.#store.session(hashToken(token));
    if (session === undefined || this.#hasEnded(session)) return undefined;
    const person = await this.#store.person(session.accountId);
    if (person === undefined) return undefined;
    const nowMs = this.#now();
    if (nowMs - session.lastSeenAtMs >= LAST_SEEN_INTERVAL_MS)
      await this.#store.seenSession(session.id, nowMs);
    return { person, session };
  }

  async list(accountId: string): Promise<readonly Session[]> {
    const all = await this.#store.sessions(accountId);
    return all.filter((session) => !this.#hasEnded(session));
  }

  /** @throws {PersonRefusal} (the promise) nothing, if the account has no such session */
  async end(accountId: string, id: string): Promise<void> {
    if (await this.#store.endSession(accountId, id)) return;
    throw new PersonRefusal("not-found", "you have no such session; it may already have ended");
  }

  /** Ends all sessions of an account, except one if given. @returns the number of ended sessions */
  endAll(accountId: string, exceptId?: string): Promise<number> {
    return this.#store.endSessions(accountId, exceptId);
  }

  /**
   * Whether an account has signed in from a network address, where strangers cannot lock it out. An unknown account
   * takes the same work.
   * @param address as attempts are counted: an IPv6 address is its /64
   */
  async isKnown(accountId: string | undefined, address: string): Promise<boolean> {
    const { addressHash } = await this.#from(accountId ?? "", address);
    return this.#store.hasSignedInFrom(accountId ?? "", addressHash, this.#now() - ADDRESS_RETENTION_MS);
  }

  /** Hashed with the account, so that the hashes do not show which accounts share an address. */
  async #from(accountId: string, address: string): Promise<SignedInFrom> {
    return { addressHash: await this.#networkHashes.of(`${accountId} ${address}`), maxKnown: MAX_KNOWN };
  }

  #hasEnded({ endsAtMs, lastSeenAtMs }: Session): boolean {
    const nowMs = this.#now();
    return nowMs >= endsAtMs || nowMs - lastSeenAtMs >= this.#terms.idleMs;
  }
}
