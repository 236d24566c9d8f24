import { setImmediate as nextTurn } from "node:timers/promises";

/** Work in steps of some milliseconds, between which other work may run on the thread. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps at once, where nothing else needs the thread. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs all steps; other work may run between them. */
export async function inSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
