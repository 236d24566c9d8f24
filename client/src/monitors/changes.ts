import type { ChangesAnswer, ChangesQuery } from "../api/calls.ts";
import type { ChangeEvent } from "../api/resources.ts";
import { TimeoutError } from "../errors.ts";
import { pause } from "../pacing.ts";
import { waitBeforeRetryMs } from "../retrying.ts";
import type { CallOptions } from "../transport.ts";

/** Options of `changes()`. The time limit applies to each call. */
export interface ChangesOptions extends ChangesQuery, Omit<CallOptions, "idempotencyKey"> {
  /** Waits for further events and polls for them this often, milliseconds. Each poll counts as a call of the minute. */
  readonly pollEveryMs?: number | undefined;
}

/** An event, and where to continue after it. */
export interface ReadChange {
  readonly event: ChangeEvent;
  /** The position after this event, or before it if events of the same page follow; undefined at the very beginning. */
  readonly cursor: string | undefined;
}

const MAX_PAGE = 100;
/** Caps the pauses between failed polls. */
const MAX_DOUBLINGS = 6;

/** Reads events page by page. While polling, it continues through outages of the service. */
export async function* followChanges(
  read: (options: ChangesQuery & CallOptions) => Promise<ChangesAnswer>,
  { after, limit = MAX_PAGE, kvkNumber, type, pollEveryMs, ...call }: ChangesOptions,
): AsyncGenerator<ReadChange, void, undefined> {
  const isFiltered = kvkNumber !== undefined || type !== undefined;
  let cursor = after;
  let failures = 0;
  for (;;) {
    let page: ChangesAnswer;
    try {
      page = await read({ ...call, after: cursor, limit, kvkNumber, type });
      failures = 0;
    } catch (error) {
      failures = Math.min(failures + 1, MAX_DOUBLINGS);
      const waitMs = error instanceof TimeoutError ? 0 : waitBeforeRetryMs(error, failures);
      if (pollEveryMs === undefined || waitMs === undefined) throw error;
      await pause(Math.max(waitMs, pollEveryMs), call.signal);
      continue;
    }
    const { events, next } = page;
    for (const [index, event] of events.entries()) {
      yield { event, cursor: index === events.length - 1 ? next : cursor };
    }
    // A filter may match no event of a page.
    const isEnd = isFiltered ? next === cursor : events.length < limit;
    cursor = next;
    if (!isEnd) continue;
    if (pollEveryMs === undefined) return;
    await pause(pollEveryMs, call.signal);
  }
}
