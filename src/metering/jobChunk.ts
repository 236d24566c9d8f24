/**
 * Numbers of a list that were worked off. Their results are kept, and the list moves on, in the transaction that charges them, so that
 * whatever ends a process each number is charged once and its result is there. Only who holds the list at this very step may do so.
 */
export interface JobChunk {
  readonly jobId: string;
  /** The step of the list that this is: it counts chunks. */
  readonly step: number;
  /** Which claim of the list its worker holds. */
  readonly claim: number;
  /** The block that the numbers are of, and how many of it are worked off with them. */
  readonly block: number;
  readonly taken: number;
  readonly found: number;
  readonly failed: number;
  /** The results, a line each; empty when all numbers are tried again. */
  readonly lines: string;
  readonly jsonlBytes: number;
  readonly csvBytes: number;
  /** The suppression list that the results were held against. */
  readonly mark: string;
  /** Numbers to be tried again, as a block of their own. */
  readonly again?: {
    readonly numbers: string;
    readonly size: number;
    readonly attempt: number;
    readonly afterMs: number;
  };
  /** How long the worker holds the list from now on. */
  readonly leaseMs: number;
}

/** How far a list is that is worked off. */
export interface StoredJob {
  readonly step: number;
  readonly claim: number;
  /** It was neither ended nor cancelled. */
  readonly isOpen: boolean;
}

/** A part of a list, and what it was charged. */
export interface ChargedChunk {
  readonly accountId: string;
  readonly chunk: JobChunk;
  readonly charged: number;
}

/**
 * Whether a list is still at the step that was worked, and held by who worked it.
 * @param before what was taken in the same transaction: of a list one part at most
 */
export function isNextChunk(
  { jobId, step, claim }: JobChunk,
  job: StoredJob | undefined,
  before: readonly ChargedChunk[],
): boolean {
  if (before.some(({ chunk }) => chunk.jobId === jobId)) return false;
  return job?.isOpen === true && job.step === step && job.claim === claim;
}
