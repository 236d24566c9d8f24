import type { BatchRows, ChangedSession, SessionReservation, StoredReservation } from "./batchRows.ts";
import type { KeyRow } from "./decide.ts";
import { SharedHolds } from "./sharedHolds.ts";
import { afterCall, openSession, type SessionProgress } from "./typingSession.ts";

type OfKey = Pick<KeyRow, "keyId" | "accountId">;

/**
 * How a call of a session comes in: it follows one that was paid for (`follows`); the price of the first is set aside by another call of the
 * same session that is under way, and may be spent by whichever is delivered first (`shares`); or it has to cover its own price (`pays`).
 */
export type Entry = "follows" | "shares" | "pays";

/** What a reservation that is settled comes to. */
export interface Settled {
  readonly charged: number;
  /** What is no longer set aside for its account. */
  readonly freed: number;
  /** How much of what is freed its key's cap counts, and on which day. */
  readonly setAside: number;
  readonly spendingDay: number | null;
  /** It is the first of its session that is delivered. */
  readonly begins: boolean;
}

/** A reservation by its id. */
export type Held = StoredReservation & { readonly id: string };

/** The sessions of typing of one transaction: read through {@link BatchRows} when a call of one is decided, and given back in the end. */
export class BatchSessions {
  readonly #rows: BatchRows;
  readonly #holds: SharedHolds;
  readonly #known = new Map<string, SessionProgress | undefined>();
  readonly #changed = new Map<string, ChangedSession>();

  constructor(rows: BatchRows) {
    this.#rows = rows;
    this.#holds = new SharedHolds(rows);
  }

  /** Each session that was begun or followed, as it is now. */
  changes(): readonly ChangedSession[] {
    return this.#changed.size === 0 ? NONE : [...this.#changed.values()];
  }

  /** Reservations of this batch and of earlier ones that set aside something else now, or have their place now. */
  get shared(): readonly SessionReservation[] {
    return this.#holds.changes;
  }

