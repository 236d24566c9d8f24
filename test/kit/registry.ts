/** For tests: facts of fictional companies, temporary folders, snapshots. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { namesPathOf } from "../../src/registry/names/storedNames.ts";
import { openCurrentSnapshot, openSnapshot } from "../../src/registry/openSnapshot.ts";
import type { SnapshotFile } from "../../src/registry/snapshotFile.ts";

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The extension of name indexes. */
export const NAMES = namesPathOf(".sqlite").slice(1);

/** A company's facts: number 1 is 50000001. */
export function companyFacts(number: number, more: Partial<CompanyFacts> = {}): CompanyFacts {
  const kvkNumber = parseKvkNumber(String(50_000_000 + number));
  if (kvkNumber === undefined) throw new RangeError("a test company needs a number below 50,000,000");
  return { kvkNumber, name: `Voorbeeld ${number} B.V.`, isActive: true, ...more };
}

/** The same with an origin and a date. */
export function sourcedFacts(
  number: number,
  more: Partial<CompanyFacts> = {},
  { origin = "demo", asOf = "2026-01-01T00:00:00.000Z" }: { origin?: string; asOf?: string } = {},
): SourcedFacts {
  return { origin, asOf, facts: companyFacts(number, more) };
}

/** A snapshot that a test reads. */
export type OpenSnapshot = SnapshotFile;

/** A snapshot of these facts only, closed after the test. */
export async function snapshotOf(
  facts: Iterable<SourcedFacts>,
  { untilEndOf = onTestFinished }: { untilEndOf?: (close: () => void) => void } = {},
): Promise<SnapshotFile> {
  const directory = mkdtempSync(join(tmpdir(), "opzoek-"));
  const { snapshot: info } = await importFacts(directory, facts, { replace: true });
  if (info === undefined) throw new RangeError("a snapshot needs at least one company");
  const snapshot = openSnapshot(directory, info);
  untilEndOf(() => {
    snapshot.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return snapshot;
}

/**
 * One snapshot for all tests of the calling suite: `onOpened` receives it before the first, and it is closed after the
 * last.
 */
export function snapshotForAll(
  facts: () => Iterable<SourcedFacts>,
  onOpened: (snapshot: OpenSnapshot) => void,
  timeoutMs?: number,
): void {
  const closers: (() => void)[] = [];
  beforeAll(async () => {
    onOpened(await snapshotOf(facts(), { untilEndOf: (close) => closers.push(close) }));
  }, timeoutMs);
  afterAll(() => {
    for (const close of closers) close();
  });
}

/** Adds facts to the registry in a folder. */
export const add = (directory: string, ...facts: SourcedFacts[]) =>
  importFacts(directory, facts, { replace: false });

/** The current snapshot in a folder, closed after the test. */
export function current(directory: string): SnapshotFile {
  const snapshot = openCurrentSnapshot(directory);
  if (snapshot === undefined) throw new Error("there is no snapshot");
  onTestFinished(() => snapshot.close());
  return snapshot;
}

/** Every byte of a registry's files. */
export function bytesOf(directory: string): string {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}
