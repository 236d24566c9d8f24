import type { MatchQuery, MatchResult } from "../../match/types.ts";
import type { OpenedSnapshot } from "../types.ts";

/** Queries for the thread, with everything that has changed since the previous message. */
export interface MatchTask {
  readonly id: number;
  readonly queries: readonly MatchQuery[];
  readonly limit: number;
  readonly snapshot?: OpenedSnapshot;
  /** Companies that are treated as if they were not in the registry. */
  readonly hidden?: ReadonlySet<string>;
}

/** `unopened`: the snapshot of the last task with one could not be opened. */
export type MatchAnswer =
  | {
      readonly kind: "matched";
      readonly id: number;
      /** Undefined for a query that failed. */
      readonly results: readonly (MatchResult | undefined)[];
      /** The first failure. */
      readonly failure?: Error;
    }
  | { readonly kind: "unopened"; readonly id: number; readonly failure: Error };
