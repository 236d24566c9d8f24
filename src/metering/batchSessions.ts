/** Decides which call of a typing session is charged, and which calls follow it or share reserved tokens. */
import type { LedgerOperation } from "../contract/prices.ts";
import { MAX_FOLLOWERS } from "../contract/typingSession.ts";
import { afterCall, openSession, type SessionProgress } from "./typingSession.ts";

/** A typing session that a call began or followed, in the form to store. */
export interface ChangedSession extends SessionProgress {
  readonly keyId: string;
  readonly session: string;
  readonly accountId: string;
}

/**
 * A running call of a typing session. With `tokens` it may begin the session; with `beganAtMs` it has a place in the
 * session that began then; with neither it shares tokens that another call of its session has reserved.
 */
export interface SessionReservation {
  readonly id: string;
  readonly month: number;
  readonly tokens: number;
  readonly expiresAtMs: number;
  /** The day of the key's daily cap that it counts towards; null for a key without a cap. */
  readonly spendingDay: number | null;
  readonly beganAtMs: number | null;
}

/** An unsettled reservation. */
export interface StoredReservation extends Omit<SessionReservation, "expiresAtMs"> {
  readonly operation: LedgerOperation;
  /** It has expired, so the account may spend its tokens again. */
  readonly isGivenBack: boolean;
  /** See {@link SessionReservation}; null for a call without a session. */
  readonly session: string | null;
}

interface OfKey {
  readonly keyId: string;
  readonly accountId: string;
}

/** The rows of the sessions that requests of the batch name. */
export interface SessionRows {
  readonly nowMs: number;
  /** Returns the progress of a key's session by its hash. */
  session(keyId: string, session: string): SessionProgress | undefined;
  /** Returns the reservations of a session that were not released, expired ones included. */
  sessionReservations(key: OfKey, session: string): readonly SessionReservation[];
}

/**
 * How a call enters a session. `follows`: the session was paid for. `shares`: another running call reserved the price,
 * and the first of them to be delivered spends it. `pays`: the call must cover its own price.
 */
export type Entry = "follows" | "shares" | "pays";

/** The effect of settling a reservation. */
export interface Settled {
  readonly charged: number;
  /** Tokens that are no longer reserved for its account. */
  readonly freed: number;
  /** The part of `freed` that the key's daily cap counts, and its day. */
  readonly reservedTokens: number;
  readonly spendingDay: number | null;
  /** It is the first delivered call of its session. */
  readonly beginsSession: boolean;
}

/** The sessions of one transaction, read on demand. */
export class BatchSessions {
  readonly #rows: SessionRows;
  readonly #sessions = new Map<string, BatchSession>();

  constructor(rows: SessionRows) {
    this.#rows = rows;
  }

  get(key: OfKey, session: string): BatchSession {
    const name = `${key.keyId} ${session}`;
    let batchSession = this.#sessions.get(name);
    if (batchSession === undefined) {
      batchSession = new BatchSession(this.#rows, key, session);
      this.#sessions.set(name, batchSession);
    }
    return batchSession;
  }

  /** Returns each session that a call began or followed. */
  changes(): readonly ChangedSession[] {
    return [...this.#sessions.values()].flatMap(({ change }) => change ?? []);
  }

  /** Returns unsettled reservations whose tokens or place in a session changed. */
  changedReservations(): readonly SessionReservation[] {
    return [...this.#sessions.values()].flatMap(({ changedReservations }) => [
      ...changedReservations.values(),
    ]);
  }

  /** Returns a reservation in its current state: other calls of its session may have changed it. */
  current<Reservation extends Pick<StoredReservation, "id" | "session">>(
    key: OfKey,
    row: Reservation,
  ): Reservation {
    const changed = row.session === null ? undefined : this.get(key, row.session).reservation(row.id);
    if (changed === undefined) return row;
    return { ...row, tokens: changed.tokens, spendingDay: changed.spendingDay, beganAtMs: changed.beganAtMs };
  }

  /**
   * Settles a reservation.
   * @param session the session that its call names
   * @param charge the price of the delivered response; 0 when the call failed
   * @param isCovered whether the remaining allowance covers a charge without reserved tokens
   * @returns undefined if the charge is not covered and nothing may be delivered
   */
  settle(
    key: OfKey,
    session: string | undefined,
    row: StoredReservation,
    { charge, isCovered }: { readonly charge: number; readonly isCovered: (tokens: number) => boolean },
  ): Settled | undefined {
    const { month, tokens, isGivenBack, spendingDay, beganAtMs } = row;
    const reservedSession = row.session === null ? undefined : this.get(key, row.session);
    const namedSession = session === undefined ? undefined : this.get(key, session);
    reservedSession?.remove(row.id);
    const shares = reservedSession !== undefined && tokens === 0 && beganAtMs === null;
    // A call that has its place follows, even if the session has ended since.
    const next = charge > 0 && (tokens > 0 || shares) ? namedSession : undefined;
    const follows = next?.open !== undefined;
    const hold = shares && !follows ? next?.takeHold(month, charge) : undefined;
    const price = shares ? charge : Math.min(charge, tokens);
    const charged = follows ? 0 : price;
    const mustBeCovered = isGivenBack || (shares && charged > 0);
    if (mustBeCovered && hold === undefined && !isCovered(charged)) return undefined;
    if (charge === 0 && beganAtMs !== null) namedSession?.freePlace(beganAtMs);
    const isUnspent = charged === 0 && tokens > 0 && !isGivenBack;
    const isPassedOn =
      isUnspent &&
      reservedSession !== undefined &&
      reservedSession === namedSession &&
      reservedSession.passOnHold(row);
    const beginsSession = next?.admitFollowers(month) === true;
    if (hold !== undefined)
      return {
        charged,
        freed: hold.tokens,
        reservedTokens: hold.tokens,
        spendingDay: hold.spendingDay,
        beginsSession,
      };
    if (isPassedOn) return { charged, freed: 0, reservedTokens: 0, spendingDay, beginsSession };
    return { charged, freed: isGivenBack ? 0 : tokens, reservedTokens: tokens, spendingDay, beginsSession };
  }
}

/**
 * One session in a transaction. Before the session begins, each reservation with tokens (a hold) is shared by as many
 * other calls as may follow. The first one delivered begins the session.
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

  /** The session to store; undefined if it did not change. */
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

