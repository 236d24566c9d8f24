import type { StateCode } from "../numbers/states.ts";
import { Breaker, type BreakerTerms, type Course } from "./breaker.ts";
import { NOT_ASKED } from "./codes.ts";
import type { Word } from "./words.ts";

export interface BreakerOptions {
  readonly now: () => number;
  /** How long VIES or a state is left alone at first, milliseconds. */
  readonly openForMs?: number;
  /** Told when something opens or closes; `what` is `address`, `vies` or a state's code. */
  readonly onChange?: (what: string, isOpen: boolean, reason: string) => void;
}

type Guarded = "address" | "vies" | "state";

const OPEN_FOR_MS = 2_000;
const LONGEST_OPEN_FOR_MS = 60_000;
/** A blocked address is left alone for long: calling on may prolong the block. */
const BLOCKED_FOR_MS = 300_000;
const LONGEST_BLOCKED_FOR_MS = 3_600_000;
const FAILURES_IN_A_ROW = 5;

/**
 * The breakers in the way of a call: this machine's address (opened by the first block), the whole of VIES and the
 * number's state (opened by five failures in a row each).
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
  admits(state: StateCode): boolean {
    return this.#inTheWay(state).every(([, breaker]) => breaker.admits(this.#now()));
  }

  /** Runs `call`, which never rejects, unless a breaker keeps it away. */
  async run(state: StateCode, call: () => Promise<Word>): Promise<Word> {
    if (!this.admits(state)) return NOT_ASKED;
    const entered = this.#inTheWay(state).map(([guarded, breaker]) => ({
      guarded,
      breaker,
      isTrying: breaker.enter(),
    }));
    const word = await call();
    for (const { guarded, breaker, isTrying } of entered) {
      const wasOpen = breaker.isOpen;
      breaker.leave(courseOf(word, guarded), this.#now(), isTrying);
      if (breaker.isOpen !== wasOpen) {
        this.#onChange(guarded === "state" ? state : guarded, breaker.isOpen, reasonOf(word));
      }
    }
    return word;
  }

  /** What is left alone at this moment. */
  get open(): { readonly all: boolean; readonly states: readonly StateCode[] } {
    const states = [...this.#states].filter(([, breaker]) => breaker.isOpen).map(([state]) => state);
    return { all: this.#address.isOpen || this.#vies.isOpen, states };
  }

  #inTheWay(state: StateCode): readonly (readonly [Guarded, Breaker])[] {
    let ofState = this.#states.get(state);
    if (ofState === undefined) {
      ofState = new Breaker(this.#terms);
      this.#states.set(state, ofState);
    }
    return [
      ["address", this.#address],
      ["vies", this.#vies],
      ["state", ofState],
    ];
  }
}

/**
 * How a call went for one of the guarded. A code of VIES proves that what is above its scope works: who says that
 * Germany is away is there itself. What blames one call only says nothing of its state.
 */
export function courseOf(word: Word, guarded: Guarded): Course {
  if (word.kind !== "no-answer") return "worked";
  if (word.scope === guarded) return "failed";
  if (!word.isFromVies) return "unknown";
  if (word.scope === "call") return guarded === "state" ? "unknown" : "worked";
  const isAbove = guarded === "address" || (guarded === "vies" && word.scope === "state");
  return isAbove ? "worked" : "unknown";
}

function reasonOf(word: Word): string {
  return word.kind === "answer" ? "answered" : word.reason;
}
