import { MOST_FOLLOWERS } from "../contract/typingSession.ts";
import type { BatchRows, SessionReservation } from "./batchRows.ts";
import type { KeyRow } from "./decide.ts";

type OfKey = Pick<KeyRow, "keyId" | "accountId">;
type Rows = Pick<BatchRows, "nowMs" | "sessionReservations">;

/**
 * The reservations of sessions of typing, as the store holds them and as a batch changes them. Before a session is begun each reservation
 * that has set tokens aside, a hold, is shared by as many others as may follow; whichever is delivered first begins the session by it.
 */
export class SharedHolds {
  readonly #rows: Rows;
  readonly #sessions = new Map<string, Map<string, SessionReservation>>();
  readonly #changed = new Map<string, SessionReservation>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Reservations of earlier batches that were changed and are not settled. */
  get changes(): readonly SessionReservation[] {
    return [...this.#changed.values()];
  }

  /** Whether one more may share a hold of this month that covers its price. */
  canShare(key: OfKey, session: string, month: number, price: number): boolean {
    const holds = this.#holds(key, session, month, price).length;
    return holds > 0 && this.#sharing(key, session, month).length < MOST_FOLLOWERS * holds;
  }

  /** A reservation as it is now, when it is under way. */
  find(key: OfKey, session: string, id: string): SessionReservation | undefined {
    return this.#of(key, session).get(id);
  }

  add(key: OfKey, session: string, reservation: SessionReservation): void {
    this.#of(key, session).set(reservation.id, reservation);
  }

  /** A reservation is settled. */
  end(key: OfKey, session: string, id: string): void {
    this.#of(key, session).delete(id);
    this.#changed.delete(id);
  }

  /** Takes a hold for a call that shared it and is delivered first; whose it was shares from now on. @returns the hold as it was */
  take(key: OfKey, session: string, month: number, charge: number): SessionReservation | undefined {
    const [hold] = this.#holds(key, session, month, charge);
    if (hold !== undefined) this.#change(key, session, { ...hold, tokens: 0 });
    return hold;
  }

  /**
   * Gives the hold of a reservation that is settled and has not spent it to one of those that share, where those would be too many for the
   * holds that are left. @returns whether it did
   */
  passOn(key: OfKey, session: string, { month, tokens, spendingDay }: Hold): boolean {
    const sharing = this.#sharing(key, session, month);
    const [heir] = sharing;
    const holds = this.#holds(key, session, month, 1).length;
    if (heir === undefined || sharing.length <= MOST_FOLLOWERS * holds) return false;
    this.#change(key, session, { ...heir, tokens, spendingDay });
    return true;
  }

  /** The session is begun: those that shared have their place in it from now on. @returns how many */
  place(key: OfKey, session: string, month: number): number {
    const placed = this.#sharing(key, session, month).slice(0, MOST_FOLLOWERS);
    for (const one of placed) this.#change(key, session, { ...one, beganAtMs: this.#rows.nowMs });
    return placed.length;
  }

  #holds(key: OfKey, session: string, month: number, price: number): SessionReservation[] {
    return this.#underWay(key, session, month).filter(({ tokens }) => tokens > 0 && tokens >= price);
  }

  #sharing(key: OfKey, session: string, month: number): SessionReservation[] {
    return this.#underWay(key, session, month).filter(
      ({ tokens, beganAtMs }) => tokens === 0 && beganAtMs === null,
    );
  }

  /** Those of a month, the one first that ends first. */
  #underWay(key: OfKey, session: string, month: number): SessionReservation[] {
    return [...this.#of(key, session).values()]
      .filter((one) => one.month === month && one.expiresAtMs > this.#rows.nowMs)
      .sort((one, other) => one.expiresAtMs - other.expiresAtMs || (one.id < other.id ? -1 : 1));
  }

  #change(key: OfKey, session: string, changed: SessionReservation): void {
    this.#of(key, session).set(changed.id, changed);
    this.#changed.set(changed.id, changed);
  }

  #of(key: OfKey, session: string): Map<string, SessionReservation> {
    const id = `${key.keyId} ${session}`;
    let known = this.#sessions.get(id);
    if (known === undefined) {
      known = new Map(this.#rows.sessionReservations(key, session).map((one) => [one.id, one]));
      this.#sessions.set(id, known);
    }
    return known;
  }
}

export type Hold = Pick<SessionReservation, "month" | "tokens" | "spendingDay">;
