import { setTimeout as wait } from "node:timers/promises";

export interface RoundsOptions {
  /** Does the work once. `signal` ends it at once. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** Before the first round. */
  readonly firstAfterMs: number;
  /** Between the end of a round and the next. */
  readonly everyMs: number;
  /** Told of each kind of failure once, until a round succeeds again. */
  readonly onProblem: (error: unknown) => void;
  readonly onRecovered: () => void;
}

/** Does something again and again; what fails is told and tried again. */
export class Rounds {
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: RoundsOptions) {
    this.#running = this.#run(options);
  }

  /** Ends what is under way, at once; resolves when nothing of it is left running. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run({ round, firstAfterMs, everyMs, onProblem, onRecovered }: RoundsOptions): Promise<void> {
    const { signal } = this.#stopping;
    const told = new Set<string>();
    const rest = (ms: number) => wait(ms, undefined, { signal, ref: false }).catch(() => {});
    for (await rest(firstAfterMs); !signal.aborted; await rest(everyMs)) {
      try {
        await round(signal);
        if (told.size > 0) onRecovered();
        told.clear();
      } catch (error) {
        const kind = error instanceof Error ? error.message : String(error);
        if (!signal.aborted && !told.has(kind)) onProblem(error);
        told.add(kind);
      }
    }
  }
}
