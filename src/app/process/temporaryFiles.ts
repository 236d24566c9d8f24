/** Where SQLite writes what it sorts and cannot hold in memory. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../lib/ownFiles.ts";

const FOLDER = "tmp";
/** How SQLite names such a file (SQLITE_TEMP_FILE_PREFIX). */
const MADE_BY_SQLITE = /^etilqs_[0-9a-f]+$/;
/** SQLite takes a file's name away as soon as it is open: one that has a name for so long was left by a process that ended. */
const LEFT_AFTER_MS = 60_000;

/**
 * Has SQLite write its temporary files to DATA_DIR, where there is room for what the data comes to: /var/tmp may be small, and a
 * service that may write nowhere else has no other place. Clears what a process that has ended left there. SQLite reads the
 * variable when it is first used in a process, for all threads, so this comes before.
 * @param environment of this process itself
 */
export function keepTemporaryFiles(
  dataDir: string,
  environment: Record<string, string | undefined>,
  now: () => number = Date.now,
): void {
  const folder = join(dataDir, FOLDER);
  environment["SQLITE_TMPDIR"] = folder;
  try {
    makeOwnFolder(folder);
    for (const name of readdirSync(folder)) {
      if (!MADE_BY_SQLITE.test(name)) continue;
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found !== undefined && now() - found.mtimeMs > LEFT_AFTER_MS) rmSync(path, { force: true });
    }
  } catch {
    // Whoever may not write in DATA_DIR is told by what is written there first.
  }
}
