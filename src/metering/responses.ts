/** Responses that are stored with their charge, so that the same request again gets the same one and costs nothing. */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { POOLS } from "../contract/pools.ts";

/** By what a request is known again. */
export interface Repeatable {
  /** Unique within the account. */
  readonly id: string;
  /** Of all that makes the request what it is: another one under the same id is a conflict. */
  readonly requestHash: string;
}

/** With an answer it is kept when the request is granted; without one it is only looked for. */
export interface IdempotencyEntry extends Repeatable {
  /** It is kept for a week at most, see {@link MAX_KEPT_MS}. */
  readonly answer?: PackedAnswer & { readonly lifetimeMs: number };
}

interface PackedAnswer {
  readonly status: number;
  /** As {@link packAnswer} makes it; the store gives it back as it is. */
  readonly text: string;
  /** The KVK and VAT numbers of whom it tells: it is withdrawn when one of them is suppressed. */
  readonly names: readonly string[];
}

/** A stored answer, to be repeated. */
export interface KeptAnswer {
  readonly status: number;
  /** Absent when it was withdrawn, because a company in it was suppressed. */
  readonly text?: string;
  readonly names: readonly string[];
}

/**
 * Answers of an account that are kept at once, and the bytes of their texts as they are stored; and the bytes of all accounts. An answer costs
 * a token or follows in a session of typing that did: 200,000 of a day are 40 times what the largest plan has in a month, so that only an account with a
 * large granted allowance meets the bound, or one that spends its month in a day on nothing but full sessions.
 */
export const KEPT_BOUNDS = {
  answers: 200_000,
  bytes: POOLS.storedResponses.perAccount,
  bytesOfAll: POOLS.storedResponses.places,
} as const;

/** Nothing is kept for longer. */
export const MAX_KEPT_MS = 7 * 86_400_000;

/** The bytes of each answer besides its text, and of each name in it. */
const ROW_BYTES = 200;
const NAME_BYTES = 12;

function bytesOf({ text, names }: PackedAnswer): number {
  return Buffer.byteLength(text) + names.length * NAME_BYTES + ROW_BYTES;
}

const deflate = promisify<string, Buffer>(deflateRaw);
const inflate = promisify<Buffer, Buffer>(inflateRaw);
/** Shorter texts are kept as they are. */
const PACKED_FROM = 1_024;
const AS_IT_IS = "=";
const PACKED = "~";

/** A text as it is kept: a long one compressed, on a thread of its own (DEFLATE, RFC 1951, in base64). */
export async function packAnswer(text: string): Promise<string> {
  if (text.length < PACKED_FROM) return AS_IT_IS + text;
  return PACKED + (await deflate(text)).toString("base64");
}

/** The answer that {@link packAnswer} packed. */
export async function unpackAnswer(kept: string): Promise<string> {
  if (!kept.startsWith(PACKED)) return kept.slice(AS_IT_IS.length);
  return (await inflate(Buffer.from(kept.slice(PACKED.length), "base64"))).toString("utf8");
}

/** An answer among all that are kept, in the order in which they are gone through. */
export interface KeptPlace {
  readonly accountId: string;
  readonly id: string;
}

/** The stored answers, apart from the decisions that store them. */
export interface KeptStore {
  /** Deletes some of what is kept no longer. @returns how many; fewer than `most` when none is left */
  sweepKept(nowMs: number, most: number): Promise<number>;
  /**
   * Looks through the next answers, and withdraws those of them that tell of one of these KVK and VAT numbers, paid as they are: the same
   * request again costs nothing, and is not told them.
   * @param after where the step before this one ended
   * @param most so many answers are looked at
   * @returns where this one ended; undefined when none is left
   */
  withdrawKept(names: readonly string[], after: KeptPlace, most: number): Promise<KeptPlace | undefined>;
}

const BEFORE_ALL: KeptPlace = { accountId: "", id: "" };
/** At a page of the disk for each, the work of some milliseconds. */
const WITHDRAWN_IN_A_STEP = 200;

/** Withdraws all answers that tell of one of these numbers, step by step: whoever waits for the store is let in between. */
export async function withdrawAll(
  store: Pick<KeptStore, "withdrawKept">,
  names: readonly string[],
): Promise<void> {
  let after: KeptPlace | undefined = BEFORE_ALL;
  while (after !== undefined) after = await store.withdrawKept(names, after, WITHDRAWN_IN_A_STEP);
}

/** A kept answer. Its text is empty when it was withdrawn. */
interface StoredAnswer extends PackedAnswer {
  readonly requestHash: string;
  readonly expiresAtMs: number;
}

/** The answer or running request under an id of an account, expired or not. */
export interface StoredKept {
  readonly answer?: StoredAnswer;
  /** Work under way: a reservation that is not given back. */
  readonly mark?: Pick<StoredAnswer, "requestHash" | "expiresAtMs"> & { readonly reservationId: string };
}

/** The stored answers of an account that count against its bounds. */
export interface KeptTotals {
  readonly answers: number;
  readonly bytes: number;
}

/** An answer to keep; one under the same id is over, and goes. */
export interface NewKept extends StoredAnswer {
  readonly accountId: string;
  readonly id: string;
  /** Bytes that count against the bounds of its account; 0 when it does not. */
  readonly bytes: number;
}

/** The rows of responses that a batch reads. */
export interface ResponseRows {
  readonly nowMs: number;
  /** The stored answer and the running request under an id that a request of the batch names. */
  kept(accountId: string, id: string): StoredKept | undefined;
  keptTotals(accountId: string): KeptTotals;
  /** The bytes of all accounts, as they were a minute ago at most. */
  readonly keptBytesOfAll: number;
}

/** The outcome of a repeated request, instead of a decision; it is not charged. */
export type IdempotencyHit =
  | { readonly outcome: "repeated"; readonly kept: KeptAnswer }
  | { readonly outcome: "conflict"; readonly lapsesInMs?: number }
  | { readonly outcome: "full"; readonly isOfAll: boolean };

/** The reservations of a batch by which repeated requests are known: those that it made, and those that it settled. */
interface Reservations {
  readonly made: readonly {
    readonly id: string;
    readonly accountId: string;
    readonly expiresAtMs: number;
    readonly keep?: Repeatable;
  }[];
  readonly settled: ReadonlySet<string>;
}

/** Stored responses and work under way, as the store holds them and as this batch changes them. */
export class BatchResponses {
  readonly #rows: ResponseRows;
  readonly #reservations: Reservations;
  readonly #added = new Map<string, NewKept>();

  constructor(rows: ResponseRows, reservations: Reservations) {
    this.#rows = rows;
    this.#reservations = reservations;
  }

  get added(): readonly NewKept[] {
    return [...this.#added.values()];
  }

  /** The outcome of a repeated request; undefined for one that must be decided. */
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
  ): Pick<StoredAnswer, "requestHash" | "expiresAtMs"> | undefined {
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
