import type { OpenRecorder, Recorders } from "../metrics/recorders.ts";

/** How metrics name a thread that answers calls. */
export function countedName(nth: number): string {
  return `requests-${nth}`;
}

/** Where the threads that answer calls count, where metrics are wanted. The one that takes another's place counts under its name. */
export class ThreadCounts {
  readonly recorders: Recorders | undefined;
  readonly #open = new Map<SharedArrayBuffer, OpenRecorder>();

  /** @param recorders undefined where no metrics are wanted */
  constructor(recorders: Recorders | undefined) {
    this.recorders = recorders;
  }

  /** The memory of a new thread. */
  of(nth: number): SharedArrayBuffer | undefined {
    const opened = this.recorders?.open(countedName(nth));
    if (opened !== undefined) this.#open.set(opened.buffer, opened);
    return opened?.buffer;
  }

  /** A thread has ended: what it counted stays counted. */
  ended(buffer: SharedArrayBuffer | undefined): void {
    if (buffer === undefined) return;
    this.#open.get(buffer)?.end();
    this.#open.delete(buffer);
  }
}
