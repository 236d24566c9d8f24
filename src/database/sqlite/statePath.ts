import { join } from "node:path";

/** The file of the embedded state in a data folder. */
export function statePath(dataDir: string): string {
  return join(dataDir, "state.sqlite");
}
