/** Which call of a session of typing pays, and which follow in it or share what another one has set aside. */
import type { LedgerOperation } from "../contract/prices.ts";
import { MOST_FOLLOWERS } from "../contract/typingSession.ts";
import { afterCall, openSession, type SessionProgress } from "./typingSession.ts";

/** A session of typing that was begun or followed, as it is to be stored. */
export interface ChangedSession extends SessionProgress {
  readonly keyId: string;
  readonly session: string;
  readonly accountId: string;
}

/**
 * A call of a session of typing whose work is under way. It sets tokens aside, so that a session can begin by it; or it has its place in
 * one that was begun at `beganAtMs`; or neither: it shares what another one of its session has set aside.
 */
export interface SessionReservation {
  readonly id: string;
  readonly month: number;
  readonly tokens: number;
  readonly expiresAtMs: number;
  /** The day that the cap of its key counts it on; null for a key without one. */
  readonly spendingDay: number | null;
  readonly beganAtMs: number | null;
}

/** A reservation that was not settled yet. */
export interface StoredReservation extends Omit<SessionReservation, "expiresAtMs"> {
  readonly operation: LedgerOperation;
  /** It has expired, now or earlier, so that the account may spend its tokens again. */
  readonly isGivenBack: boolean;
  /** See {@link SessionReservation}; null for one that is of no session. */
  readonly session: string | null;
}

interface OfKey {
  readonly keyId: string;
  readonly accountId: string;
}

/** The rows of sessions, of those that a request of the batch names. */
export interface SessionRows {
  readonly nowMs: number;
  /** How far a session of a key went, by its hash. */
  session(keyId: string, session: string): SessionProgress | undefined;
  /** The reservations of a session that are not given back, expired ones among them. */
  sessionReservations(key: OfKey, session: string): readonly SessionReservation[];
}

/**
 * How a call of a session comes in: it follows one that was paid for (`follows`); the price of the first is set aside by another call of the
 * same session that is under way, and may be spent by whichever is delivered first (`shares`); or it has to cover its own price (`pays`).
 */
export type Entry = "follows" | "shares" | "pays";

/** The effect of a reservation that is settled. */
export interface Settled {
  readonly charged: number;
  /** Tokens that are no longer set aside for its account. */
  readonly freed: number;
  /** How much of what is freed its key's cap counts, and on which day. */
  readonly setAside: number;
  readonly spendingDay: number | null;
  /** It is the first of its session that is delivered. */
  readonly begins: boolean;
}

/** The sessions of one transaction, read when a call of one is decided. */
export class BatchSessions {
  readonly #rows: SessionRows;
  readonly #sessions = new Map<string, BatchSession>();

  constructor(rows: SessionRows) {
    this.#rows = rows;
  }

  of(key: OfKey, session: string): BatchSession {
    const name = `${key.keyId} ${session}`;
    let known = this.#sessions.get(name);
    if (known === undefined) {
      known = new BatchSession(this.#rows, key, session);
      this.#sessions.set(name, known);
    }
    return known;
  }

  /** Each session that was begun or followed, as it is now. */
  changes(): readonly ChangedSession[] {
    return [...this.#sessions.values()].flatMap(({ change }) => change ?? []);
  }

  /** Reservations that set aside something else now, or have their place now, and are not settled. */
  shared(): readonly SessionReservation[] {
    return [...this.#sessions.values()].flatMap(({ changedReservations }) => [
      ...changedReservations.values(),
    ]);
  }

  /** Returns a reservation as it is now: others of its session may have taken its hold, or given it theirs, or a place. */
  present<Reservation extends Pick<StoredReservation, "id" | "session">>(
    key: OfKey,
    held: Reservation,
  ): Reservation {
    const now = held.session === null ? undefined : this.of(key, held.session).reservation(held.id);
    if (now === undefined) return held;
    return { ...held, tokens: now.tokens, spendingDay: now.spendingDay, beganAtMs: now.beganAtMs };
  }

  /**
   * Notes the end of a reservation's work.
   * @param session the one that its call names
   * @param charge what it delivers costs, 0 when it failed
   * @param isCovered whether what is left covers a charge that nothing is set aside for
   * @returns undefined when it is not covered, and nothing may be delivered
   */
  settle(
    key: OfKey,
    session: string | undefined,
    held: StoredReservation,
    { charge, isCovered }: { readonly charge: number; readonly isCovered: (tokens: number) => boolean },
  ): Settled | undefined {
    const { month, tokens, isGivenBack, spendingDay, beganAtMs } = held;
    const own = held.session === null ? undefined : this.of(key, held.session);
    const named = session === undefined ? undefined : this.of(key, session);
    own?.end(held.id);
    const shares = own !== undefined && tokens === 0 && beganAtMs === null;
    // A call that has its place follows, whatever became of the session since.
    const next = charge > 0 && (tokens > 0 || shares) ? named : undefined;
    const follows = next?.open !== undefined;
    const hold = shares && !follows ? next?.takeHold(month, charge) : undefined;
    const price = shares ? charge : Math.min(charge, tokens);
    const charged = follows ? 0 : price;
    const mustBeCovered = isGivenBack || (shares && charged > 0);
    if (mustBeCovered && hold === undefined && !isCovered(charged)) return undefined;
    if (charge === 0 && beganAtMs !== null) named?.giveBack(beganAtMs);
    const isUnspent = charged === 0 && tokens > 0 && !isGivenBack;
    const isPassedOn = isUnspent && own !== undefined && own === named && own.passOn(held);
    const begins = next?.letIn(month) === true;
    if (hold !== undefined)
      return { charged, freed: hold.tokens, setAside: hold.tokens, spendingDay: hold.spendingDay, begins };
    if (isPassedOn) return { charged, freed: 0, setAside: 0, spendingDay, begins };
    return { charged, freed: isGivenBack ? 0 : tokens, setAside: tokens, spendingDay, begins };
  }
}

/**
 * One session in a transaction. Before it is begun each reservation that has set tokens aside, a hold, is shared by as many others as may follow;
 * whichever is delivered first begins the session by it.
 */
class BatchSession {
  readonly changedReservations = new Map<string, SessionReservation>();
  readonly #rows: SessionRows;
  readonly #key: OfKey;
  readonly #session: string;
  #stored: { readonly progress: SessionProgress | undefined; readonly isChanged: boolean } | undefined;
  #reservations: Map<string, SessionReservation> | undefined;

