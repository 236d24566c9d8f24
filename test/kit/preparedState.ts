import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { makeOwnFolder, OWN_FILE_MODE } from "../../src/lib/ownFiles.ts";

let unused: Promise<Buffer> | undefined;

/** A state with all its tables and no data. */
async function makeUnused(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-unused-"));
  const path = statePath(folder);
  const state = await openSqliteState({ path, tiers: {} });
  await state.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Stores an empty state if there is none: creating its tables takes longer than most tests that use it. */
export async function prepareState(dataDir: string): Promise<void> {
  const path = statePath(dataDir);
  if (existsSync(path)) return;
  unused ??= makeUnused();
  const bytes = await unused;
  makeOwnFolder(dirname(path));
  const whole = `${path}.prepared`;
  writeFileSync(whole, bytes, { mode: OWN_FILE_MODE });
  try {
    // Atomic, because a service may be starting.
    linkSync(whole, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  rmSync(whole);
}
