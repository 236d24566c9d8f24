import { Breaker, type BreakerTerms, type Course } from "../../upstream/breaker.ts";
import { admitted, type Guard, runGuarded } from "../../upstream/guards.ts";
import type { StateCode } from "../numbers/states.ts";
import { NOT_ASKED } from "./codes.ts";
import type { Word } from "./words.ts";

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
    return admitted(this.#inTheWay(state), this.#now());
  }

  /** Runs `call` unless a breaker keeps it away. Rejects only when `call` does. */
  async run(state: StateCode, call: () => Promise<Word>): Promise<Word> {
    const word = await runGuarded(this.#inTheWay(state), call, {
      now: this.#now,
      courseOf,
      onChange: (name, isOpen, because) => this.#onChange(name, isOpen, reasonOf(because)),
    });
    return word ?? NOT_ASKED;
  }

  /** What failed and was not seen to work since; when its time is over, that shows at the next call only. */
  get open(): { readonly all: boolean; readonly states: readonly StateCode[] } {
    const states = [...this.#states].filter(([, breaker]) => breaker.isOpen).map(([state]) => state);
    return { all: this.#address.isOpen || this.#vies.isOpen, states };
  }

  /** Each breaker that is always there, and those of states that are open. */
  get shown(): readonly { readonly what: string; readonly isOpen: boolean }[] {
    return [
      { what: "address", isOpen: this.#address.isOpen },
      { what: "vies", isOpen: this.#vies.isOpen },
      ...this.open.states.map((what) => ({ what, isOpen: true })),
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
export function courseOf(word: Word | undefined, guarded: Guarded): Course {
  if (word === undefined) return "unknown";
  if (word.kind === "answer") return "worked";
  if (word.kind === "requester-refused") return guarded === "state" ? "unknown" : "worked";
  if (word.scope === guarded) return "failed";
  if (!word.isFromVies) return "unknown";
  if (word.scope === "call") return guarded === "state" ? "unknown" : "worked";
  const isAbove = guarded === "address" || (guarded === "vies" && word.scope === "state");
  return isAbove ? "worked" : "unknown";
}

function reasonOf(word: Word | undefined): string {
  if (word === undefined) return "";
  return word.kind === "answer" ? "answered" : word.reason;
}
