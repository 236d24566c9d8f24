/** A batch of any length, in calls of a hundred. */
import type { BatchAnswer } from "./api/calls.ts";
import { OpzoekError } from "./errors.ts";
import { ofCall, withinRate } from "./pacing.ts";
import type { CallOptions, Transport } from "./transport.ts";

const MAX_NUMBERS = 100;

/** The progress of a batch. */
export interface BatchProgress {
  /** Numbers with a result or an error. */
  readonly done: number;
  /** All numbers, without duplicates. */
  readonly total: number;
  readonly tokensUsed: number;
}

/** Options of a batch. `signal` aborts the whole batch; the other options apply to each call of a hundred numbers. */
export interface BatchOptions extends CallOptions {
  /** Returns all known data of each company. */
  readonly enrich?: boolean | undefined;
  /** Called after each hundred. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
}

/**
 * Looks up all numbers, without duplicates, in their order, within the key's rate.
 * @throws {OpzoekError} that of the failed call, with `partial`: the results that were returned and paid for before
 */
export async function batchOf(
  transport: Transport,
  kvkNumbers: Iterable<string>,
  { enrich, onProgress, ...call }: BatchOptions,
): Promise<BatchAnswer> {
  const numbers = [...new Set(kvkNumbers)];
  const results: BatchAnswer["results"][number][] = [];
  const failed: BatchAnswer["failed"][number][] = [];
  let tokensUsed = 0;
  for (let done = 0; done < numbers.length; ) {
    const chunk = numbers.slice(done, done + MAX_NUMBERS);
    const request = {
      operation: "batch",
      field: "results",
      path: "/v1/lookup/batch",
      body: { kvkNumbers: chunk, enrich },
    };
    const options = ofCall(transport, call, done);
    try {
      const answer = await withinRate(transport, call.signal, () =>
        transport.call<BatchAnswer>(request, options),
      );
      results.push(...answer.results);
      failed.push(...answer.failed);
      tokensUsed += answer.tokensUsed;
    } catch (error) {
      if (error instanceof OpzoekError)
        error.partial = { results, failed, tokensUsed, remaining: numbers.slice(done) };
      throw error;
    }
    done += chunk.length;
    onProgress?.({ done, total: numbers.length, tokensUsed });
  }
  return { results, failed, tokensUsed };
}
