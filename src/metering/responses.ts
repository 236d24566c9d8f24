/** Responses that are stored with their charge, so that a repeated request gets the same response free of charge. */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { POOLS } from "../contract/pools.ts";

/** Identifies a request that may be repeated. */
export interface IdempotencyKey {
  /** Unique within the account. */
  readonly id: string;
  /** A hash of the whole request: another request under the same id is a conflict. */
  readonly requestHash: string;
}

/**
 * A request with the response to store if it is granted. Without `response`, the request is only checked for a stored
 * response.
 */
export interface IdempotencyEntry extends IdempotencyKey {
  /** Stored for at most a week; see {@link MAX_STORED_RESPONSE_MS}. */
  readonly response?: PackedResponse & { readonly lifetimeMs: number };
}

interface PackedResponse {
  readonly status: number;
  /** The text as {@link packResponse} returns it. */
  readonly text: string;
  /**
   * The KVK and VAT numbers and court cases in it. The response is withdrawn if one of them is suppressed or removed.
   */
  readonly numbers: readonly string[];
}

/** A stored response. */
export interface ReplayedResponse {
  readonly status: number;
  /** Absent if it was withdrawn because a company in it was suppressed, or a court case removed. */
  readonly text?: string;
  readonly numbers: readonly string[];
}

/**
 * Limits of stored responses: number and bytes per account, and bytes of all accounts. Each response cost a token or
 * belongs to a paid typing session, so only accounts with a very large allowance reach these limits.
 */
export const STORED_RESPONSE_LIMITS = {
  responses: 200_000,
  bytes: POOLS.storedResponses.perAccount,
  totalBytes: POOLS.storedResponses.slots,
} as const;

/** The longest time that a response is stored. */
export const MAX_STORED_RESPONSE_MS = 7 * 86_400_000;

/** Bytes of a stored response besides its text, and of each number in it. */
const ROW_BYTES = 200;
const NUMBER_BYTES = 12;

function bytesOf({ text, numbers }: PackedResponse): number {
  return Buffer.byteLength(text) + numbers.length * NUMBER_BYTES + ROW_BYTES;
}

const deflate = promisify<string, Buffer>(deflateRaw);
const inflate = promisify<Buffer, Buffer>(inflateRaw);
/** Shorter texts are stored uncompressed. */
const PACKED_FROM = 1_024;
const AS_IT_IS = "=";
const PACKED = "~";

/**
 * Returns a text in its stored form: compressed if it is long (DEFLATE, RFC 1951, in base64). Runs on libuv's threads.
 */
export async function packResponse(text: string): Promise<string> {
  if (text.length < PACKED_FROM) return AS_IT_IS + text;
  return PACKED + (await deflate(text)).toString("base64");
}

/** Returns the text that {@link packResponse} packed. */
export async function unpackResponse(packed: string): Promise<string> {
  if (!packed.startsWith(PACKED)) return packed.slice(AS_IT_IS.length);
  return (await inflate(Buffer.from(packed.slice(PACKED.length), "base64"))).toString("utf8");
}

/** A stored response. Its text is empty if it was withdrawn. */
interface StoredResponse extends PackedResponse {
  readonly requestHash: string;
  readonly expiresAtMs: number;
}

/** The stored response or the running request under an id of an account, expired or not. */
export interface IdempotencyState {
  readonly response?: StoredResponse;
  /** A running request: a reservation that was not released. */
  readonly running?: Pick<StoredResponse, "requestHash" | "expiresAtMs"> & { readonly reservationId: string };
}

/** The stored responses of an account that count towards its limits. */
export interface StoredResponseTotals {
  readonly responses: number;
  readonly bytes: number;
}

/** A response to store. It replaces an expired one under the same id. */
export interface NewStoredResponse extends StoredResponse {
  readonly accountId: string;
  readonly id: string;
  /** Bytes that count towards the account's limit. */
  readonly bytes: number;
}

/** The rows of responses that a batch reads. */
export interface ResponseRows {
  readonly nowMs: number;
  /** Returns the stored response and the running request under an id that a request of the batch uses. */
  entry(accountId: string, id: string): IdempotencyState | undefined;
  responseTotals(accountId: string): StoredResponseTotals;
  /** The bytes of all accounts, at most a minute old. */
  readonly totalResponseBytes: number;
}

/**
 * The outcome of a request with an `Idempotency-Key` that is not decided: a replay, a conflict, or no room to store it.
 * It is free.
 */
