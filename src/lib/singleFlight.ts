/**
 * Work in progress by name: however many callers want the same at once, it is done once, and all of them get its
 * result.
 */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Promise<Result>>();

  /** The result of the work in progress of this name; undefined when there is none. */
  inProgress(name: string): Promise<Result> | undefined {
    return this.#flights.get(name);
  }

  /**
   * The result of the work of this name, started with `work` when none is in progress. It runs to its end even when
   * callers stop waiting. A failure goes to all waiting callers, and the next caller starts anew.
   */
  run(name: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#flights.get(name);
    if (known !== undefined) return known;
    const result = work().finally(() => this.#flights.delete(name));
    this.#flights.set(name, result);
    // All callers may have stopped waiting.
    result.catch(() => {});
    return result;
  }
}