  constructor(rows: SessionRows, key: OfKey, session: string) {
    this.#rows = rows;
    this.#key = key;
    this.#session = session;
  }

  /** The session as it is to be stored; undefined when nothing of it changed. */
  get change(): ChangedSession | undefined {
    const { progress, isChanged = false } = this.#stored ?? {};
    const { keyId, accountId } = this.#key;
    return isChanged && progress !== undefined
      ? { keyId, session: this.#session, accountId, ...progress }
      : undefined;
  }

  get open(): SessionProgress | undefined {
    return openSession(this.#progress, this.#rows.nowMs);
  }

  /** @param month the one that the call's price would be charged in */
  entry(month: number, price: number): Entry {
    if (this.open !== undefined) return "follows";
    const holds = this.#holds(month, price).length;
    return holds > 0 && this.#sharing(month).length < MOST_FOLLOWERS * holds ? "shares" : "pays";
  }

  /** Lets a call in that is delivered. @returns whether it began the session */
  letIn(month: number): boolean {
    const { open } = this;
    const after = afterCall(open, this.#rows.nowMs);
    this.#put({ ...after, followers: open === undefined ? this.#place(month) : after.followers });
    return open === undefined;
  }

  /**
   * Notes a call whose work begins now. A call that follows has its place before that, or any number could follow at once.
   * @returns when the session was begun that it follows
   */
  reserve(entry: Entry, made: Omit<SessionReservation, "beganAtMs">): number | null {
    const open = entry === "follows" ? this.open : undefined;
    if (open !== undefined) this.#put(afterCall(open, this.#rows.nowMs));
    const beganAtMs = open?.beganAtMs ?? null;
    this.#all.set(made.id, { ...made, beganAtMs });
    return beganAtMs;
  }

  /** A reservation as it is now, when it is under way. */
  reservation(id: string): SessionReservation | undefined {
    return this.#all.get(id);
  }

  /** A reservation is settled. */
  end(id: string): void {
    this.#all.delete(id);
    this.changedReservations.delete(id);
  }

  /** A call that had its place failed: another one may have it, as long as the session is the same. */
  giveBack(beganAtMs: number): void {
    const stored = this.#progress;
    if (stored === undefined || stored.beganAtMs !== beganAtMs || stored.followers === 0) return;
    this.#put({ beganAtMs, followers: stored.followers - 1 });
  }

  /** Takes a hold for a call that shared it and is delivered first; whose it was shares from now on. @returns the hold as it was */
  takeHold(month: number, charge: number): SessionReservation | undefined {
    const [hold] = this.#holds(month, charge);
    if (hold !== undefined) this.#change({ ...hold, tokens: 0 });
    return hold;
  }

  /**
   * Gives the hold of a reservation that is settled and has not spent it to one of those that share, where those would be too many for the
   * holds that are left. @returns whether it did
   */
  passOn({ month, tokens, spendingDay }: StoredReservation): boolean {
    const sharing = this.#sharing(month);
    const [heir] = sharing;
    if (heir === undefined || sharing.length <= MOST_FOLLOWERS * this.#holds(month, 1).length) return false;
    this.#change({ ...heir, tokens, spendingDay });
    return true;
  }

  /** The session is begun: those that shared have their place in it from now on. @returns how many */
  #place(month: number): number {
    const placed = this.#sharing(month).slice(0, MOST_FOLLOWERS);
    for (const one of placed) this.#change({ ...one, beganAtMs: this.#rows.nowMs });
    return placed.length;
  }

  #holds(month: number, price: number): SessionReservation[] {
    return this.#underWay(month).filter(({ tokens }) => tokens > 0 && tokens >= price);
  }

  #sharing(month: number): SessionReservation[] {
    return this.#underWay(month).filter(({ tokens, beganAtMs }) => tokens === 0 && beganAtMs === null);
  }

  /** Those of a month, the one first that ends first. */
  #underWay(month: number): SessionReservation[] {
    return [...this.#all.values()]
      .filter((one) => one.month === month && one.expiresAtMs > this.#rows.nowMs)
      .sort((one, other) => one.expiresAtMs - other.expiresAtMs || (one.id < other.id ? -1 : 1));
  }

  #change(changed: SessionReservation): void {
    this.#all.set(changed.id, changed);
    this.changedReservations.set(changed.id, changed);
  }

  #put(progress: SessionProgress): void {
    this.#stored = { progress, isChanged: true };
  }

  get #progress(): SessionProgress | undefined {
    this.#stored ??= { progress: this.#rows.session(this.#key.keyId, this.#session), isChanged: false };
    return this.#stored.progress;
  }

  get #all(): Map<string, SessionReservation> {
    this.#reservations ??= new Map(
      this.#rows.sessionReservations(this.#key, this.#session).map((one) => [one.id, one]),
    );
    return this.#reservations;
  }
}