export type IdempotencyHit =
  | { readonly outcome: "repeated"; readonly response: ReplayedResponse }
  | { readonly outcome: "conflict"; readonly lapsesInMs?: number }
  | { readonly outcome: "full"; readonly isServiceFull: boolean };

/** The reservations that a batch made and settled, to recognise repeated requests. */
interface Reservations {
  readonly reserved: readonly {
    readonly id: string;
    readonly accountId: string;
    readonly expiresAtMs: number;
    readonly idempotency?: IdempotencyKey;
  }[];
  readonly settled: ReadonlySet<string>;
}

/** Stored responses and running requests, as stored and as this batch changes them. */
export class BatchResponses {
  readonly #rows: ResponseRows;
  readonly #reservations: Reservations;
  readonly #added = new Map<string, NewStoredResponse>();

  constructor(rows: ResponseRows, reservations: Reservations) {
    this.#rows = rows;
    this.#reservations = reservations;
  }

  get added(): readonly NewStoredResponse[] {
    return [...this.#added.values()];
  }

  /** Returns the outcome of a repeated request; undefined if the request must be decided. */
  findHit(
    accountId: string,
    idempotency: IdempotencyEntry,
    isReserving: boolean,
  ): IdempotencyHit | undefined {
    const stored = this.#rows.entry(accountId, idempotency.id);
    const hit = this.findStoredHit(accountId, idempotency, stored);
    if (hit !== undefined) return hit;
    const running = this.#runningRequest(accountId, idempotency.id, stored);
    if (running !== undefined) {
      if (running.requestHash !== idempotency.requestHash) return { outcome: "conflict" };
      return { outcome: "conflict", lapsesInMs: running.expiresAtMs - this.#rows.nowMs };
    }
    return isReserving || idempotency.response !== undefined ? this.#refusalIfFull(accountId) : undefined;
  }

  /** Returns the response stored under an id, regardless of running requests. */
  findStoredHit(
    accountId: string,
    { id, requestHash }: IdempotencyEntry,
    stored: IdempotencyState | undefined = this.#rows.entry(accountId, id),
  ): IdempotencyHit | undefined {
    const found = this.#added.get(keyOf(accountId, id)) ?? stored?.response;
    if (found === undefined || found.expiresAtMs <= this.#rows.nowMs) return undefined;
    if (found.requestHash !== requestHash) return { outcome: "conflict" };
    const { status, text, numbers } = found;
    return { outcome: "repeated", response: { status, numbers, ...(text !== "" && { text }) } };
  }

  /** Stores the response of a granted request, if it has one. */
  add(accountId: string, { id, requestHash, response }: IdempotencyEntry): void {
    if (response === undefined) return;
    const { status, text, numbers, lifetimeMs } = response;
    this.#added.set(keyOf(accountId, id), {
      accountId,
      id,
      requestHash,
      status,
      text,
      numbers,
      expiresAtMs: this.#rows.nowMs + Math.min(lifetimeMs, MAX_STORED_RESPONSE_MS),
      bytes: bytesOf(response),
    });
  }

  #runningRequest(
    accountId: string,
    id: string,
    stored: IdempotencyState | undefined,
  ): Pick<StoredResponse, "requestHash" | "expiresAtMs"> | undefined {
    const { reserved, settled } = this.#reservations;
    const reservation = reserved.find(
      (row) => row.idempotency?.id === id && row.accountId === accountId && !settled.has(row.id),
    );
    if (reservation?.idempotency !== undefined)
      return { ...reservation.idempotency, expiresAtMs: reservation.expiresAtMs };
    const running = stored?.running;
    if (running === undefined || settled.has(running.reservationId)) return undefined;
    return running.expiresAtMs > this.#rows.nowMs ? running : undefined;
  }

  #refusalIfFull(accountId: string): IdempotencyHit | undefined {
    let { responses, bytes } = this.#rows.responseTotals(accountId);
    let totalBytes = this.#rows.totalResponseBytes;
    for (const added of this.#added.values()) {
      totalBytes += added.bytes;
      if (added.accountId !== accountId) continue;
      responses += 1;
      bytes += added.bytes;
    }
    if (responses >= STORED_RESPONSE_LIMITS.responses || bytes >= STORED_RESPONSE_LIMITS.bytes)
      return { outcome: "full", isServiceFull: false };
    return totalBytes >= STORED_RESPONSE_LIMITS.totalBytes
      ? { outcome: "full", isServiceFull: true }
      : undefined;
  }
}

function keyOf(accountId: string, id: string): string {
  return `${accountId} ${id}`;
}
