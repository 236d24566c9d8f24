import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { makeOwnFile, makeOwnFolder } from "../../lib/ownFiles.ts";
import { writeIndexFile } from "../../search/index/indexFile.ts";
import { describe, prepare, writeMeta } from "../build.ts";
import type { Contents } from "../info.ts";
import type { Interner } from "../interning.ts";
import { COLUMNS, companyTable, factsTable } from "../layout.ts";
import { indexRows } from "../names/indexRows.ts";
import { namesPathOf } from "../names/storedNames.ts";
import type { ImportProgress } from "../types.ts";

/** A file that layers were merged into, closed. */
export interface MergedLayers {
  readonly path: string;
  readonly contents: Contents;
}

export interface MergeInput {
  /** Where the file is made, in a folder of its own. */
  readonly folder: string;
  /** That of the newest layer: its numbers hold in all. */
  readonly interner: Interner;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Companies are written in steps of so many KVK numbers, so that progress can be shown. */
const NUMBERS_AT_ONCE = 2_000_000;
const ALL_NUMBERS = 100_000_000;

/** Merges segments that follow one another into one, with its index of names. @param paths the oldest first */
export function mergeSegments(paths: readonly string[], input: MergeInput): MergedLayers {
  return inNewFile(input, "merged-segments", (db) => {
    copyNewest(db, "main", paths);
    return undefined;
  });
}

/** Merges a base and its segments into a new base, with its index of names. @param segments the oldest first */
export function mergeIntoBase(
  base: string,
  segments: readonly string[],
  together: Contents,
  input: MergeInput,
): MergedLayers {
  return inNewFile(input, "merged-base", (db) => {
    copyAll(db, base, segments, input.onProgress);
    return together;
  });
}

/** The rows alone of what a base and its segments hold, to be built on. @returns the path of the file */
export function joinRows(base: string, segments: readonly string[], input: MergeInput): string {
  const { path, db } = newFile(input.folder, "joined");
  try {
    copyAll(db, base, segments, input.onProgress);
    input.interner.save(db);
  } finally {
    db.close();
  }
  return path;
}

function newFile(folder: string, name: string): { path: string; db: DatabaseSync } {
  const own = join(folder, name);
  makeOwnFolder(own);
  const path = join(own, "layer.sqlite");
  makeOwnFile(path);
  const db = new DatabaseSync(pathToFileURL(path));
  prepare(db, own, undefined);
  return { path, db };
}

/** Makes a layer in a folder of its own, with its index of names. @param fill writes the rows, and says what there are where that is known */
export function inNewFile(
  { folder, interner, onProgress }: MergeInput,
  name: string,
  fill: (db: DatabaseSync) => Contents | undefined,
): MergedLayers {
  const { path, db } = newFile(folder, name);
  try {
    const known = fill(db);
    interner.save(db);
    const contents = known ?? describe(db);
    const total = contents.companies;
    const sections = indexRows(db, interner, (done) => onProgress({ stage: "indexing", done, total }));
    writeIndexFile(namesPathOf(path), sections);
    writeMeta(db, contents);
    return { path, contents };
  } finally {
    db.close();
  }
}

/** Attaches the file of a layer as `layer` for a while. */
export function attached(db: DatabaseSync, path: string, use: () => void): void {
  const url = pathToFileURL(path);
  url.search = "?mode=ro&immutable=1";
  db.prepare("ATTACH ? AS layer").run(url.href);
  try {
    use();
  } finally {
    db.exec("DETACH layer");
  }
}

/** Copies of each company what the newest layer says. @param paths the oldest first */
function copyNewest(db: DatabaseSync, schema: string, paths: readonly string[]): void {
  for (const path of paths.toReversed()) {
    attached(db, path, () => {
      db.exec(`BEGIN;
        INSERT INTO ${schema}.facts SELECT * FROM layer.facts f
          WHERE NOT EXISTS (SELECT 1 FROM ${schema}.company c WHERE c.kvk = f.kvk);
        INSERT OR IGNORE INTO ${schema}.company (${COLUMNS}) SELECT ${COLUMNS} FROM layer.company;
        COMMIT`);
    });
  }
}

/** Copies a base and its segments in the order of the key, so that pages are full and in order. */
function copyAll(
  db: DatabaseSync,
  base: string,
  segments: readonly string[],
  onProgress: (progress: ImportProgress) => void,
): void {
  db.exec(`${companyTable("work.company")}; ${factsTable("work.facts")}`);
  copyNewest(db, "work", segments);
  const isReplaced = (alias: string) => `EXISTS (SELECT 1 FROM work.company w WHERE w.kvk = ${alias}.kvk)`;
  attached(db, base, () => {
    db.exec("BEGIN");
    const copy = db.prepare(`INSERT INTO main.company (${COLUMNS})
      SELECT ${COLUMNS} FROM work.company WHERE kvk BETWEEN ?1 AND ?2
      UNION ALL SELECT ${COLUMNS} FROM layer.company b WHERE kvk BETWEEN ?1 AND ?2 AND NOT ${isReplaced("b")}
      ORDER BY 1`);
    for (let from = 0; from < ALL_NUMBERS; from += NUMBERS_AT_ONCE) {
      copy.run(from, from + NUMBERS_AT_ONCE - 1);
      const [done, total] = [from / NUMBERS_AT_ONCE + 1, ALL_NUMBERS / NUMBERS_AT_ONCE];
      onProgress({ stage: "merging layers", done, total });
    }
    db.exec(`INSERT INTO main.facts SELECT * FROM layer.facts f WHERE NOT ${isReplaced("f")};
      INSERT INTO main.facts SELECT * FROM work.facts; COMMIT`);
  });
}
