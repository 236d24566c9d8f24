/** The thread that matches the rows of lists. */
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { MatchQuery, MatchResult } from "../../match/types.ts";
import { openNamed } from "../openSnapshot.ts";
import type { SnapshotFile } from "../snapshotFile.ts";
import type { MatchAnswer, MatchTask } from "./matchThread.ts";

// Requests go first. Elsewhere this would change the priority of the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

let snapshot: SnapshotFile | undefined;
let hidden: ReadonlySet<string> = new Set();

function answerTo(task: MatchTask): MatchAnswer {
  const { id } = task;
  hidden = task.hidden ?? hidden;
  try {
    if (task.snapshot !== undefined) {
      const { directory, info, names } = task.snapshot;
      const before = snapshot;
      snapshot = openNamed(directory, info, { names, before });
      before?.close();
    }
  } catch (error) {
    return { kind: "unopened", id, failure: asError(error) };
  }
  if (snapshot === undefined) return { kind: "unopened", id, failure: new Error("there is no snapshot") };
  const opened = snapshot;
  const failures: Error[] = [];
  const results = task.queries.map((query) => {
    try {
      return matchOne(opened, query, task.limit);
    } catch (error) {
      failures.push(asError(error));
      return undefined;
    }
  });
  const [failure] = failures;
  return { kind: "matched", id, results, ...(failure !== undefined && { failure }) };
}

function matchOne(opened: SnapshotFile, query: MatchQuery, limit: number): MatchResult {
  return opened.match(query, { limit, isHidden: (kvkNumber) => hidden.has(kvkNumber) });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

parentPort?.on("message", (task: MatchTask) => parentPort?.postMessage(answerTo(task)));
