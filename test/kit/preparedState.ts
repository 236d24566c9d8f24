import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeOwnFolder, OWN_FILE_MODE } from "../../src/lib/ownFiles.ts";
import { openSqliteState } from "../../src/storage/sqlite/sqliteState.ts";
import { statePath } from "../../src/storage/sqlite/statePath.ts";

let unused: Promise<Buffer> | undefined;

/** A state with all its tables and nothing in them. */
async function makeUnused(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-unused-"));
  const path = statePath(folder);
  const state = await openSqliteState({ path, tiers: {} });
  await state.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Puts a state without anything in it where there is none: making its tables takes longer than most of what is done with them. */
export async function prepareState(dataDir: string): Promise<void> {
  const path = statePath(dataDir);
  if (existsSync(path)) return;
  unused ??= makeUnused();
  const bytes = await unused;
  makeOwnFolder(dirname(path));
  const whole = `${path}.prepared`;
  writeFileSync(whole, bytes, { mode: OWN_FILE_MODE });
  try {
    // All of it or nothing, for a service that starts at this moment.
    linkSync(whole, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  rmSync(whole);
}
