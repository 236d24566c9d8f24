/** Work that takes some milliseconds a step: between two steps whoever else needs the thread may have it. */
export type Steps<Result> = Generator<void, Result>;

/** Does work to its end at once, where nobody else waits for the thread. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Work of one step. */
export function* inOneStep<Result>(work: () => Result): Steps<Result> {
  yield;
  return work();
}
