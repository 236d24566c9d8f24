/** The thread that reads indexes of names while the program is still being loaded. It loads next to nothing itself. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { UnusableIndex } from "../../search/index/sections.ts";
import { type EarlyIndex, type EarlyPlaces, readNames } from "./storedNames.ts";

/** Beside a thread of the usual 0 this one has a quarter of a core: enough not to be stopped by what others do on a busy machine. */
const NICENESS = 5;

const places: EarlyPlaces = workerData;
letOthersGoFirst();
for (const [nth, place] of places.entries()) {
  try {
    parentPort?.postMessage({ nth, index: readNames(place) } satisfies EarlyIndex);
  } catch (error) {
    // Whoever needs it reads it again, and builds it then.
    if (!(error instanceof UnusableIndex)) throw error;
  }
}

/**
 * Lookups wait for the program, which other threads load meanwhile, and only searches for this. On Linux a priority is of the thread alone; elsewhere it would
 * be of the process.
 */
function letOthersGoFirst(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may forbid it: it is read all the same.
  }
}
