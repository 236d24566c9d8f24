import { NO_ANSWERS, UNKNOWN_CODE } from "./codes.ts";

/** What VIES said of a number. */
export interface ViesAnswer {
  readonly kind: "answer";
  readonly valid: boolean;
  /** VIES's own time, ISO 8601 UTC. */
  readonly validatedAt: string;
  /** Absent when VIES withholds it, as it does for Germany and Spain. */
  readonly name?: string;
  /** One line; absent when VIES withholds it. */
  readonly address?: string;
  /** Proof of this consultation, given to who asked with a requester. */
  readonly consultationNumber?: string;
}

/**
 * Whose trouble an absent answer is: of this machine's `address` at VIES, of the whole of `vies`, of the number's
 * `state`, or of nobody but this one number or call.
 */
export type Scope = "address" | "vies" | "state" | "call";

/** VIES gave no answer, which says nothing of the number. */
export interface NoAnswer {
  readonly kind: "no-answer";
  /** VIES's code, or one of ours: what logs and messages tell. Never holds a part of the number. */
  readonly reason: string;
  readonly scope: Scope;
  /** VIES itself said so, in a code. */
  readonly isFromVies: boolean;
  /** Asking again at once can help. */
  readonly isTransient: boolean;
  /** How long VIES asks not to be asked again. */
  readonly retryAfterSeconds?: number;
}

/** VIES refuses the requester that was given with the number. */
export interface RequesterRefused {
  readonly kind: "requester-refused";
  readonly reason: string;
}

export type ViesResult = ViesAnswer | NoAnswer | RequesterRefused;

/** What a code that stands where an answer should be means. One that nobody knows is no answer, never a refusal. */
export function resultOfCode(code: string): NoAnswer | RequesterRefused {
  const meaning = NO_ANSWERS.get(code);
  if (meaning === "requester") return { kind: "requester-refused", reason: code };
  const known = meaning ?? UNKNOWN_CODE;
  return {
    kind: "no-answer",
    isFromVies: true,
    reason: meaning === undefined ? "UNKNOWN_CODE" : code,
    ...known,
  };
}
