import type { LedgerOperation } from "../../contract/prices.ts";
import {
  type BatchRows,
  boundsOf,
  isOver,
  type KeptTotals,
  type SessionReservation,
  type StoredAccount,
  type StoredKept,
  type StoredReservation,
} from "../../metering/batchRows.ts";
import type { KeyRow } from "../../metering/decide.ts";
import type { StoredJob } from "../../metering/jobChunk.ts";
import { daysOfMonth } from "../../metering/periods.ts";
import type { SessionProgress } from "../../metering/typingSession.ts";
import { isOpenJob } from "../jobTables.ts";
import { namesIn } from "../queries/kept.ts";
import type { BookStatements } from "./statements.ts";

/** Earlier than any month of a clock: an account that nothing was decided about yet. */
const BEFORE_ALL_MONTHS = 0;

const SUM_UP_EVERY_MS = 60_000;

/** The bytes that are kept for all accounts, added up once a minute: too much to be done for every call. */
export class KeptOfAll {
  readonly #statements: BookStatements;
  #bytes = 0;
  #addedUpAtMs = Number.NEGATIVE_INFINITY;

  constructor(statements: BookStatements) {
    this.#statements = statements;
  }

  bytes(nowMs: number): number {
    if (Math.abs(nowMs - this.#addedUpAtMs) >= SUM_UP_EVERY_MS) {
      this.#addedUpAtMs = nowMs;
      this.#bytes = Number(this.#statements.keptOfAll.get(nowMs)?.["bytes"] ?? 0);
    }
    return this.#bytes;
  }
}

/** The rows of the transaction that is open. A key is read when a batch asks for it, and its account with it; all else when it is asked for. */
export class SqliteRows implements BatchRows {
  readonly nowMs: number;
  readonly #statements: BookStatements;
  readonly #keptOfAll: KeptOfAll;
  readonly #accounts = new Map<string, StoredAccount>();
  /** Accounts that have reservations which are not given back. */
  readonly #holding = new Set<string>();

  constructor(statements: BookStatements, nowMs: number, keptOfAll: KeptOfAll) {
    this.#statements = statements;
    this.nowMs = nowMs;
    this.#keptOfAll = keptOfAll;
  }

  key(keyId: string): KeyRow | undefined {
    const row = this.#statements.key.get(keyId);
    if (row === undefined) return undefined;
    const accountId = String(row["account_id"]);
    const { tier, suspended, month, used, holds } = row;
    if (tier !== null) {
      this.#accounts.set(accountId, {
        accountId,
        tierName: String(tier),
        isSuspended: suspended === 1,
        month: month === null ? BEFORE_ALL_MONTHS : Number(month),
        used: month === null ? 0 : Number(used),
      });
    }
    if (holds === 1) this.#holding.add(accountId);
    return {
      keyId,
      accountId,
      isRevoked: row["revoked"] === 1 || isOver(row["ends_at"], this.nowMs),
      minute: Number(row["minute"]),
      callsInMinute: Number(row["calls_in_minute"]),
      ...boundsOf(row["expires_at_ms"], row["networks"], row["browser"], this.nowMs),
    };
  }

  account(accountId: string): StoredAccount | undefined {
    return this.#accounts.get(accountId);
  }

  usedIn(accountId: string, month: number): number {
    const { first, last } = daysOfMonth(month);
    return Number(this.#statements.usedInMonth.get(accountId, first, last)?.["used"] ?? 0);
  }

  reservedIn(accountId: string, month: number): number {
    if (!this.#holding.has(accountId)) return 0;
    const held = this.#statements.held.get(month, accountId);
    const nextExpiry = held?.["next_expiry"] ?? null;
    if (nextExpiry === null || Number(nextExpiry) > this.nowMs) return Number(held?.["tokens"] ?? 0);
    this.#statements.giveBack.run(accountId, this.nowMs);
    return Number(this.#statements.held.get(month, accountId)?.["tokens"] ?? 0);
  }

  reservation(reservationId: string, keyId: string): StoredReservation | undefined {
    const row = this.#statements.reservation.get(reservationId, keyId);
    if (row === undefined) return undefined;
    return {
      operation: String(row["operation"]) as LedgerOperation,
      month: Number(row["month"]),
      tokens: Number(row["tokens"]),
      spendingDay: orNull(row["spending_day"]),
      isGivenBack: row["given_back"] === 1 || Number(row["expires_at_ms"]) <= this.nowMs,
      session: row["session"] === null ? null : String(row["session"]),
      beganAtMs: orNull(row["session_began_ms"]),
    };
  }

  sessionReservations(
    { accountId, keyId }: Pick<KeyRow, "keyId" | "accountId">,
    session: string,
  ): readonly SessionReservation[] {
    if (!this.#holding.has(accountId)) return [];
    return this.#statements.sessionReservations.all(accountId, keyId, session).map((row) => ({
      id: String(row["id"]),
      month: Number(row["month"]),
      tokens: Number(row["tokens"]),
      expiresAtMs: Number(row["expires_at_ms"]),
      spendingDay: orNull(row["spending_day"]),
      beganAtMs: orNull(row["session_began_ms"]),
    }));
  }

  session(keyId: string, session: string): SessionProgress | undefined {
    const row = this.#statements.session.get(keyId, session);
    if (row === undefined) return undefined;
    return { beganAtMs: Number(row["began_at_ms"]), followers: Number(row["followers"]) };
  }

  kept(accountId: string, id: string): StoredKept | undefined {
    const answer = this.#statements.kept.get(accountId, id);
    const mark = this.#statements.underWay.get(accountId, id);
    return {
      ...(answer !== undefined && {
        answer: {
          requestHash: String(answer["request_hash"]),
          status: Number(answer["status"]),
          text: String(answer["answer"]),
          names: namesIn(String(answer["names"])),
          expiresAtMs: Number(answer["expires_at_ms"]),
        },
      }),
      ...(mark !== undefined && {
        mark: {
          reservationId: String(mark["id"]),
          requestHash: String(mark["request_hash"]),
          expiresAtMs: Number(mark["expires_at_ms"]),
        },
      }),
    };
  }

  keptTotals(accountId: string): KeptTotals {
    const row = this.#statements.keptTotals.get(accountId, this.nowMs);
    return { answers: Number(row?.["answers"] ?? 0), bytes: Number(row?.["bytes"] ?? 0) };
  }

  job(jobId: string): StoredJob | undefined {
    const row = this.#statements.job.get(jobId);
    if (row === undefined) return undefined;
    return { step: Number(row["step"]), claim: Number(row["claim"]), isOpen: isOpenJob(row["status"]) };
  }

  get keptBytesOfAll(): number {
    return this.#keptOfAll.bytes(this.nowMs);
  }
}

function orNull(cell: unknown): number | null {
  return cell === null ? null : Number(cell);
}
