import { TimeoutError } from "../errors.ts";
import { WINDOW_MS } from "../pacing.ts";
import { waitBeforeRetryMs } from "../retrying.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { SubmittedJob } from "./types.ts";

/** Each poll counts as a call of the minute, so polls become less frequent. */
const FIRST_POLL_MS = 1_000;
const GROWTH = 1.5;
const MAX_POLL_MS = 30_000;

/** Caps the pauses between failed polls. */
const MAX_DOUBLINGS = 6;

const DEFAULT_TIMEOUT_MS = 3_600_000;

/** Options of `wait()`. */
export interface WaitOptions extends Pick<CallOptions, "signal" | "onAnswer"> {
  /** The longest wait, milliseconds; an hour by default. */
  readonly timeoutMs?: number | undefined;
  /** Keeps waiting while the list is paused. */
  readonly throughPauses?: boolean | undefined;
  /** Called after each poll. */
  readonly onProgress?: ((job: SubmittedJob) => void) | undefined;
}

/**
 * Waits until the list ends or is paused, also through outages of the service.
 * @throws {OpzoekError} TimeoutError when the time is over; other errors that waiting cannot solve
 */
export async function waitForEnd<Found extends SubmittedJob>(
  transport: Transport,
  poll: (options: CallOptions) => Promise<Found>,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS, throughPauses, onProgress, onAnswer }: WaitOptions,
): Promise<Found> {
  const deadline = transport.deadlineOf({ signal, timeoutMs });
  try {
    for (let pauseMs = FIRST_POLL_MS, failures = 0; ; pauseMs = Math.min(pauseMs * GROWTH, MAX_POLL_MS)) {
      let minMs = 0;
      try {
        const job = await poll({ signal: deadline.signal, onAnswer });
        failures = 0;
        onProgress?.(job);
        if (isOver(job, throughPauses === true)) return job;
      } catch (error) {
        // An abort by this deadline is reported as a timeout.
        await deadline.within(Promise.resolve());
        deadline.lastError = error;
        failures = Math.min(failures + 1, MAX_DOUBLINGS);
        const waitMs = error instanceof TimeoutError ? 0 : waitBeforeRetryMs(error, failures);
        if (waitMs === undefined) throw error;
        minMs = waitMs;
      }
      const { rate } = transport.balance;
      const windowMs = rate?.remaining === 0 ? rate.resetAt.getTime() - Date.now() : 0;
      await deadline.sleep(Math.max(pauseMs, minMs, Math.min(windowMs, WINDOW_MS)));
    }
  } finally {
    deadline.close();
  }
}

function isOver({ status }: SubmittedJob, throughPauses: boolean): boolean {
  return status === "paused" ? !throughPauses : status !== "queued" && status !== "running";
}
