/** Any number of items, in calls of a hundred. */
import { ofCall, withinRate } from "./pacing.ts";
import type { ApiRequest, CallOptions, Transport } from "./transport.ts";

const MAX_ITEMS = 100;

/** The progress of a batch or a match. */
export interface BatchProgress {
  /** Numbers or queries with a result or an error. */
  readonly done: number;
  /** All numbers, without duplicates, or all queries. */
  readonly total: number;
  readonly tokensUsed: number;
}

/**
 * Options of a call for any number of items. `signal` aborts it as a whole; the other options apply to each call of a
 * hundred.
 */
export interface HundredsOptions extends CallOptions {
  /** Called after each hundred. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
}

/**
 * Sends the items in order, within the key's rate, and yields each response with the number of items that are done.
 * @param requestOf returns the request for some of the items
 */
export async function* inHundreds<Item, Answer extends { readonly tokensUsed: number }>(
  transport: Transport,
  items: readonly Item[],
  { onProgress, ...call }: HundredsOptions,
  requestOf: (items: readonly Item[]) => ApiRequest,
): AsyncGenerator<readonly [answer: Answer, done: number], void, undefined> {
  const total = items.length;
  let tokensUsed = 0;
  for (let from = 0; from < total; from += MAX_ITEMS) {
    const options = ofCall(transport, call, from);
    const request = requestOf(items.slice(from, from + MAX_ITEMS));
    const answer = await withinRate(transport, call.signal, () => transport.call<Answer>(request, options));
    const done = Math.min(from + MAX_ITEMS, total);
    yield [answer, done];
    tokensUsed += answer.tokensUsed;
    onProgress?.({ done, total, tokensUsed });
  }
}
