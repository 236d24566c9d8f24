import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeOwnFolder, OWN_FILE_MODE } from "../../src/lib/ownFiles.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { COMPANIES } from "./companies.ts";

type Files = readonly (readonly [name: string, bytes: Buffer])[];

let files: Promise<Files> | undefined;

async function makeFiles(): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-registry-"));
  await importFacts(folder, COMPANIES, { replace: false });
  const made = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
  rmSync(folder, { recursive: true });
  return made;
}

/**
 * Stores the registry of {@link COMPANIES} in a folder that does not exist: building it takes longer than most tests
 * that use it.
 */
export async function prepareRegistry(directory: string): Promise<void> {
  if (existsSync(directory)) throw new Error(`${directory} already exists`);
  files ??= makeFiles();
  const made = await files;
  makeOwnFolder(directory);
  for (const [name, bytes] of made) writeFileSync(join(directory, name), bytes, { mode: OWN_FILE_MODE });
}
