import { AbortedError, TimeoutError } from "./errors.ts";

/** Longer timers overflow and fire at once, so longer waits use several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time limit of a call with all its tries, which the caller's signal can end too. */
export class Deadline {
  /** Aborts when the call must end. */
  readonly signal: AbortSignal;
  /** The error of the last try, as the cause of the timeout. */
  lastError: unknown;
  readonly #endsAtMs: number;
  readonly #ended: Promise<never>;
  readonly #stop: () => void;

  constructor(timeoutMs: number, given: AbortSignal | undefined) {
    const controller = new AbortController();
    this.signal = controller.signal;
    this.#endsAtMs = Date.now() + timeoutMs;
    let fail: (error: Error) => void = () => {};
    this.#ended = new Promise((_, reject) => {
      fail = reject;
    });
    // A pending timer must not keep the process running.
    this.#ended.catch(() => {});
    const end = (error: Error) => {
      fail(error);
      controller.abort(error);
    };
    const onAbort = () => end(new AbortedError(given?.reason));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (ms: number) => {
      timer = setTimeout(
        () =>
          ms > MAX_TIMER_MS ? wait(ms - MAX_TIMER_MS) : end(new TimeoutError(timeoutMs, this.lastError)),
        Math.min(ms, MAX_TIMER_MS),
      );
    };
    wait(timeoutMs);
    this.#stop = () => {
      clearTimeout(timer);
      given?.removeEventListener("abort", onAbort);
    };
    if (given?.aborted) onAbort();
    else given?.addEventListener("abort", onAbort);
  }

  /** Milliseconds until the end. */
  get leftMs(): number {
    return this.#endsAtMs - Date.now();
  }

  /** Returns the result of the work. @throws {OpzoekError} as soon as the time is over or the call is aborted */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#ended, work]);
  }

  /** Waits. @throws {OpzoekError} when the deadline ends first */
  async sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.within(
        new Promise((resolve) => {
          timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Removes the timer and the listener. */
  close(): void {
    this.#stop();
  }
}
