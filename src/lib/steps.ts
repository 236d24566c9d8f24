import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that takes some milliseconds a step: between two steps whoever else needs the thread may have it. */
export type Steps<Result> = Generator<void, Result>;

/** Does work to its end at once, where nobody else waits for the thread. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does work to its end; between two steps whoever else waits for the thread has it. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
