/** The answer of VIES about a number. */
export interface ViesAnswer {
  readonly kind: "answer";
  readonly valid: boolean;
  /** VIES's own time, ISO 8601 UTC. */
  readonly validatedAt: string;
  /** Absent when VIES withholds it, as it does for Germany and Spain. */
  readonly name?: string;
  /** One line; absent when VIES withholds it. */
  readonly address?: string;
  /** Proof of this consultation, only for a request with a requester. */
  readonly consultationNumber?: string;
}

/**
 * The extent of a failure: this machine's `address` at VIES, `vies` as a whole, the number's `state`, the `number`, or
 * only this call.
 */
export type ViesScope = "address" | "vies" | "state" | "number" | "call";

/** VIES gave no answer, which says nothing about the number. */
export interface NoViesAnswer {
  readonly kind: "no-answer";
  /** VIES's code, or one of ours, for logs and messages. Never contains a part of the number. */
  readonly reason: string;
  readonly scope: ViesScope;
  /** The reason is a code of VIES. */
  readonly isFromUpstream: boolean;
  /** Another try at once can help. */
  readonly isTransient: boolean;
  /** The pause that VIES asks for. */
  readonly retryAfterSeconds?: number;
}

/** VIES refuses the requester. */
export interface ViesRequesterRefused {
  readonly kind: "requester-refused";
  readonly reason: string;
  readonly scope: "call";
  readonly isFromUpstream: true;
}

export type ViesResult = ViesAnswer | NoViesAnswer | ViesRequesterRefused;
