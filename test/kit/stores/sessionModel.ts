/** For tests: a model of typing sessions. */
import type { LedgerLine } from "../../../src/metering/ledger.ts";
import type { SettlementRequest } from "../../../src/metering/store.ts";

const FIVE_MINUTES_MS = 300_000;
const THREE_MINUTES_MS = 180_000;

/** The session part of a request. */
type OfSession = Pick<SettlementRequest, "keyId" | "session">;

interface ModelSession {
  readonly beganAtMs: number;
  readonly followers: number;
}

export interface ModelReservation {
  readonly keyId: string;
  readonly accountId: string;
  readonly operation: LedgerLine["operation"];
  readonly month: string;
  tokens: number;
  readonly expiresAtMs: number;
  isGivenBack: boolean;
  /** Undefined without a session. */
  readonly session: string | undefined;
  /** The start of the session in which it has its place. */
  placedAtMs: number | undefined;
}

export class SessionModel {
  readonly #reservations: ReadonlyMap<string, ModelReservation>;
  readonly #sessions = new Map<string, ModelSession>();

  constructor(reservations: ReadonlyMap<string, ModelReservation>) {
    this.#reservations = reservations;
  }

  /** Reservations of a session in a month, in order of expiry. */
  #inProgress(
    keyId: string,
    session: string | undefined,
    month: string,
    nowMs: number,
  ): [string, ModelReservation][] {
    return [...this.#reservations]
      .filter(([, one]) => session !== undefined && one.keyId === keyId && one.session === session)
      .filter(([, one]) => one.month === month && !one.isGivenBack && one.expiresAtMs > nowMs)
      .sort(([id, one], [other, two]) => one.expiresAtMs - two.expiresAtMs || (id < other ? -1 : 1));
  }

  #holds(keyId: string, session: string | undefined, month: string, price: number, nowMs: number) {
    const inProgress = this.#inProgress(keyId, session, month, nowMs).map(([, one]) => one);
    return inProgress.filter(({ tokens }) => tokens > 0 && tokens >= price);
  }

  #sharing(keyId: string, session: string | undefined, month: string, nowMs: number) {
    const inProgress = this.#inProgress(keyId, session, month, nowMs).map(([, one]) => one);
    return inProgress.filter(({ tokens, placedAtMs }) => tokens === 0 && placedAtMs === undefined);
  }

  /** Forty calls may share one reservation. */
  shares({ keyId, session }: OfSession, month: string, price: number, nowMs: number): boolean {
    const holds = this.#holds(keyId, session, month, price, nowMs).length;
    return holds > 0 && this.#sharing(keyId, session, month, nowMs).length < 40 * holds;
  }

  takeHold(keyId: string, session: string | undefined, month: string, price: number, nowMs: number): boolean {
    const [hold] = this.#holds(keyId, session, month, price, nowMs);
    if (hold === undefined) return false;
    hold.tokens = 0;
    return true;
  }

  /** The session that a call can follow: paid for within three minutes, and followed by fewer than forty. */
  follows({ keyId, session }: OfSession, nowMs: number): ModelSession | undefined {
    const stored = session === undefined ? undefined : this.#sessions.get(`${keyId} ${session}`);
    if (stored === undefined || stored.followers === 40) return undefined;
    if (stored.beganAtMs - nowMs > FIVE_MINUTES_MS) return { ...stored, beganAtMs: nowMs };
    return nowMs - stored.beganAtMs <= THREE_MINUTES_MS ? stored : undefined;
  }

  /** A call that begins a session gives its places to the calls that already share it. */
  takePlace(request: OfSession, month: string, nowMs: number): void {
    const { keyId, session } = request;
    const open = this.follows(request, nowMs);
    let after = { beganAtMs: nowMs, followers: 0 };
    if (open !== undefined) after = { beganAtMs: open.beganAtMs, followers: open.followers + 1 };
    else {
      const placed = this.#sharing(keyId, session, month, nowMs).slice(0, 40);
      for (const one of placed) one.placedAtMs = nowMs;
      after.followers = placed.length;
    }
    this.#sessions.set(`${keyId} ${session}`, after);
  }

  givePlaceBack(keyId: string, session: string, placedAtMs: number): void {
    const stored = this.#sessions.get(`${keyId} ${session}`);
    if (stored === undefined || stored.beganAtMs !== placedAtMs || stored.followers === 0) return;
    this.#sessions.set(`${keyId} ${session}`, { ...stored, followers: stored.followers - 1 });
  }

  /** An unspent reservation goes to a call that shares it, if the remaining ones do not suffice for all. */
  passOn({ keyId, session, month, tokens }: ModelReservation, nowMs: number): void {
    const sharing = this.#sharing(keyId, session, month, nowMs);
    const holds = this.#holds(keyId, session, month, 1, nowMs).length;
    if (sharing[0] !== undefined && sharing.length > 40 * holds) sharing[0].tokens = tokens;
  }
}
