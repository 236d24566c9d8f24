import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { makeOwnFile } from "../lib/ownFiles.ts";
import { writeIndexFile } from "../search/index/indexFile.ts";
import type { Contents, OriginInfo } from "./info.ts";
import { Interner } from "./interning.ts";
import { APPLICATION_ID, CREATE_TABLES, LAYOUT_VERSION } from "./layout.ts";
import { mergeCompanies, mergedFacts } from "./mergeCompanies.ts";
import { Indexing } from "./names/indexing.ts";
import { indexRows } from "./names/indexRows.ts";
import { namesPathOf } from "./names/storedNames.ts";
import { sha256OfFile } from "./openSnapshot.ts";
import { prepareQuery } from "./rows.ts";
import type { FactsSource, ImportCounts, ImportProgress } from "./types.ts";
import { writeIncoming } from "./writeIncoming.ts";

/** A page holds a dozen companies: whoever looks one up at random reads little else. */
const PAGE_BYTES = 4096;
/** Memory for pages while building, in KiB; the same however large the snapshot. */
const CACHE_KIB = 64 * 1024;

export interface Built {
  /** A finished snapshot file, closed; beside it is its index of names. */
  readonly path: string;
  readonly contents: Contents;
  readonly counts: ImportCounts;
  /** Of its content. */
  readonly sha256: string;
}

export interface BuildInput {
  /** An empty folder; the caller deletes it with all that is in it. */
  readonly folder: string;
  /** Left out: the snapshot is built anew without what `omit` names. */
  readonly facts: FactsSource | undefined;
  /** The snapshot to add to. */
  readonly basePath: string | undefined;
  /** KVK numbers of the base that are left out. */
  readonly omit: ReadonlySet<string>;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Builds a snapshot file in `folder`; undefined when `facts` has none. Rethrows what `facts` throws. */
export async function buildSnapshot({
  folder,
  facts,
  basePath,
  omit,
  onProgress,
}: BuildInput): Promise<Built | undefined> {
  const path = join(folder, "snapshot.sqlite");
  makeOwnFile(path);
  const db = new DatabaseSync(pathToFileURL(path));
  const isAfresh = basePath === undefined;
  // Where there is nothing to add to, nearly all companies stay as they arrive: they are indexed meanwhile.
  const indexing = isAfresh ? new Indexing() : undefined;
  try {
    prepare(db, folder, basePath);
    const interner = isAfresh ? new Interner() : Interner.of(db, "base");
    const arrived = await writeIncoming(db, facts ?? [], interner, { indexing, onProgress });
    if (facts !== undefined && arrived === undefined) return undefined;
    const merged = mergeCompanies(db, {
      arrived: arrived?.companies ?? 0,
      hasBase: !isAfresh,
      omit,
      interner,
      onProgress,
    });
    interner.save(db);
    const contents = describe(db);
    const names = namesPathOf(path);
    if (indexing?.isUnderWay === true) {
      for (const company of mergedFacts(db, interner)) await indexing.add(company);
      await indexing.beginWriting(names);
    } else {
      const tell = (done: number) => onProgress({ stage: "indexing", done, total: contents.companies });
      writeIndexFile(names, indexRows(db, interner, tell));
    }
    onProgress({ stage: "finishing", done: 0 });
    writeMeta(db, contents);
    db.close();
    onProgress({ stage: "checking", done: 0 });
    const [sha256] = await Promise.all([onDisk(path), indexing?.written()]);
    return { path, contents, counts: { ...merged, repeated: arrived?.repeated ?? 0 }, sha256 };
  } finally {
    await indexing?.close();
    if (db.isOpen) db.close();
  }
}

/** @returns the SHA-256 of a file that is written to disk meanwhile */
async function onDisk(path: string): Promise<string> {
  const file = await open(path);
  try {
    const [sha256] = await Promise.all([sha256OfFile(path), file.sync()]);
    return sha256;
  } finally {
    await file.close();
  }
}

/** Makes the tables of a snapshot in an empty file, and beside it what is worked with. */
export function prepare(db: DatabaseSync, folder: string, basePath: string | undefined): void {
  // Nothing here need survive a crash: the file counts from its renaming on, after it was written to disk as a whole.
  const fast = (schema: string) => `
    PRAGMA ${schema}.page_size = ${PAGE_BYTES};
    PRAGMA ${schema}.journal_mode = OFF;
    PRAGMA ${schema}.synchronous = OFF;
    PRAGMA ${schema}.locking_mode = EXCLUSIVE;
    PRAGMA ${schema}.cache_size = -${CACHE_KIB};`;
  db.exec(fast("main"));
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${LAYOUT_VERSION}`);
  const workPath = join(folder, "work.sqlite");
  makeOwnFile(workPath);
  db.prepare("ATTACH ? AS work").run(workPath);
  db.exec(fast("work"));
  if (basePath !== undefined) {
    const url = pathToFileURL(basePath);
    url.search = "?mode=ro&immutable=1";
    db.prepare("ATTACH ? AS base").run(url.href);
  }
  db.exec(CREATE_TABLES);
}

/** Says of a file what it holds, and that it is finished. */
export function writeMeta(db: DatabaseSync, { companies, branches }: Contents): void {
  const meta = db.prepare("INSERT INTO meta (key, value) VALUES (?, ?)");
  for (const [key, value] of Object.entries({ companies, branches, complete: 1 })) meta.run(key, value);
}

/** What a file holds, in numbers. */
export function describe(db: DatabaseSync): Contents {
  const [companies = 0, branches = 0] =
    prepareQuery<[number, number]>(
      db,
      "SELECT count(*), coalesce(sum(json_array_length(branches)), 0) FROM company",
    ).get() ?? [];
  const origins = prepareQuery<[string, number, number]>(
    db,
    `SELECT o.name, count(*), max(f.asOf)
     FROM (SELECT origin, asOf FROM company WHERE (flags & 16) = 0 UNION ALL SELECT origin, asOf FROM facts) f
     JOIN origin o ON o.id = f.origin GROUP BY o.name ORDER BY o.name`,
  );
  return {
    companies,
    branches,
    origins: origins.all().map(
      ([origin, count, asOf]): OriginInfo => ({
        origin,
        companies: count,
        asOf: new Date(asOf).toISOString(),
      }),
    ),
  };
}
