import type { CheckedVatNumber } from "../numbers/parse.ts";
import type { NoAnswer, ViesAnswer } from "../vies/results.ts";
import type { CachedAnswers, KeptAnswer } from "./store.ts";

/** What a caller is told of a number. */
export type Verdict = AnsweredVerdict | Malformed | Unvalidated;

/** VIES's result: of now (`validated`), or an earlier one because it has none now (`stale`). */
export interface AnsweredVerdict {
  readonly status: "validated" | "stale";
  readonly valid: boolean;
  readonly checksumValid: boolean;
  /** VIES's own time, ISO 8601 UTC. */
  readonly validatedAt: string;
  readonly name?: string;
  readonly address?: string;
  /** Seconds since `validatedAt`; of a stale one only. */
  readonly ageSeconds?: number;
}

/** The rules alone refuse the number; VIES is not asked. */
export interface Malformed {
  readonly status: "malformed";
  readonly valid: false;
  readonly checksumValid: false;
}

/** Nobody knows: it says neither yes nor no. */
export interface Unvalidated {
  readonly status: "unvalidated";
  readonly checksumValid: boolean;
}

/** For how long an answer counts, in milliseconds. */
export interface Lifetimes {
  /** An answer that a number is valid is given again without asking. */
  readonly freshForMs: number;
  /** The same for an answer that it is not. */
  readonly refusalFreshForMs: number;
  /** An earlier answer stands in when VIES has none. */
  readonly staleForMs: number;
}

/**
 * The verdict on a number, from what VIES said now and what is held of earlier. Pure; the table of the contract, §3:
 *
 * | | nothing usable held | an answer held |
 * |---|---|---|
 * | the rules refuse the number | malformed | malformed |
 * | VIES answered | validated | validated |
 * | VIES gave no answer | unvalidated | stale |
 *
 * Only VIES, a national format and the Dutch checksum can make `valid: false`: there is no way to it from a fault.
 * A `false` that contradicts what is held must be confirmed before it comes here, see {@link contradicts}.
 */
export function verdict(
  number: CheckedVatNumber,
  result: ViesAnswer | NoAnswer,
  held: CachedAnswers | undefined,
  nowMs: number,
  lifetimes: Lifetimes,
): Verdict {
  const { checksumValid, isMalformed } = number.check;
  if (isMalformed) return { status: "malformed", valid: false, checksumValid: false };
  if (result.kind === "answer") return answered("validated", result, checksumValid);
  const earlier = usable(held, nowMs, lifetimes);
  if (earlier === undefined) return { status: "unvalidated", checksumValid };
  const ageSeconds = Math.max(0, Math.floor((nowMs - Date.parse(earlier.validatedAt)) / 1_000));
  return { ...answered("stale", earlier, checksumValid), ageSeconds };
}

/**
 * The verdict that needs nobody to be asked: the rules refuse the number, or a fresh answer is held; undefined when
 * VIES must be asked.
 * @param maxAgeMs narrows how old a fresh answer may be; 0 always asks
 */
export function verdictAtOnce(
  number: CheckedVatNumber,
  held: CachedAnswers | undefined,
  nowMs: number,
  lifetimes: Lifetimes,
  maxAgeMs = Number.POSITIVE_INFINITY,
): Verdict | undefined {
  const { checksumValid, isMalformed } = number.check;
  if (isMalformed) return { status: "malformed", valid: false, checksumValid: false };
  if (held === undefined) return undefined;
  const freshForMs = held.last.valid ? lifetimes.freshForMs : lifetimes.refusalFreshForMs;
  const usableForMs = Math.min(freshForMs, maxAgeMs);
  const isFresh = usableForMs > 0 && ageOf(held.last, nowMs) <= usableForMs;
  return isFresh ? answered("validated", held.last, checksumValid) : undefined;
}

/** Whether an answer refuses a number that VIES called valid last: it is asked once more before it is believed. */
export function contradicts(
  answer: ViesAnswer,
  held: CachedAnswers | undefined,
  nowMs: number,
  lifetimes: Lifetimes,
): boolean {
  return !answer.valid && usable(held, nowMs, lifetimes)?.valid === true;
}

/** The last answer, unless it is too old to say anything. */
function usable(
  held: CachedAnswers | undefined,
  nowMs: number,
  { staleForMs }: Lifetimes,
): KeptAnswer | undefined {
  return held !== undefined && ageOf(held.last, nowMs) <= staleForMs ? held.last : undefined;
}

/** An answer from the future was kept while the clock was wrong: it is as far from now as one of the past. */
function ageOf({ receivedAtMs }: KeptAnswer, nowMs: number): number {
  return Math.abs(nowMs - receivedAtMs);
}

function answered(
  status: AnsweredVerdict["status"],
  answer: ViesAnswer | KeptAnswer,
  checksumValid: boolean,
): AnsweredVerdict {
  return {
    status,
    valid: answer.valid,
    checksumValid,
    validatedAt: answer.validatedAt,
    ...(answer.name !== undefined && { name: answer.name }),
    ...(answer.address !== undefined && { address: answer.address }),
  };
}
