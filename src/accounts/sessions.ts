import { randomBytes } from "node:crypto";
import { base62 } from "../contract/keyForm.ts";
import type { PeopleStore, Session, SignedInFrom, StoredPerson } from "./peopleStore.ts";
import { PersonRefusal } from "./refusal.ts";
import { hashToken, KeyedHashes, looksLikeToken, newToken } from "./secrets.ts";
import type { SecondFactor } from "./twoFactorStore.ts";

export interface SessionTerms {
  /** A session that nobody uses ends after this. */
  readonly idleMs: number;
  /** A session ends after this, however busy it is. */
  readonly longestMs: number;
}

/** How somebody comes in. */
export interface Arrived {
  /** What the browser calls itself. */
  readonly client: string | undefined;
  /** The network address, as tries are counted by it. */
  readonly address: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone?: AbortSignal;
}

/** Who a request comes from. */
export interface SignedIn {
  readonly person: StoredPerson;
  readonly session: Session;
}

/** A session that was opened: the token goes to the browser, and nowhere else. */
export interface Opened {
  readonly token: string;
  readonly signedIn: SignedIn;
}

const MOST_CLIENT_LENGTH = 200;
/** A session's last use is written so often at most. */
const SEEN_EVERY_MS = 60_000;
/** A network address is known to an account for so long after it last signed in from there. */
export const KNOWN_FOR_MS = 90 * 24 * 3_600_000;
const MOST_KNOWN = 20;

/** Sessions: opaque tokens, stored as hashes, that end when idle, when old, when ended, and with the password. */
export class Sessions {
  readonly #store: PeopleStore;
  readonly #terms: SessionTerms;
  readonly #now: () => number;
  readonly #networkHashes: KeyedHashes;

  constructor(store: PeopleStore, terms: SessionTerms, now: () => number) {
    this.#store = store;
    this.#terms = terms;
    this.#networkHashes = new KeyedHashes(store, "network addresses");
    this.#now = now;
  }

  /** Opens a session; undefined when the password that was verified is another one by now, or a second factor is needed and was used. */
  async open(
    accountId: string,
    passwordHash: string,
    { client, address }: Arrived,
    second?: SecondFactor,
  ): Promise<Opened | undefined> {
    const token = newToken();
    const nowMs = this.#now();
    const shown = client?.replace(/\p{C}/gu, "").slice(0, MOST_CLIENT_LENGTH);
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

  /** Whose session a cookie is; undefined when it is none, or has ended. */
  async find(token: string): Promise<SignedIn | undefined> {
    if (!looksLikeToken(token)) return undefined;
    const session = await this.#store.session(hashToken(token));
    if (session === undefined || this.#hasEnded(session)) return undefined;
    const person = await this.#store.person(session.accountId);
    if (person === undefined) return undefined;
    const nowMs = this.#now();
    if (nowMs - session.lastSeenAtMs >= SEEN_EVERY_MS) await this.#store.seenSession(session.id, nowMs);
    return { person, session };
  }

  async list(accountId: string): Promise<readonly Session[]> {
    const all = await this.#store.sessions(accountId);
    return all.filter((session) => !this.#hasEnded(session));
  }

  /** @throws {PersonRefusal} nothing, when the account has no such session */
  async end(accountId: string, id: string): Promise<void> {
    if (await this.#store.endSession(accountId, id)) return;
    throw new PersonRefusal("nothing", "you have no such session; it may have ended already");
  }

  /** Ends all sessions of an account, but for one if it is named; how many there were. */
  endAll(accountId: string, exceptId?: string): Promise<number> {
    return this.#store.endSessions(accountId, exceptId);
  }

  /**
   * Whether an account has signed in from a network address: from there strangers cannot lock it out. The same work for an account that there
   * is not.
   * @param address as tries are counted by it: an IPv6 address is its /64
   */
  async isKnown(accountId: string | undefined, address: string): Promise<boolean> {
    const { addressHash } = await this.#from(accountId ?? "", address);
    return this.#store.hasSignedInFrom(accountId ?? "", addressHash, this.#now() - KNOWN_FOR_MS);
  }

  /** Hashed with the account, so that the hashes do not tell which accounts share an address. */
  async #from(accountId: string, address: string): Promise<SignedInFrom> {
    return { addressHash: await this.#networkHashes.of(`${accountId} ${address}`), mostKnown: MOST_KNOWN };
  }

  #hasEnded({ endsAtMs, lastSeenAtMs }: Session): boolean {
    const nowMs = this.#now();
    return nowMs >= endsAtMs || nowMs - lastSeenAtMs >= this.#terms.idleMs;
  }
}
