import type { BatchRows, NewKept, NewReservation, StoredKept } from "./batchRows.ts";
import { bytesOf, type IdempotencyEntry, KEPT_BOUNDS, type KeptAnswer, MAX_KEPT_MS } from "./kept.ts";

/** What a request that is known again meets in the place of being decided; nothing is charged for it. */
export type IdempotencyHit =
  | { readonly outcome: "repeated"; readonly kept: KeptAnswer }
  | { readonly outcome: "conflict"; readonly lapsesInMs?: number }
  | { readonly outcome: "full"; readonly isOfAll: boolean };

/** What of a batch counts for who is known again: reservations that it made, and those that it settled. */
export interface Reservations {
  readonly made: readonly NewReservation[];
  readonly settled: ReadonlySet<string>;
}

type Rows = Pick<BatchRows, "nowMs" | "kept" | "keptTotals" | "keptBytesOfAll">;

/** What is kept and what is under way, as the store holds it and as this batch changes it. */
export class KeptInBatch {
  readonly #rows: Rows;
  readonly #reservations: Reservations;
  readonly #added = new Map<string, NewKept>();

  constructor(rows: Rows, reservations: Reservations) {
    this.#rows = rows;
    this.#reservations = reservations;
  }

  get added(): readonly NewKept[] {
    return [...this.#added.values()];
  }

  /** What a request meets before it is decided; undefined when it is to be decided like any other. */
  hit(accountId: string, keep: IdempotencyEntry, isReserving: boolean): IdempotencyHit | undefined {
    const stored = this.#rows.kept(accountId, keep.id);
    const answered = this.answered(accountId, keep, stored);
    if (answered !== undefined) return answered;
    const mark = this.#mark(accountId, keep.id, stored);
    if (mark !== undefined) {
      if (mark.requestHash !== keep.requestHash) return { outcome: "conflict" };
      return { outcome: "conflict", lapsesInMs: mark.expiresAtMs - this.#rows.nowMs };
    }
    return isReserving || keep.answer !== undefined ? this.#full(accountId) : undefined;
  }

  /** The answer that is kept under an id, whatever is under way. */
  answered(
    accountId: string,
    { id, requestHash }: IdempotencyEntry,
    stored: StoredKept | undefined = this.#rows.kept(accountId, id),
  ): IdempotencyHit | undefined {
    const kept = this.#added.get(nameOf(accountId, id)) ?? stored?.answer;
    if (kept === undefined || kept.expiresAtMs <= this.#rows.nowMs) return undefined;
    if (kept.requestHash !== requestHash) return { outcome: "conflict" };
    const { status, text, names } = kept;
    return { outcome: "repeated", kept: { status, names, ...(text !== "" && { text }) } };
  }

  /** Keeps the answer of a request that was granted, if it has one. */
  add(accountId: string, { id, requestHash, answer }: IdempotencyEntry): void {
    if (answer === undefined) return;
    const { status, text, names, lifetimeMs } = answer;
    this.#added.set(nameOf(accountId, id), {
      accountId,
      id,
      requestHash,
      status,
      text,
      names,
      expiresAtMs: this.#rows.nowMs + Math.min(lifetimeMs, MAX_KEPT_MS),
      bytes: bytesOf(answer),
    });
  }

  #mark(
    accountId: string,
    id: string,
    stored: StoredKept | undefined,
  ): Omit<NonNullable<StoredKept["mark"]>, "reservationId"> | undefined {
    const { made, settled } = this.#reservations;
    const here = made.find(
      (one) => one.keep?.id === id && one.accountId === accountId && !settled.has(one.id),
    );
    if (here?.keep !== undefined) return { ...here.keep, expiresAtMs: here.expiresAtMs };
    const mark = stored?.mark;
    if (mark === undefined || settled.has(mark.reservationId)) return undefined;
    return mark.expiresAtMs > this.#rows.nowMs ? mark : undefined;
  }

  #full(accountId: string): IdempotencyHit | undefined {
    let { answers, bytes } = this.#rows.keptTotals(accountId);
    let bytesOfAll = this.#rows.keptBytesOfAll;
    for (const added of this.#added.values()) {
      bytesOfAll += added.bytes;
      if (added.accountId !== accountId) continue;
      answers += 1;
      bytes += added.bytes;
    }
    if (answers >= KEPT_BOUNDS.answers || bytes >= KEPT_BOUNDS.bytes)
      return { outcome: "full", isOfAll: false };
    return bytesOfAll >= KEPT_BOUNDS.bytesOfAll ? { outcome: "full", isOfAll: true } : undefined;
  }
}

function nameOf(accountId: string, id: string): string {
  return `${accountId} ${id}`;
}
