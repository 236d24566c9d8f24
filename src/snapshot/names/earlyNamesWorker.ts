/** The thread that reads indexes of names while the program is still being loaded. It loads next to nothing itself. */
import { parentPort, workerData } from "node:worker_threads";
import { UnusableIndex } from "../../search/index/sections.ts";
import { type EarlyIndex, type EarlyPlaces, readNames } from "./storedNames.ts";

const places: EarlyPlaces = workerData;
for (const [nth, place] of places.entries()) {
  try {
    parentPort?.postMessage({ nth, index: readNames(place) } satisfies EarlyIndex);
  } catch (error) {
    // Whoever needs it reads it again, and builds it then.
    if (!(error instanceof UnusableIndex)) throw error;
  }
}
