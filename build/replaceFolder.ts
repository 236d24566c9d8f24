import { renameSync, rmSync } from "node:fs";

/**
 * Fills a new folder next to `folder` and renames it into place, so that readers find either the old files or the new
 * ones. After an error the old folder is unchanged.
 * @param fill creates the new folder and writes the files
 */
export async function replaceFolder<T>(folder: string, fill: (draft: string) => Promise<T>): Promise<T> {
  // Git ignores names of this form.
  const [draft, old] = [`${folder}.${process.pid}.tmp`, `${folder}.${process.pid}.old.tmp`];
  const remove = (path: string): void => rmSync(path, { recursive: true, force: true });
  try {
    remove(draft);
    const filled = await fill(draft);
    // A folder that holds files cannot be renamed over. Another build may move or replace it at the same time.
    while (!renamed(draft, folder, ["ENOTEMPTY", "EEXIST"])) {
      remove(old);
      renamed(folder, old, ["ENOENT"]);
    }
    return filled;
  } finally {
    remove(draft);
    remove(old);
  }
}

/** Returns false if it failed for one of these reasons. */
function renamed(from: string, to: string, reasons: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && reasons.includes(String(error.code))) return false;
    throw error;
  }
}
