import type { Deviation, Rejection } from "../../company/rejection.ts";

/** Far more than there are fields that are read: a bound all the same. */
const MOST_KINDS = 1_000;

/** Counts the fields whose form is not what is known of it, and tells of each the first time only. */
export class Deviations {
  readonly #onFirst: (deviation: Deviation) => void;
  readonly #counts = new Map<string, number>();

  constructor(onFirst: (deviation: Deviation) => void) {
    this.#onFirst = onFirst;
  }

  note(leftOut: readonly Rejection[]): void {
    for (const { deviation } of leftOut) {
      if (deviation === undefined) continue;
      const key = `${deviation.path} ${deviation.kind}`;
      const count = this.#counts.get(key) ?? 0;
      if (count === 0 && this.#counts.size >= MOST_KINDS) continue;
      this.#counts.set(key, count + 1);
      if (count === 0) this.#onFirst(deviation);
    }
  }

  /** How often each was met, by `path kind`. */
  get counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }
}
