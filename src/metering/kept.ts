/** Answers that are kept with their charge, so that the same request again is told the same and costs nothing. */
import { deflateRaw, inflateRaw } from "node:zlib";
import { POOLS } from "../contract/pools.ts";

/** By what a request is known again. With an answer it is kept when the request is granted; without one it is only looked for. */
export interface IdempotencyEntry {
  /** Unique within the account. */
  readonly id: string;
  /** Of all that makes the request what it is: another one under the same id is a conflict. */
  readonly requestHash: string;
  readonly answer?: AnswerToKeep;
}

/** The same without an answer: it is looked for. */
export type Repeatable = Omit<IdempotencyEntry, "answer">;

export interface AnswerToKeep {
  readonly status: number;
  /** As {@link packAnswer} makes it; the store gives it back as it is. */
  readonly text: string;
  /** The KVK and VAT numbers of whom it tells: it is withdrawn when one of them is suppressed. */
  readonly names: readonly string[];
  /** A week at most, see {@link MAX_KEPT_MS}. */
  readonly lifetimeMs: number;
}

/** An answer as it is told again. */
export interface KeptAnswer {
  readonly status: number;
  /** Absent when it was withdrawn, as somebody whom it names must not be told any more. */
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

/** What each answer takes beside its text, and each name of it. */
export const ROW_BYTES = 200;
export const NAME_BYTES = 12;

export function bytesOf({ text, names }: Pick<AnswerToKeep, "text" | "names">): number {
  return Buffer.byteLength(text) + names.length * NAME_BYTES + ROW_BYTES;
}

/** Shorter texts are kept as they are. */
const PACKED_FROM = 1_024;
const AS_IT_IS = "=";
const PACKED = "~";

/** A text as it is kept: a long one compressed, on a thread of its own (DEFLATE, RFC 1951, in base64). */
export function packAnswer(text: string): string | Promise<string> {
  if (text.length < PACKED_FROM) return AS_IT_IS + text;
  return new Promise((resolve, reject) => {
    deflateRaw(text, (error, packed) => {
      if (error === null) resolve(PACKED + packed.toString("base64"));
      else reject(error);
    });
  });
}

/** What {@link packAnswer} was given. */
export function unpackAnswer(kept: string): string | Promise<string> {
  if (!kept.startsWith(PACKED)) return kept.slice(AS_IT_IS.length);
  return new Promise((resolve, reject) => {
    inflateRaw(Buffer.from(kept.slice(PACKED.length), "base64"), (error, text) => {
      if (error === null) resolve(text.toString("utf8"));
      else reject(error);
    });
  });
}

/** An answer among all that are kept, in the order in which they are gone through. */
export interface KeptPlace {
  readonly accountId: string;
  readonly id: string;
}

/** What is kept, apart from the decisions that keep it. */
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
