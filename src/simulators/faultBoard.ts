export interface BoardTerms<Target extends string, Fault, Met extends object> {
  /** Why a value is no fault; undefined when it is one. */
  readonly problemIn: (value: unknown) => string | undefined;
  /** The target whose fault a target without one of its own meets. */
  readonly fallbackOf: (target: Target) => Target | undefined;
  /** What a request meets when so many have met the fault before; undefined for nothing, `hang` for no answer while that stays. */
  readonly meet: (fault: Fault, metBefore: number) => Met | "hang" | undefined;
}

interface Posted<Fault> {
  readonly fault: Fault;
  /** Requests that met it. */
  met: number;
}

/** The faults that are set now. */
export class FaultBoard<Target extends string, Fault, Met extends object> {
  readonly #terms: BoardTerms<Target, Fault, Met>;
  readonly #posted = new Map<Target, Posted<Fault>>();
  readonly #waiting = new Set<() => void>();

  constructor(terms: BoardTerms<Target, Fault, Met>) {
    this.#terms = terms;
  }

  /**
   * Sets the fault of a target, in place of the one it had; undefined takes it away.
   * @throws {RangeError} when it is none
   */
  set(target: Target, fault: Fault | undefined): void {
    if (fault === undefined) this.#posted.delete(target);
    else {
      const problem = this.#terms.problemIn(fault);
      if (problem !== undefined) throw new RangeError(problem);
      this.#posted.set(target, { fault, met: 0 });
    }
    this.#wake();
  }

  clear(): void {
    this.#posted.clear();
    this.#wake();
  }

  get(target: Target): Fault | undefined {
    return this.#posted.get(target)?.fault;
  }

  all(): Readonly<Record<string, Fault>> {
    return Object.fromEntries([...this.#posted].map(([target, { fault }]) => [target, fault]));
  }

  /** Counts a request and tells what it meets. Where that is a hang, it waits for another fault, or until the caller is gone. */
  async met(target: Target, gone: AbortSignal): Promise<Met | undefined | "gone"> {
    for (;;) {
      const fault = this.#meet(target);
      if (fault !== "hang") return fault;
      await this.#changed(gone);
      if (gone.aborted) return "gone";
    }
  }

  #meet(target: Target): Met | "hang" | undefined {
    const fallback = this.#terms.fallbackOf(target);
    const posted =
      this.#posted.get(target) ?? (fallback === undefined ? undefined : this.#posted.get(fallback));
    if (posted === undefined) return undefined;
    const before = posted.met;
    posted.met += 1;
    return this.#terms.meet(posted.fault, before);
  }

  /** Waits until the faults change, or until `gone`. */
  #changed(gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        gone.removeEventListener("abort", done);
        resolve();
      };
      if (gone.aborted) return resolve();
      this.#waiting.add(done);
      gone.addEventListener("abort", done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}

/** Whether a fault that comes and goes is there: every other time, beginning with the first; or so many times, and then no more. */
export function isFlapDown(metBefore: number, first: number | undefined): boolean {
  return first === undefined ? metBefore % 2 === 0 : metBefore < first;
}
