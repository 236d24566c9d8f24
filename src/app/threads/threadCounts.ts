import type { OpenRecorder } from "../metrics/recorders.ts";
import { Recorders } from "../metrics/recorders.ts";
import type { Settings } from "../settings/settings.ts";

/** Where the threads that answer calls count, where metrics are wanted. The one that takes another's place counts under its name. */
export class ThreadCounts {
  readonly recorders: Recorders | undefined;
  readonly #open = new Map<SharedArrayBuffer, OpenRecorder>();

  constructor({ METRICS_PORT }: Pick<Settings, "METRICS_PORT">) {
    this.recorders = METRICS_PORT === undefined ? undefined : new Recorders();
  }

  /** The memory of a new thread. */
  of(nth: number): SharedArrayBuffer | undefined {
    const opened = this.recorders?.open(`requests-${nth}`);
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
