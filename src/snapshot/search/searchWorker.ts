/** The thread that searches: FTS5 cannot be interrupted, and a search of common words must not stop requests. */
import { parentPort } from "node:worker_threads";
import { inOneGo } from "../../lib/steps.ts";
import { openSnapshot } from "../openSnapshot.ts";
import type { SnapshotFile } from "../snapshotFile.ts";
import type { SearchAnswer, SearchQuestion } from "./searchMessages.ts";

const port = parentPort;
if (port === null) throw new Error("searches run as a worker thread only");

let open: { readonly path: string; readonly snapshot: SnapshotFile } | undefined;

/** The snapshot in a file; the one before is closed, as nobody searches it any more. */
function snapshotIn({ path, info }: SearchQuestion["place"]): SnapshotFile {
  if (open?.path !== path) {
    const snapshot = openSnapshot(path, info);
    open?.snapshot.close();
    open = { path, snapshot };
  }
  return open.snapshot;
}

function answer(question: SearchQuestion): SearchAnswer {
  const { id, place } = question;
  try {
    return { id, found: find(snapshotIn(place), question) };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}

function find(snapshot: SnapshotFile, { kind, asked }: SearchQuestion): unknown {
  return kind === "search" ? inOneGo(snapshot.search(asked)) : snapshot.autocomplete(asked.q, asked.limit);
}

port.on("message", (question: SearchQuestion) => port.postMessage(answer(question)));
