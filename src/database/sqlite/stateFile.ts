import type { DatabaseSync } from "node:sqlite";
import { StateRefused } from "../stateErrors.ts";

/** Long enough for the write of a command, short enough for a waiting caller. */
export const BUSY_TIMEOUT_MS = 2_000;

/** @throws if the file fails the integrity check */
export function checkWhole(database: DatabaseSync): void {
  const found = database.prepare("pragma quick_check(1)").get();
  if (found?.["quick_check"] !== "ok") throw new Error(`damaged: ${String(found?.["quick_check"])}`);
}

/** The reason why a state file cannot be used, and the remedy. */
export function asRefused(path: string, error: unknown): StateRefused {
  const reason = error instanceof Error ? error.message : String(error);
  const isDamaged = /damaged|malformed|not a database|corrupt|no such (table|column)/i.test(reason);
  return new StateRefused(
    isDamaged
      ? `the state file ${path} is damaged (${reason}): restore it from a backup, or move it away with its -wal and -shm files to start with an empty state`
      : `the state file ${path} cannot be opened (${reason}): check that DATA_DIR exists, is writable and has free space`,
    error,
  );
}
