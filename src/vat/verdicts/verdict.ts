import { known } from "../../lib/values.ts";
import type { CheckedVatNumber } from "../numbers/parse.ts";
import type { CachedAnswer, CachedAnswers } from "../stored.ts";
import type { NoViesAnswer, ViesAnswer } from "../vies/results.ts";

/** The verdict on a number. */
export type Verdict = AnsweredVerdict | Malformed | Unvalidated;

/** An answer of VIES: a current one (`validated`), or an earlier one because VIES gives none now (`stale`). */
export interface AnsweredVerdict {
  readonly status: "validated" | "stale";
  readonly valid: boolean;
  readonly checksumValid: boolean;
  /** VIES's own time, ISO 8601 UTC. */
  readonly validatedAt: string;
  readonly name?: string;
  readonly address?: string;
  /** Seconds since `validatedAt`; only for `stale`. */
  readonly ageSeconds?: number;
}

/** The number breaks the rules; VIES is not asked. */
export interface Malformed {
  readonly status: "malformed";
  readonly valid: false;
  readonly checksumValid: false;
}

/** Unknown: neither valid nor invalid. */
export interface Unvalidated {
  readonly status: "unvalidated";
  readonly checksumValid: boolean;
}

/** How long an answer is used, in milliseconds. */
export interface Lifetimes {
  /** `valid: true` is used this long without asking VIES. */
  readonly freshForMs: number;
  /** `valid: false` is used this long without asking VIES. */
  readonly refusalFreshForMs: number;
  /** An earlier answer is used this long when VIES gives none. */
  readonly staleForMs: number;
}

/**
 * The verdict on a number, from the result of VIES and the stored answer. Pure; the table of the contract, §3:
 *
 * | | no usable stored answer | a stored answer |
 * |---|---|---|
 * | the rules refuse the number | malformed | malformed |
 * | VIES answered | validated | validated |
 * | VIES gave no answer | unvalidated | stale |
 *
 * Only VIES, a national format and the Dutch checksum can give `valid: false`; a failure never does.
 * A `false` that contradicts the stored answer must be confirmed first, see {@link contradicts}.
 */
export function verdict(
  number: CheckedVatNumber,
  result: ViesAnswer | NoViesAnswer,
  stored: CachedAnswers | undefined,
  nowMs: number,
  lifetimes: Lifetimes,
): Verdict {
  const { checksumValid, isMalformed } = number.check;
  if (isMalformed) return { status: "malformed", valid: false, checksumValid: false };
  if (result.kind === "answer") return answered("validated", result, checksumValid);
  const earlier = usable(stored, nowMs, lifetimes);
  if (earlier === undefined) return { status: "unvalidated", checksumValid };
  const ageSeconds = Math.max(0, Math.floor((nowMs - Date.parse(earlier.validatedAt)) / 1_000));
  return { ...answered("stale", earlier, checksumValid), ageSeconds };
}

/**
 * The verdict without asking VIES: the number breaks the rules, or the stored answer is fresh. Undefined when VIES must
 * be asked.
 * @param maxAgeMs the maximum age of a fresh answer; 0 always asks VIES
 */
export function verdictAtOnce(
  number: CheckedVatNumber,
  stored: CachedAnswers | undefined,
  nowMs: number,
  lifetimes: Lifetimes,
  maxAgeMs = Number.POSITIVE_INFINITY,
): Verdict | undefined {
  const { checksumValid, isMalformed } = number.check;
  if (isMalformed) return { status: "malformed", valid: false, checksumValid: false };
  if (stored === undefined) return undefined;
  const freshForMs = stored.last.valid ? lifetimes.freshForMs : lifetimes.refusalFreshForMs;
  const usableForMs = Math.min(freshForMs, maxAgeMs);
  const isFresh = usableForMs > 0 && ageOf(stored.last, nowMs) <= usableForMs;
  return isFresh ? answered("validated", stored.last, checksumValid) : undefined;
}

/**
 * Whether an answer rejects a number that VIES last confirmed. Such an answer must be confirmed by a second request.
 */
export function contradicts(
  answer: ViesAnswer,
  stored: CachedAnswers | undefined,
  nowMs: number,
  lifetimes: Lifetimes,
): boolean {
  return !answer.valid && usable(stored, nowMs, lifetimes)?.valid === true;
}

/** The last answer, unless it is too old. */
function usable(
  stored: CachedAnswers | undefined,
  nowMs: number,
  { staleForMs }: Lifetimes,
): CachedAnswer | undefined {
  return stored !== undefined && ageOf(stored.last, nowMs) <= staleForMs ? stored.last : undefined;
}

/** An answer from the future was stored while the clock was wrong; its distance counts as its age. */
function ageOf({ receivedAtMs }: CachedAnswer, nowMs: number): number {
  return Math.abs(nowMs - receivedAtMs);
}

function answered(
  status: AnsweredVerdict["status"],
  answer: ViesAnswer | CachedAnswer,
  checksumValid: boolean,
): AnsweredVerdict {
  return {
    status,
    valid: answer.valid,
    checksumValid,
    validatedAt: answer.validatedAt,
    ...known("name", answer.name),
    ...known("address", answer.address),
  };
}
