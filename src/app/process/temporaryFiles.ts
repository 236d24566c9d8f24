/** The folder for data that SQLite sorts and cannot hold in memory. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../lib/ownFiles.ts";

const FOLDER = "tmp";
/** The prefix of such files (SQLITE_TEMP_FILE_PREFIX). */
const TEMPORARY_FILE = /^etilqs_[0-9a-f]+$/;
/**
 * SQLite unlinks a file as soon as it is open: one that still has a name after this time was left by an ended process.
 */
const ABANDONED_AFTER_MS = 60_000;

/**
 * Makes SQLite write temporary files to DATA_DIR, which has room for them: /var/tmp may be small or read-only. Deletes
 * files left by ended processes. SQLite reads the variable on first use in a process, for all threads, so call this
 * earlier.
 * @param environment of this process
 */
export function setTemporaryFolder(
  dataDir: string,
  environment: Record<string, string | undefined>,
  now: () => number = Date.now,
): void {
  const folder = join(dataDir, FOLDER);
  environment["SQLITE_TMPDIR"] = folder;
  try {
    makeOwnFolder(folder);
    for (const name of readdirSync(folder)) {
      if (!TEMPORARY_FILE.test(name)) continue;
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found !== undefined && now() - found.mtimeMs > ABANDONED_AFTER_MS) rmSync(path, { force: true });
    }
  } catch {
    // If DATA_DIR is not writable, its first write reports that.
  }
}
