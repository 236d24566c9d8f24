import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { makeOwnFile } from "../lib/ownFiles.ts";
import { writeIdentity, writeIndexFile } from "../search/index/indexFile.ts";
import { contentsOf, contentsWithDelta } from "./contents.ts";
import type { Contents, LayerInfo } from "./info.ts";
import { Interner } from "./interner.ts";
import { APPLICATION_ID, CREATE_TABLES, LAYOUT_VERSION, rowTables } from "./layout.ts";
import { copyRows, mergedFacts, mergeIncoming } from "./mergeCompanies.ts";
import { Indexing } from "./names/indexing.ts";
import { indexRows } from "./names/indexRows.ts";
import { namesPathOf, verifyNames } from "./names/storedNames.ts";
import { sha256OfFile } from "./openSnapshot.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import { immutableUrl } from "./sqlite.ts";
import type { FactsSource, ImportCounts, ImportOptions, ImportProgress } from "./types.ts";
import { writeIncoming } from "./writeIncoming.ts";

/** A page has a dozen companies, so a random lookup reads little else. */
const PAGE_BYTES = 4096;
/** Page cache while building, in KiB. Keeps memory independent of the size of the snapshot. */
const CACHE_KIB = 64 * 1024;

export interface BuildInput {
  /** An empty folder, which the caller deletes afterwards. */
  readonly folder: string;
  /** Undefined: rewrites the current snapshot as one base. */
  readonly facts: FactsSource | undefined;
  /** The open snapshot to add to. */
  readonly current: SnapshotFile | undefined;
  /** KVK numbers that no file may contain. */
  readonly omit: ReadonlySet<string>;
  /** The maximum size of a delta as a share of its base. 0: always build a base. */
  readonly maxDeltaShare: number;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onRepeated?: ImportOptions["onRepeated"];
}

/** A finished layer, closed, with its index of names next to it. */
export interface BuiltLayer {
  readonly kind: "base" | "delta";
  readonly path: string;
  /** The layer's fields in the pointer. */
  readonly info: Omit<LayerInfo, "number" | "file">;
  /** The contents of the snapshot that this layer completes. */
  readonly snapshot: Contents;
  readonly counts: ImportCounts;
}

/**
 * Builds a layer from facts: a delta that replaces the current one, or a base if too much changed or a company must be
 * omitted.
 * @returns undefined without facts; "nothing" when they change nothing. Rethrows errors of `facts`.
 */
export async function buildLayer(
  input: BuildInput,
): Promise<BuiltLayer | { readonly kind: "nothing"; readonly counts: ImportCounts } | undefined> {
  const { folder, facts, current, omit, maxDeltaShare, onProgress } = input;
  const path = join(folder, "layer.sqlite");
  makeOwnFile(path);
  const db = new DatabaseSync(pathToFileURL(path));
  // Without a snapshot to add to, nearly all companies stay as they arrive, so they are indexed in the meantime.
  const indexing = current === undefined ? new Indexing() : undefined;
  try {
    prepare(db, folder, current);
    const interner = current?.interner() ?? new Interner();
    const maxCompanies =
      current === undefined || current.holdsAny(omit) ? 0 : current.base.info.companies * maxDeltaShare;
    const arrived = await writeIncoming(db, facts ?? [], interner, {
      indexing,
      current,
      maxChanges: Math.floor(maxCompanies),
      onProgress,
      onRepeated: input.onRepeated,
    });
    if (facts !== undefined && arrived.facts === 0) return undefined;
    const merged = mergeIncoming(db, { arrived: arrived.companies, current, interner, onProgress });
    const counts: ImportCounts = {
      new: merged.new,
      changed: merged.changed,
      unchanged: merged.unchanged + arrived.unchanged,
      repeated: arrived.repeated,
    };
    const mayBeDelta = facts !== undefined && maxCompanies >= 1;
    if (mayBeDelta && merged.changes === 0) return { kind: "nothing", counts };
    const isDelta = mayBeDelta && !merged.isAnyOlder && merged.deltaCompanies < maxCompanies;
    copyRows(db, { currentLayers: current && (isDelta ? "delta" : "all"), omit, onProgress });
    interner.save(db);
    const contents = contentsOf(db);
    const snapshot = isDelta && current !== undefined ? contentsWithDelta(db, current.info) : contents;
    const names = namesPathOf(path);
    if (indexing?.isInProgress === true) {
      for (const company of mergedFacts(db, interner)) await indexing.add(company);
      await indexing.beginWriting(names);
    } else {
      const total = contents.companies;
      writeIndexFile(
        names,
        indexRows(db, interner, (done) => onProgress({ stage: "indexing", done, total })),
      );
    }
    onProgress({ stage: "finishing", done: 0 });
    const meta = db.prepare("INSERT INTO meta (key, value) VALUES (?, ?)");
    const { companies, branches } = contents;
    for (const [key, value] of Object.entries({ companies, branches, complete: 1 })) meta.run(key, value);
    db.close();
    onProgress({ stage: "checking", done: 0 });
    const [{ sha256, bytes }] = await Promise.all([onDisk(path), indexing?.written()]);
    writeIdentity(names, sha256);
    await verifyNames(path, sha256);
    const info = { sha256, bytes, ...contents, createdAt: new Date().toISOString() };
    return { kind: isDelta ? "delta" : "base", path, info, snapshot, counts };
  } finally {
    await indexing?.close();
    if (db.isOpen) db.close();
  }
}

/** Syncs a file to disk and hashes it at the same time. */
async function onDisk(path: string): Promise<{ sha256: string; bytes: number }> {
  const file = await open(path);
  try {
    const [sha256, { size }] = await Promise.all([sha256OfFile(path), file.stat(), file.sync()]);
    return { sha256, bytes: size };
  } finally {
    await file.close();
  }
}

/**
 * Creates the tables of a layer, and attaches `work` for temporary tables and `base` and `delta` of the current
 * snapshot.
 */
function prepare(db: DatabaseSync, folder: string, current: SnapshotFile | undefined): void {
  // Nothing here must survive a crash: the file is synced and renamed when it is complete.
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
  if (current !== undefined) {
    const { base, delta } = current;
    db.prepare("ATTACH ? AS base").run(immutableUrl(base.place.path).href);
    db.prepare("ATTACH ? AS delta").run(
      delta === undefined ? ":memory:" : immutableUrl(delta.place.path).href,
    );
    if (delta === undefined) db.exec(rowTables("delta"));
  }
  db.exec(CREATE_TABLES);
}