  /** @param month the one that the call's price would be charged in */
  entry(key: OfKey, session: string | undefined, month: number, price: number): Entry {
    if (session === undefined) return "pays";
    if (this.#open(key.keyId, session) !== undefined) return "follows";
    return this.#holds.canShare(key, session, month, price) ? "shares" : "pays";
  }

  /** Notes a call that is delivered at once. @returns whether it was the first of its session, and the hold that it spends if it shared one */
  deliver(
    key: OfKey,
    session: string,
    month: number,
    { entry, charge }: { readonly entry: Entry; readonly charge: number },
  ): { readonly begins: boolean; readonly hold: SessionReservation | undefined } {
    const hold = entry === "shares" ? this.#holds.take(key, session, month, charge) : undefined;
    return { begins: this.#take(key, session, month), hold };
  }

  /**
   * Notes a call whose work begins now. Who follows has its place before that, or any number could follow at once.
   * @returns what the reservation is to say of the session
   */
  reserve(
    key: OfKey,
    session: string | undefined,
    entry: Entry,
    made: Omit<SessionReservation, "beganAtMs">,
  ): Pick<StoredReservation, "session" | "beganAtMs"> {
    if (session === undefined || (entry === "pays" && made.tokens === 0)) return NO_SESSION;
    const open = entry === "follows" ? this.#open(key.keyId, session) : undefined;
    if (open !== undefined) this.#put(key, session, afterCall(open, this.#rows.nowMs));
    const beganAtMs = open?.beganAtMs ?? null;
    this.#holds.add(key, session, { ...made, beganAtMs });
    return { session, beganAtMs };
  }

  /** A reservation as it is now: others of its session may have taken its hold, or given it theirs, or a place. */
  present<Reservation extends Pick<Held, "id" | "session">>(key: OfKey, held: Reservation): Reservation {
    const now = held.session === null ? undefined : this.#holds.find(key, held.session, held.id);
    if (now === undefined) return held;
    return { ...held, tokens: now.tokens, spendingDay: now.spendingDay, beganAtMs: now.beganAtMs };
  }

  /**
   * Notes the end of a reservation's work.
   * @param session the one that its call names
   * @param charge what it delivers costs, 0 when it failed
   * @param isCovered whether what is left covers a charge that nothing is set aside for
   * @returns what it comes to; undefined when it is not covered, and nothing may be delivered
   */
  settle(
    key: OfKey,
    session: string | undefined,
    held: Held,
    { charge, isCovered }: { readonly charge: number; readonly isCovered: (tokens: number) => boolean },
  ): Settled | undefined {
    const { month, tokens, isGivenBack, spendingDay, beganAtMs } = held;
    if (held.session !== null) this.#holds.end(key, held.session, held.id);
    const shares = held.session !== null && tokens === 0 && beganAtMs === null;
    const isDelivered = session !== undefined && charge > 0;
    // What has its place follows, whatever became of the session since.
    const isNext = isDelivered && (tokens > 0 || shares);
    const follows = isNext && this.#open(key.keyId, session) !== undefined;
    const hold = isNext && shares && !follows ? this.#holds.take(key, session, month, charge) : undefined;
    const price = shares ? charge : Math.min(charge, tokens);
    const charged = follows ? 0 : price;
    const mustBeCovered = isGivenBack || (shares && charged > 0);
    if (mustBeCovered && hold === undefined && !isCovered(charged)) return undefined;
    if (session !== undefined && charge === 0 && beganAtMs !== null) this.#giveBack(key, session, beganAtMs);
    const isUnspent = charged === 0 && tokens > 0 && !isGivenBack;
    const isPassedOn = isUnspent && session === held.session && this.#passOn(key, held);
    const begins = isNext && this.#take(key, session, month);
    if (hold !== undefined)
      return { charged, freed: hold.tokens, setAside: hold.tokens, spendingDay: hold.spendingDay, begins };
    if (isPassedOn) return { charged, freed: 0, setAside: 0, spendingDay, begins };
    return { charged, freed: isGivenBack ? 0 : tokens, setAside: tokens, spendingDay, begins };
  }

  #passOn(key: OfKey, held: Held): boolean {
    return held.session !== null && this.#holds.passOn(key, held.session, held);
  }

  /** Lets a call in that is delivered. @returns whether it began the session */
  #take(key: OfKey, session: string, month: number): boolean {
    const open = this.#open(key.keyId, session);
    const after = afterCall(open, this.#rows.nowMs);
    const followers = open === undefined ? this.#holds.place(key, session, month) : after.followers;
    this.#put(key, session, { ...after, followers });
    return open === undefined;
  }

  /** A call that had its place in a session failed: another one may have it, as long as the session is the same. */
  #giveBack(key: OfKey, session: string, beganAtMs: number): void {
    const stored = this.#stored(key.keyId, session);
    if (stored === undefined || stored.beganAtMs !== beganAtMs || stored.followers === 0) return;
    this.#put(key, session, { beganAtMs, followers: stored.followers - 1 });
  }

  #put({ keyId, accountId }: OfKey, session: string, progress: SessionProgress): void {
    const id = idOf(keyId, session);
    this.#known.set(id, progress);
    this.#changed.set(id, { keyId, session, accountId, ...progress });
  }

  #open(keyId: string, session: string): SessionProgress | undefined {
    return openSession(this.#stored(keyId, session), this.#rows.nowMs);
  }

  #stored(keyId: string, session: string): SessionProgress | undefined {
    const id = idOf(keyId, session);
    if (!this.#known.has(id)) this.#known.set(id, this.#rows.session(keyId, session));
    return this.#known.get(id);
  }
}

const NONE: readonly ChangedSession[] = [];
const NO_SESSION = { session: null, beganAtMs: null };

function idOf(keyId: string, session: string): string {
  return `${keyId} ${session}`;
}
