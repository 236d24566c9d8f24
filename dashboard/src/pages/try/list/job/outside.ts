import type { Answer } from "./answers.ts";
import type { JobApi, Part } from "./jobApi.ts";

/** A list without its file and its answers: the choices that were made, and its progress. */
export interface KeptList {
  readonly accountId: string;
  readonly name: string;
  readonly sheet: number;
  readonly column: number;
  readonly headRow: number | undefined;
  readonly completes: boolean;
  readonly isEverything: boolean;
  /** Tokens charged for parts that have ended. */
  readonly spent: number;
  /** The part under way; its results are at the service. */
  readonly part?: Part;
  readonly keptAtMs: number;
}

/** A list with its file and the answers of the parts that have ended. */
export interface LoadedList {
  readonly list: KeptList;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly answers: readonly Answer[];
}

/** Where a list is kept. Every method throws where that fails. */
export interface Keeper {
  load(accountId: string, nowMs: number): Promise<LoadedList | undefined>;
  /** Stores a new list, in place of the account's former one. */
  begin(list: KeptList, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Stores the progress of a list and new answers, both or neither. */
  update(list: KeptList, answers?: readonly Answer[]): Promise<void>;
  remove(accountId: string): Promise<void>;
}

/** The dependencies of looking up a list; tests bring their own. */
export interface RunParts {
  readonly api: JobApi;
  /** Undefined where the browser keeps nothing. */
  readonly keeper: Keeper | undefined;
  readonly now: () => number;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called after each change. */
  readonly changed: (event?: "discarded" | "replanned") => void;
}
