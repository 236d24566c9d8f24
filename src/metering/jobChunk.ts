/**
 * A processed part of a list. One transaction charges it, stores its results and advances the list, so that after a
 * crash each item has been charged once and has its result. Only the worker with the claim on the list at this step may
 * store it.
 */
export interface JobChunk {
  readonly jobId: string;
  /** The number of this chunk in its list. */
  readonly step: number;
  /** The worker's claim on the list. */
  readonly claim: number;
  /** The block of the items, and the count of its processed items including these. */
  readonly block: number;
  readonly taken: number;
  readonly found: number;
  readonly failed: number;
  /** The results, one line each; empty if all items are retried. */
  readonly lines: string;
  readonly jsonlBytes: number;
  readonly csvBytes: number;
  /** The mark of the suppression list that the results were checked against. */
  readonly mark: string;
  /** Items to retry, as a separate block. */
  readonly toRetry?: {
    readonly numbers: string;
    readonly size: number;
    readonly attempt: number;
    readonly retryAfterMs: number;
  };
  /** How long the worker's claim lasts from now. */
  readonly leaseMs: number;
}

/** The progress of a list. */
export interface StoredJob {
  readonly step: number;
  readonly claim: number;
  /** It has neither ended nor been cancelled. */
  readonly isOpen: boolean;
}

/** A processed part of a list with its charge. */
export interface ChargedChunk {
  readonly accountId: string;
  readonly chunk: JobChunk;
  readonly charged: number;
}

/**
 * Whether a list is still at the chunk's step and claimed by its worker.
 * @param before chunks of the same transaction; at most one per list
 */
export function isNextChunk(
  { jobId, step, claim }: JobChunk,
  job: StoredJob | undefined,
  before: readonly ChargedChunk[],
): boolean {
  if (before.some(({ chunk }) => chunk.jobId === jobId)) return false;
  return job?.isOpen === true && job.step === step && job.claim === claim;
}
