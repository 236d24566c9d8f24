import { join } from "node:path";

/** Where the registry lives inside `DATA_DIR`. */
export function registryDirectory(dataDir: string): string {
  return join(dataDir, "registry");
}
