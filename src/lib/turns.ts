import { type Bounds, Places, type Taker } from "./places.ts";

/** The holder of a turn. */
export interface TurnTaker extends Taker {
  /** Ends the wait of a caller that has disconnected. */
  readonly gone?: AbortSignal | undefined;
}

export interface TurnTerms {
  readonly atOnce: number;
  /** Limits for running and waiting turns together. */
  readonly places: Bounds;
  readonly maxWaitMs: number;
}

interface Waiting {
  /** The number of places that its taker had before it. */
  readonly rank: number;
  readonly begin: () => void;
}

/** Turns in the order of requests, except that the first turn of one taker comes before the second of another. */
export class TurnQueue {
  readonly #terms: TurnTerms;
  readonly #places: Places;
  /** The waiting takers, the next one first. */
  readonly #waiting: Waiting[] = [];
  #inProgress = 0;

  constructor(terms: TurnTerms) {
    this.#terms = terms;
    this.#places = new Places(terms.places);
  }

  /** The number of waiting takers. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a turn.
   * @returns a function that ends the turn, once; undefined when the turn does not come in time, there is no place, or
   * the taker has gone
   */
  take({ gone, ...taker }: TurnTaker = {}): Promise<(() => void) | undefined> {
    const { atOnce, maxWaitMs } = this.#terms;
    if (gone?.aborted === true) return Promise.resolve(undefined);
    const rank = this.#places.heldBy(taker);
    const giveBack = this.#places.take(taker);
    if (giveBack === undefined) return Promise.resolve(undefined);
    if (this.#inProgress < atOnce) {
      this.#inProgress += 1;
      return Promise.resolve(this.#turn(giveBack));
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        clearTimeout(timer);
        gone?.removeEventListener("abort", giveUp);
      };
      const begin = () => {
        leave();
        resolve(this.#turn(giveBack));
      };
      const giveUp = () => {
        leave();
        giveBack();
        resolve(undefined);
      };
      const waiting = { rank, begin };
      const timer = setTimeout(giveUp, maxWaitMs);
      this.#waiting.splice(this.#waiting.findLastIndex((other) => other.rank <= rank) + 1, 0, waiting);
      gone?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #turn(giveBack: () => void): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      giveBack();
      // The next one takes this turn; it is given up only when nobody waits.
      const [next] = this.#waiting;
      if (next === undefined) this.#inProgress -= 1;
      else next.begin();
    };
  }
}
