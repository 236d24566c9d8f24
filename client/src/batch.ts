/** A batch of any length, in calls of a hundred. */
import type { BatchAnswer } from "./api/calls.ts";
import { OpzoekError } from "./errors.ts";
import { type HundredsOptions, inHundreds } from "./hundreds.ts";
import type { Transport } from "./transport.ts";

/** Options of a batch. `signal` aborts the whole batch; the other options apply to each call of a hundred numbers. */
export interface BatchOptions extends HundredsOptions {
  /** Returns all known data of each company. */
  readonly enrich?: boolean | undefined;
}

/**
 * Looks up all numbers, without duplicates, in their order, within the key's rate.
 * @throws {OpzoekError} that of the failed call, with `partial`: the results that were returned and paid for before
 */
export async function batchOf(
  transport: Transport,
  kvkNumbers: Iterable<string>,
  { enrich, ...options }: BatchOptions,
): Promise<BatchAnswer> {
  const numbers = [...new Set(kvkNumbers)];
  const results: BatchAnswer["results"][number][] = [];
  const failed: BatchAnswer["failed"][number][] = [];
  let tokensUsed = 0;
  let done = 0;
  try {
    const answers = inHundreds<string, BatchAnswer>(transport, numbers, options, (chunk) => ({
      operation: "batch",
      field: "results",
      path: "/v1/lookup/batch",
      body: { kvkNumbers: chunk, enrich },
    }));
    for await (const [answer, upTo] of answers) {
      results.push(...answer.results);
      failed.push(...answer.failed);
      tokensUsed += answer.tokensUsed;
      done = upTo;
    }
  } catch (error) {
    if (error instanceof OpzoekError)
      error.partial = { results, failed, tokensUsed, remaining: numbers.slice(done) };
    throw error;
  }
  return { results, failed, tokensUsed };
}
