import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { SourcedFacts } from "../../company/facts.ts";
import { makeOwnFile } from "../../lib/ownFiles.ts";
import { writeIndexFile } from "../../search/index/indexFile.ts";
import { describe, prepare, writeMeta } from "../build.ts";
import { type CompanyRow, FLAGS, sourcedFactsOf } from "../codec.ts";
import type { Contents, OriginInfo } from "../info.ts";
import type { Interner } from "../interning.ts";
import { COLUMNS, COMPANY_COLUMNS, companyTable, factsTable, VALUES } from "../layout.ts";
import { mergeCompanies } from "../mergeCompanies.ts";
import { indexRows } from "../names/indexRows.ts";
import { namesPathOf } from "../names/storedNames.ts";
import { prepareQuery } from "../rows.ts";
import type { SnapshotFile } from "../snapshotFile.ts";
import type { FactsSource, ImportCounts, ImportProgress } from "../types.ts";
import { writeIncoming } from "../writeIncoming.ts";
import { ChangedFacts } from "./changedFacts.ts";

export interface SegmentInput {
  /** An empty folder; the caller deletes it with all that is in it. */
  readonly folder: string;
  readonly facts: FactsSource;
  readonly snapshot: SnapshotFile;
  /** More changes than these are no segment. */
  readonly mostChanges: number;
  /** Whether a segment of so many companies is merged with others at once: then it needs no index of its own. */
  readonly isMerged: (companies: number) => boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** A finished file of changes, closed; beside it is its index of names, unless it is merged at once. */
export interface BuiltSegment {
  readonly kind: "segment";
  readonly path: string;
  readonly own: Contents;
  /** What the snapshot holds with it. */
  readonly together: Contents;
  readonly counts: ImportCounts;
  /** That of the file. */
  readonly interner: Interner;
}

export type SegmentOutcome =
  | BuiltSegment
  | { readonly kind: "no-facts" }
  | { readonly kind: "unchanged"; readonly counts: ImportCounts }
  /** No segment: `facts` are those that change something, and all behind them; `passed` counts what was held. */
  | {
      readonly kind: "too-many";
      readonly facts: AsyncIterable<SourcedFacts>;
      readonly passed: () => Pick<ImportCounts, "unchanged" | "repeated">;
    };

const isSame = (a: string, b: string) =>
  COMPANY_COLUMNS.map((column) => `${a}.${column} IS ${b}.${column}`).join(" AND ");

/** Builds a segment of what facts change in a snapshot. Rethrows what `facts` throws. */
export async function buildSegment(input: SegmentInput): Promise<SegmentOutcome> {
  const { folder, snapshot, mostChanges, onProgress } = input;
  const path = join(folder, "segment.sqlite");
  makeOwnFile(path);
  const db = new DatabaseSync(pathToFileURL(path));
  let isHandedOn = false;
  try {
    prepare(db, folder, undefined);
    const interner = snapshot.newestInterner();
    const changed = new ChangedFacts(input.facts, { snapshot, interner });
    const arrived = await writeIncoming(db, changed.first(mostChanges), interner, {
      indexing: undefined,
      onProgress,
    });
    const passed = () => ({ unchanged: changed.unchanged, repeated: changed.repeated });
    if (changed.received === 0 && changed.isAll) return { kind: "no-facts" };
    if (arrived === undefined && changed.isAll) {
      return { kind: "unchanged", counts: { new: 0, changed: 0, ...passed() } };
    }
    if (changed.isAll) {
      copyHeld(db, folder, snapshot);
      const merged = mergeCompanies(db, {
        arrived: arrived?.companies ?? 0,
        hasBase: true,
        omit: NONE,
        interner,
        onProgress,
      });
      if (!anyDateFell(db)) {
        dropUnchanged(db);
        const counts = {
          ...merged,
          unchanged: merged.unchanged + changed.unchanged,
          repeated: (arrived?.repeated ?? 0) + changed.repeated,
        };
        return finish(db, path, { ...input, interner, counts });
      }
    }
    isHandedOn = true;
    return { kind: "too-many", facts: handedOn(db, interner, changed), passed };
  } finally {
    if (!isHandedOn) db.close();
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Attaches as `base` what the snapshot holds of the companies that came: the base that these facts are merged with. */
function copyHeld(db: DatabaseSync, folder: string, snapshot: SnapshotFile): void {
  const path = join(folder, "held.sqlite");
  makeOwnFile(path);
  db.prepare("ATTACH ? AS base").run(path);
  db.exec(`PRAGMA base.journal_mode = OFF; PRAGMA base.synchronous = OFF;
    ${companyTable("base.company")}; ${factsTable("base.facts")}; BEGIN`);
  const addCompany = db.prepare(`INSERT INTO base.company (${COLUMNS}) VALUES (${VALUES})`);
  const addFacts = db.prepare(`INSERT INTO base.facts (${COLUMNS}) VALUES (${VALUES})`);
  for (const [kvk] of prepareQuery<[number]>(db, "SELECT kvk FROM work.incoming ORDER BY kvk").iterate()) {
    const held = snapshot.rows(kvk);
    if (held === undefined) continue;
    addCompany.run(...held.company);
    for (const row of held.byOrigin) addFacts.run(...row);
  }
  db.exec("COMMIT");
}

/** What each origin says of each company of a schema. */
const byOrigin = (schema: string, columns: string) =>
  `SELECT ${columns} FROM ${schema}.company WHERE (flags & ${FLAGS.merged}) = 0
   UNION ALL SELECT ${columns} FROM ${schema}.facts`;

/**
 * Whether an origin says something older of a company than it did: that is so when a company takes the place of a fund. Then the newest
 * date of the origin may have gone, which only reading all companies can tell.
 */
function anyDateFell(db: DatabaseSync): boolean {
  const columns = "kvk, origin, asOf";
  return (
    prepareQuery<[number]>(
      db,
      `SELECT 1 FROM (${byOrigin("main", columns)}) n JOIN (${byOrigin("base", columns)}) o USING (kvk, origin)
       WHERE n.asOf < o.asOf LIMIT 1`,
    ).get() !== undefined
  );
}

/** Deletes companies that are held just so, what each origin says of them included. */
function dropUnchanged(db: DatabaseSync): void {
  const isNews = `NOT EXISTS (SELECT 1 FROM base.facts g WHERE g.kvk = f.kvk AND g.origin = f.origin AND ${isSame("g", "f")})`;
  const { changes } = db
    .prepare(
      `DELETE FROM main.company AS c
       WHERE EXISTS (SELECT 1 FROM base.company b WHERE b.kvk = c.kvk AND ${isSame("b", "c")})
         AND NOT EXISTS (SELECT 1 FROM main.facts f WHERE f.kvk = c.kvk AND ${isNews})`,
    )
    .run();
  if (changes === 0) return;
  db.exec("DELETE FROM main.facts WHERE kvk NOT IN (SELECT kvk FROM main.company); VACUUM main");
}

interface Unfinished extends SegmentInput {
  readonly interner: Interner;
  readonly counts: ImportCounts;
}

function finish(
  db: DatabaseSync,
  path: string,
  { snapshot, interner, counts, isMerged, onProgress }: Unfinished,
): SegmentOutcome {
  interner.save(db);
  const own = describe(db);
  if (own.companies === 0) return { kind: "unchanged", counts };
  const together = contentsWith(db, snapshot.info, own);
  const total = own.companies;
  if (!isMerged(total)) {
    const sections = indexRows(db, interner, (done) => onProgress({ stage: "indexing", done, total }));
    writeIndexFile(namesPathOf(path), sections);
  }
  onProgress({ stage: "finishing", done: 0 });
  writeMeta(db, own);
  return { kind: "segment", path, own, together, counts, interner };
}

/** What a snapshot holds with a segment above it: without what the segment replaces, and with what it says. */
function contentsWith(db: DatabaseSync, before: Contents, own: Contents): Contents {
  const replaced = "base.company b WHERE EXISTS (SELECT 1 FROM main.company c WHERE c.kvk = b.kvk)";
  const [companies = 0, branches = 0] =
    prepareQuery<[number, number]>(
      db,
      `SELECT count(*), coalesce(sum(json_array_length(b.branches)), 0) FROM ${replaced}`,
    ).get() ?? [];
  const gone = new Map(
    prepareQuery<[string, number]>(
      db,
      `SELECT o.name, count(*) FROM (${byOrigin("base", "kvk, origin")}) b JOIN main.origin o ON o.id = b.origin
       WHERE b.kvk IN (SELECT kvk FROM main.company) GROUP BY o.name`,
    ).all(),
  );
  const origins = new Map(before.origins.map((one) => [one.origin, one]));
  for (const { origin, companies: count, asOf } of own.origins) {
    const held = origins.get(origin) ?? { origin, companies: 0, asOf };
    const next: OriginInfo = {
      origin,
      companies: held.companies + count - (gone.get(origin) ?? 0),
      asOf: held.asOf > asOf ? held.asOf : asOf,
    };
    origins.set(origin, next);
  }
  return {
    companies: before.companies + own.companies - companies,
    branches: before.branches + own.branches - branches,
    origins: [...origins.values()].sort((a, b) => (a.origin < b.origin ? -1 : 1)),
  };
}

/** The facts that were written down, in the order in which they count, then the rest; the file is closed at the end. */
async function* handedOn(
  db: DatabaseSync,
  interner: Interner,
  changed: ChangedFacts,
): AsyncGenerator<SourcedFacts> {
  try {
    for (const [table, order] of [
      ["incoming", "kvk"],
      ["repeats", "arrival"],
    ]) {
      const rows = prepareQuery<CompanyRow>(db, `SELECT ${COLUMNS} FROM work.${table} ORDER BY ${order}`);
      for (const row of rows.iterate()) yield sourcedFactsOf(row, interner);
    }
  } finally {
    db.close();
  }
  if (!changed.isAll) yield* changed.rest();
}