  /** @param month the month that the call would be charged in */
  entry(month: number, price: number): Entry {
    if (this.open !== undefined) return "follows";
    const holds = this.#holds(month, price).length;
    return holds > 0 && this.#sharing(month).length < MAX_FOLLOWERS * holds ? "shares" : "pays";
  }

  /** Records a delivered call. @returns whether it began the session */
  admitFollowers(month: number): boolean {
    const { open } = this;
    const after = afterCall(open, this.#rows.nowMs);
    this.#setProgress({
      ...after,
      followers: open === undefined ? this.#placeSharing(month) : after.followers,
    });
    return open === undefined;
  }

  /**
   * Records a call whose work begins now. A following call takes its place first, which limits concurrent ones.
   * @returns when the session began that the call follows
   */
  reserve(entry: Entry, reservation: Omit<SessionReservation, "beganAtMs">): number | null {
    const open = entry === "follows" ? this.open : undefined;
    if (open !== undefined) this.#setProgress(afterCall(open, this.#rows.nowMs));
    const beganAtMs = open?.beganAtMs ?? null;
    this.#unsettled.set(reservation.id, { ...reservation, beganAtMs });
    return beganAtMs;
  }

  /** Returns a reservation in its current state while its call is running. */
  reservation(id: string): SessionReservation | undefined {
    return this.#unsettled.get(id);
  }

  /** Removes a settled reservation. */
  remove(id: string): void {
    this.#unsettled.delete(id);
    this.changedReservations.delete(id);
  }

  /** Frees the place of a failed call, if the session is still the same. */
  freePlace(beganAtMs: number): void {
    const stored = this.#progress;
    if (stored === undefined || stored.beganAtMs !== beganAtMs || stored.followers === 0) return;
    this.#setProgress({ beganAtMs, followers: stored.followers - 1 });
  }

  /** Takes a hold for the call that is delivered first; its owner shares from then on. @returns the hold as it was */
  takeHold(month: number, charge: number): SessionReservation | undefined {
    const [hold] = this.#holds(month, charge);
    if (hold !== undefined) this.#change({ ...hold, tokens: 0 });
    return hold;
  }

  /**
   * Passes the unspent hold of a settled reservation to a sharing call, if too few holds remain for sharing calls.
   * @returns whether it was passed on
   */
  passOnHold({ month, tokens, spendingDay }: StoredReservation): boolean {
    const sharing = this.#sharing(month);
    const [recipient] = sharing;
    if (recipient === undefined || sharing.length <= MAX_FOLLOWERS * this.#holds(month, 1).length)
      return false;
    this.#change({ ...recipient, tokens, spendingDay });
    return true;
  }

  /** Gives the sharing calls their places when the session begins. @returns their number */
  #placeSharing(month: number): number {
    const placed = this.#sharing(month).slice(0, MAX_FOLLOWERS);
    for (const reservation of placed) this.#change({ ...reservation, beganAtMs: this.#rows.nowMs });
    return placed.length;
  }

  #holds(month: number, price: number): SessionReservation[] {
    return this.#inProgress(month).filter(({ tokens }) => tokens > 0 && tokens >= price);
  }

  #sharing(month: number): SessionReservation[] {
    return this.#inProgress(month).filter(({ tokens, beganAtMs }) => tokens === 0 && beganAtMs === null);
  }

  /** Returns the reservations of a month, the first to expire first. */
  #inProgress(month: number): SessionReservation[] {
    return [...this.#unsettled.values()]
      .filter((reservation) => reservation.month === month && reservation.expiresAtMs > this.#rows.nowMs)
      .sort((left, right) => left.expiresAtMs - right.expiresAtMs || (left.id < right.id ? -1 : 1));
  }

  #change(changed: SessionReservation): void {
    this.#unsettled.set(changed.id, changed);
    this.changedReservations.set(changed.id, changed);
  }

  #setProgress(progress: SessionProgress): void {
    this.#stored = { progress, isChanged: true };
  }

  get #progress(): SessionProgress | undefined {
    this.#stored ??= { progress: this.#rows.session(this.#key.keyId, this.#session), isChanged: false };
    return this.#stored.progress;
  }

  get #unsettled(): Map<string, SessionReservation> {
    this.#reservations ??= new Map(
      this.#rows
        .sessionReservations(this.#key, this.#session)
        .map((reservation) => [reservation.id, reservation]),
    );
    return this.#reservations;
  }
}
