/** Until a list has ended. */
import { TimeoutError } from "../errors.ts";
import { WINDOW_MS } from "../pacing.ts";
import { waitBeforeRetryMs } from "../retrying.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { SubmittedJob } from "./types.ts";

/** A look takes a call of the key's rate: the longer a list takes, the less often it is looked at. */
const FIRST_LOOK_MS = 1_000;
const GROWTH = 1.5;
const SLOWEST_LOOK_MS = 30_000;

/** Pauses between looks that fail grow no further. */
const MAX_DOUBLINGS = 6;

const DEFAULT_TIMEOUT_MS = 3_600_000;

/** Options of `wait()`. */
export interface WaitOptions extends Pick<CallOptions, "signal" | "onAnswer"> {
  /** The longest wait, milliseconds; an hour by default. */
  readonly timeoutMs?: number | undefined;
  /** Goes on waiting while the list is paused, for the next month's tokens or for somebody who resumes it. */
  readonly throughPauses?: boolean | undefined;
  /** Told after each look. */
  readonly onProgress?: ((job: SubmittedJob) => void) | undefined;
}

/**
 * The list when it has ended, or is paused. An outage of the service is waited for like the list.
 * @throws {OpzoekError} TimeoutError when the time is over, and whatever waiting does not mend
 */
export async function waited<Told extends SubmittedJob>(
  transport: Transport,
  look: (options: CallOptions) => Promise<Told>,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS, throughPauses, onProgress, onAnswer }: WaitOptions,
): Promise<Told> {
  const deadline = transport.deadlineOf({ signal, timeoutMs });
  try {
    for (let pauseMs = FIRST_LOOK_MS, failures = 0; ; pauseMs = Math.min(pauseMs * GROWTH, SLOWEST_LOOK_MS)) {
      let minMs = 0;
      try {
        const job = await look({ signal: deadline.signal, onAnswer });
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
