/** A turn, to be ended by whoever has it; ending it twice changes nothing. */
export interface Turn {
  end(): void;
}

/** Turns at something of which only so much is done at once. */
export interface Turns {
  /**
   * Waits for a turn; undefined for who does not get it in time, has too many before them, or has gone.
   * @param gone ends the wait of who has hung up
   */
  take(gone?: AbortSignal): Promise<Turn | undefined>;
}

export interface TurnTerms {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly mostWaitMs: number;
}

/** Turns in the order in which they were asked for. */
export class TurnQueue implements Turns {
  readonly #terms: TurnTerms;
  /** Those whose turn comes, the first one first. */
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  constructor(terms: TurnTerms) {
    this.#terms = terms;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  take(gone?: AbortSignal): Promise<Turn | undefined> {
    const { atOnce, mostWaiting, mostWaitMs } = this.#terms;
    if (gone?.aborted === true) return Promise.resolve(undefined);
    if (this.#underWay < atOnce) {
      this.#underWay += 1;
      return Promise.resolve(this.#turn());
    }
    if (this.#waiting.size >= mostWaiting) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting.delete(begin);
        clearTimeout(timer);
        gone?.removeEventListener("abort", giveUp);
      };
      const begin = () => {
        leave();
        resolve(this.#turn());
      };
      const giveUp = () => {
        leave();
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, mostWaitMs);
      this.#waiting.add(begin);
      gone?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #turn(): Turn {
    let isOver = false;
    return {
      end: () => {
        if (isOver) return;
        isOver = true;
        // The next one takes this place; it is given up only when nobody waits.
        const [next] = this.#waiting;
        if (next === undefined) this.#underWay -= 1;
        else next();
      },
    };
  }
}
