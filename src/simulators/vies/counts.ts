import type { StateCode } from "../../vat/numbers/states.ts";
import { type Count, enterAll, RecentList, Tally } from "../tally.ts";
import type { Fault } from "./faults.ts";
import type { CheckRequest } from "./request.ts";

/** What has come in so far: numbers to be checked, in all and by state, and calls of `check-status`. */
export interface Counts {
  readonly all: Count;
  readonly states: Readonly<Partial<Record<StateCode, Count>>>;
  readonly statusCalls: number;
}

/** One number that was asked. It can be a citizen number: for tests in the same process, never written anywhere. */
export interface LoggedRequest {
  readonly at: string;
  readonly operation: "check-vat-number" | "check-vat-test-service";
  readonly request: CheckRequest;
  /** The kind of fault that it met last. */
  readonly fault?: Fault["kind"];
}

const MOST_LOGGED = 1_000;

/** Counts what is asked and what is under way, and remembers the last {@link MOST_LOGGED} requests. */
export class Ledger {
  readonly #all = new Tally();
  readonly #states = new Map<StateCode, Tally>();
  #statusCalls = 0;
  readonly #log = new RecentList<LoggedRequest>(MOST_LOGGED);

  /** Counts a request, of a state when it names one. @returns what to call, once or more often, when it is over */
  enter(state: StateCode | undefined): () => void {
    const tallies = state === undefined ? [this.#all] : [this.#all, this.#ofState(state)];
    return enterAll(tallies);
  }

  statusCall(): void {
    this.#statusCalls += 1;
  }

  write(logged: LoggedRequest): void {
    this.#log.add(logged);
  }

  get log(): readonly LoggedRequest[] {
    return this.#log.items;
  }

  get counts(): Counts {
    const states = Object.fromEntries([...this.#states].map(([state, tally]) => [state, tally.count]));
    return { all: this.#all.count, states, statusCalls: this.#statusCalls };
  }

  #ofState(state: StateCode): Tally {
    const tally = this.#states.get(state) ?? new Tally();
    this.#states.set(state, tally);
    return tally;
  }
}
