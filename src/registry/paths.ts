/** Paths of the registry's files. Imports nothing else of the registry. */
import { join } from "node:path";

export const POINTER = "current.json";
/** A base or a delta. */
export const LAYER_FILE = /^(?:snapshot|segment)-([0-9]+)\.sqlite$/;

/** The registry's folder inside `DATA_DIR`. */
export function registryDirectory(dataDir: string): string {
  return join(dataDir, "registry");
}

export function pointerPath(directory: string): string {
  return join(directory, POINTER);
}
