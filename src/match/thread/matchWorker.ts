/** The thread that matches the rows of lists. */
import { constants, setPriority } from "node:os";
import { serveCalls } from "../../lib/workerClient.ts";
import { openNamed } from "../../registry/openSnapshot.ts";
import type { SnapshotFile } from "../../registry/snapshotFile.ts";
import type { OpenedSnapshot } from "../../registry/types.ts";
import { matcherOf } from "../matcher.ts";
import type { MatchQuery, Ranking } from "../types.ts";

// Requests go first. Elsewhere this would change the priority of the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

let snapshot: SnapshotFile | undefined;
let hidden: ReadonlySet<string> = new Set();

const served = {
  /** Opens another snapshot. If it cannot be opened, the previous one stays. */
  open({ directory, info, names }: OpenedSnapshot): void {
    const before = snapshot;
    snapshot = openNamed(directory, info, { names, before });
    before?.close();
  },

  /** Sets the companies that are treated as if they were not in the registry. */
  hide(numbers: ReadonlySet<string>): void {
    hidden = numbers;
  },

  /** Matches each query. One that fails has no result; `failures` are their errors. */
  match(queries: readonly MatchQuery[], limit: number) {
    const opened = snapshot;
    if (opened === undefined) throw new Error("there is no snapshot");
    const failures: unknown[] = [];
    const results = queries.map((query): Ranking | undefined => {
      try {
        return matcherOf(opened).match(query, { limit, isHidden: (kvkNumber) => hidden.has(kvkNumber) });
      } catch (error) {
        failures.push(error);
        return undefined;
      }
    });
    return { results, failures };
  },
};
export type MatchServed = typeof served;

serveCalls(served);
