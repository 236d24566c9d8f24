import { Breaker, type BreakerTerms, type CallOutcome } from "../../upstream/breaker.ts";
import { type Guard, permitted, runGuarded } from "../../upstream/guards.ts";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import { NOT_ASKED, OTHER_NUMBER } from "./codes.ts";
import type { ViesResult } from "./results.ts";

export interface BreakerOptions {
  /** Milliseconds of a monotonic clock: a clock that is set back would keep a breaker open. */
  readonly now: () => number;
  /** How long a breaker stays open at first, milliseconds. */
  readonly openForMs?: number;
  /** Called when a breaker opens or closes; `what` is `address`, `vies` or a state's code. */
  readonly onChange?: (what: string, isOpen: boolean, reason: string) => void;
}

export type Guarded = "address" | "vies" | "state";

const OPEN_FOR_MS = 2_000;
const MAX_OPEN_FOR_MS = 60_000;
/** After a block of this address, more calls may prolong it. */
const BLOCKED_FOR_MS = 300_000;
const MAX_BLOCKED_FOR_MS = 3_600_000;
const FAILURES_IN_A_ROW = 5;

/**
 * The breakers of a call: this machine's address (opened by the first block), VIES as a whole and the number's state (both
 * opened by five failures in a row, or by a `Retry-After` at once).
 */
export class Breakers {
  readonly #now: () => number;
  readonly #onChange: NonNullable<BreakerOptions["onChange"]>;
  readonly #address = new Breaker({
    failures: 1,
    openForMs: BLOCKED_FOR_MS,
    maxOpenForMs: MAX_BLOCKED_FOR_MS,
  });
  readonly #vies: Breaker;
  readonly #states = new Map<StateCode, Breaker>();
  readonly #terms: BreakerTerms;
  /** The number for which VIES last answered about another one. */
  #mixedUp: string | undefined;

  constructor({ now, openForMs = OPEN_FOR_MS, onChange = () => {} }: BreakerOptions) {
    this.#now = now;
    this.#onChange = onChange;
    this.#terms = {
      failures: FAILURES_IN_A_ROW,
      openForMs,
      maxOpenForMs: Math.max(openForMs, MAX_OPEN_FOR_MS),
    };
    this.#vies = new Breaker(this.#terms);
  }

  /** Whether a call for this state would be made now. */
  permits(state: StateCode): boolean {
    return permitted(this.#guardsOf(state), this.#now());
  }

  /**
   * Runs `call` about a number unless a breaker is open. If VIES answers about another number several times in a row for the
   * same one, only the first counts as a failure: VIES may write that number in an unknown way. Rejects only when `call` does.
   */
  async run(
    { countryCode, vatNumber }: Pick<VatNumber, "countryCode" | "vatNumber">,
    call: () => Promise<ViesResult>,
  ): Promise<ViesResult> {
    const result = await runGuarded(this.#guardsOf(countryCode), call, {
      now: this.#now,
      callOutcome: (outcome, guarded) =>
        outcome === OTHER_NUMBER && vatNumber === this.#mixedUp ? "unknown" : callOutcome(outcome, guarded),
      pauseMs: (result) => (result?.kind === "no-answer" ? 1_000 * (result.retryAfterSeconds ?? 0) : 0),
      onChange: (name, isOpen, because) => this.#onChange(name, isOpen, reasonOf(because)),
    });
    if (result === OTHER_NUMBER) this.#mixedUp = vatNumber;
    return result ?? NOT_ASKED;
  }

  /** The failing parts: those with an open breaker, or with a failure within the last minute and no success since. */
  get failing(): { readonly all: boolean; readonly states: readonly StateCode[] } {
    const nowMs = this.#now();
    const states = [...this.#states]
      .filter(([, breaker]) => breaker.isFailing(nowMs))
      .map(([state]) => state);
    return { all: this.#address.isFailing(nowMs) || this.#vies.isFailing(nowMs), states };
  }

  /** The state of the two common breakers, and the open ones of states. */
  get shown(): readonly { readonly what: string; readonly isOpen: boolean }[] {
    const nowMs = this.#now();
    const states = [...this.#states].filter(([, breaker]) => !breaker.permits(nowMs));
    return [
      { what: "address", isOpen: !this.#address.permits(nowMs) },
      { what: "vies", isOpen: !this.#vies.permits(nowMs) },
      ...states.map(([what]) => ({ what, isOpen: true })),
    ];
  }

  #guardsOf(state: StateCode): readonly Guard<Guarded>[] {
    const ofState = this.#states.get(state) ?? new Breaker(this.#terms);
    this.#states.set(state, ofState);
    return [
      { guarded: "address", name: "address", breaker: this.#address },
      { guarded: "vies", name: "vies", breaker: this.#vies },
      { guarded: "state", name: state, breaker: ofState },
    ];
  }
}

/**
 * The outcome of a call for one breaker. A code of VIES proves that everything above its scope works: if VIES reports that
 * Germany is down, VIES itself works. A failure of one call or its requester says nothing about the number's state.
 */
export function callOutcome(result: ViesResult | undefined, guarded: Guarded): CallOutcome {
  if (result === undefined) return "unknown";
  if (result.kind === "answer") return "worked";
  if (result.kind === "requester-refused") return guarded === "state" ? "unknown" : "worked";
  if (result.scope === guarded) return "failed";
  if (!result.isFromVies) return "unknown";
  if (result.scope === "call") return guarded === "state" ? "unknown" : "worked";
  const isAbove = guarded === "address" || (guarded === "vies" && result.scope === "state");
  return isAbove ? "worked" : "unknown";
}

function reasonOf(result: ViesResult | undefined): string {
  if (result === undefined) return "";
  return result.kind === "answer" ? "answered" : result.reason;
}
