import { Breaker, type BreakerTerms, type CallOutcome } from "../../upstream/breaker.ts";
import { type Guard, permitted, runGuarded } from "../../upstream/guards.ts";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import { NOT_ASKED, OTHER_NUMBER } from "./codes.ts";
import type { ViesResult } from "./results.ts";

export interface BreakerOptions {
  /** Milliseconds of a clock that never goes back: a clock set back would keep a breaker open. */
  readonly now: () => number;
  /** How long VIES or a state is left alone at first, milliseconds. */
  readonly openForMs?: number;
  /** Told when something opens or closes; `what` is `address`, `vies` or a state's code. */
  readonly onChange?: (what: string, isOpen: boolean, reason: string) => void;
}

export type Guarded = "address" | "vies" | "state";

const OPEN_FOR_MS = 2_000;
const LONGEST_OPEN_FOR_MS = 60_000;
/** A blocked address is left alone for long: calling on may prolong the block. */
const BLOCKED_FOR_MS = 300_000;
const LONGEST_BLOCKED_FOR_MS = 3_600_000;
const FAILURES_IN_A_ROW = 5;

/**
 * The breakers in the way of a call: this machine's address (opened by the first block), the whole of VIES and the
 * number's state (opened by five failures in a row each, and by a `Retry-After` at once).
 */
export class Breakers {
  readonly #now: () => number;
  readonly #onChange: NonNullable<BreakerOptions["onChange"]>;
  readonly #address = new Breaker({
    failures: 1,
    openForMs: BLOCKED_FOR_MS,
    longestOpenForMs: LONGEST_BLOCKED_FOR_MS,
  });
  readonly #vies: Breaker;
  readonly #states = new Map<StateCode, Breaker>();
  readonly #terms: BreakerTerms;
  /** About which another one was answered last. */
  #mixedUp: string | undefined;

  constructor({ now, openForMs = OPEN_FOR_MS, onChange = () => {} }: BreakerOptions) {
    this.#now = now;
    this.#onChange = onChange;
    this.#terms = {
      failures: FAILURES_IN_A_ROW,
      openForMs,
      longestOpenForMs: Math.max(openForMs, LONGEST_OPEN_FOR_MS),
    };
    this.#vies = new Breaker(this.#terms);
  }

  /** Whether a call for this state would be let through now. */
  permits(state: StateCode): boolean {
    return permitted(this.#inTheWay(state), this.#now());
  }

  /**
   * Runs `call`, which asks about a number, unless a breaker keeps it away. That one number is answered as another one again and again says
   * nothing more of VIES, which may write it in a way that is not known here. Rejects only when `call` does.
   */
  async run(
    { countryCode, vatNumber }: Pick<VatNumber, "countryCode" | "vatNumber">,
    call: () => Promise<ViesResult>,
  ): Promise<ViesResult> {
    const result = await runGuarded(this.#inTheWay(countryCode), call, {
      now: this.#now,
      callOutcome: (told, guarded) =>
        told === OTHER_NUMBER && vatNumber === this.#mixedUp ? "unknown" : callOutcome(told, guarded),
      pauseMs: (result) => (result?.kind === "no-answer" ? 1_000 * (result.retryAfterSeconds ?? 0) : 0),
      onChange: (name, isOpen, because) => this.#onChange(name, isOpen, reasonOf(because)),
    });
    if (result === OTHER_NUMBER) this.#mixedUp = vatNumber;
    return result ?? NOT_ASKED;
  }

  /** What is to be told as failing: calls are kept away from it, or it failed within the last minute and was not seen to work since. */
  get failing(): { readonly all: boolean; readonly states: readonly StateCode[] } {
    const nowMs = this.#now();
    const states = [...this.#states]
      .filter(([, breaker]) => breaker.isFailing(nowMs))
      .map(([state]) => state);
    return { all: this.#address.isFailing(nowMs) || this.#vies.isFailing(nowMs), states };
  }

  /** Which breakers keep calls away: each that is always there, and those of states that do. */
  get shown(): readonly { readonly what: string; readonly isOpen: boolean }[] {
    const nowMs = this.#now();
    const states = [...this.#states].filter(([, breaker]) => !breaker.permits(nowMs));
    return [
      { what: "address", isOpen: !this.#address.permits(nowMs) },
      { what: "vies", isOpen: !this.#vies.permits(nowMs) },
      ...states.map(([what]) => ({ what, isOpen: true })),
    ];
  }

  #inTheWay(state: StateCode): readonly Guard<Guarded>[] {
    let ofState = this.#states.get(state);
    if (ofState === undefined) {
      ofState = new Breaker(this.#terms);
      this.#states.set(state, ofState);
    }
    return [
      { guarded: "address", name: "address", breaker: this.#address },
      { guarded: "vies", name: "vies", breaker: this.#vies },
      { guarded: "state", name: state, breaker: ofState },
    ];
  }
}

/**
 * How a call went for one of the guarded. A code of VIES proves that what is above its scope works: who says that
 * Germany is away is there itself. What blames one call or its requester only says nothing of the number's state.
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
