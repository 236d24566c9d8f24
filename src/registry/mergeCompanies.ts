import type { DatabaseSync } from "node:sqlite";
import type { CompanyFacts } from "../company/facts.ts";
import { mergeFacts, newestOfEachOrigin } from "../company/merge.ts";
import { AT, type CompanyRow, decodeFacts, encodeFacts, FLAGS, sourcedFactsOf } from "./codec.ts";
import type { Interner } from "./interner.ts";
import { COLUMNS, COMPANY_COLUMNS, companyTable, VALUES } from "./layout.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import { currentRows, prepareSql } from "./sqlite.ts";
import type { ImportCounts, ImportProgress } from "./types.ts";

/** Companies are written in ranges of this many KVK numbers, so that progress can be shown. */
const NUMBERS_AT_ONCE = 2_000_000;
const ALL_NUMBERS = 100_000_000;
const INCOMING = "work.incoming i CROSS JOIN";
const NOT_INVOLVED = "NOT EXISTS (SELECT 1 FROM work.involved v WHERE v.kvk = i.kvk)";

interface MergeOptions {
  /** How many companies came in. */
  readonly arrived: number;
  /** The snapshot that the incoming facts are added to. */
  readonly current: SnapshotFile | undefined;
  readonly interner: Interner;
  readonly onProgress: (progress: ImportProgress) => void;
}

interface Merged extends Omit<ImportCounts, "repeated"> {
  /** Companies whose rows have to be written. */
  readonly changes: number;
  /** The number of companies in a delta with these changes and the changes of the current delta. */
  readonly deltaCompanies: number;
  /**
   * Whether an origin's facts about a company became older, for example when a company replaces a fund. The newest date
   * of the origin may then be outdated.
   */
  readonly isAnyOlder: boolean;
}

/**
 * Merges the incoming companies with the current ones. Nearly all have one origin and arrived once; they stay as they
 * are. The others, the "involved" ones, are merged one by one into `work.merged`, and into `facts` per origin.
 * Unchanged ones are deleted from `work.incoming`.
 */
export function mergeIncoming(db: DatabaseSync, options: MergeOptions): Merged {
  const { arrived, current } = options;
  db.exec(`${companyTable("work.merged")}; CREATE TABLE work.involved (kvk INTEGER PRIMARY KEY);
    CREATE TABLE work.same (kvk INTEGER PRIMARY KEY); BEGIN;
    INSERT INTO work.involved SELECT DISTINCT kvk FROM work.repeats`);
  if (current !== undefined) {
    const where = `h.kvk = i.kvk AND ((h.flags & ${FLAGS.merged}) <> 0 OR h.origin <> i.origin
      OR h.asOf > i.asOf OR (i.flags & ~h.flags & ${FLAGS.fund}) <> 0)`;
    db.exec(
      `INSERT OR IGNORE INTO work.involved ${currentRows("company", "i.kvk", { from: INCOMING, where })}`,
    );
  }
  const count = (sql: string) => prepareSql<[number]>(db, sql).get()?.[0] ?? 0;
  const total = count("SELECT count(*) FROM work.involved");
  const involved = mergeInvolved(db, total, options);
  const simple = countSimple(db, arrived - total, current !== undefined);
  const isSame = "kvk IN (SELECT kvk FROM work.same)";
  const { changes: same } = db.prepare(`DELETE FROM work.incoming WHERE ${isSame}`).run();
  db.exec(`DELETE FROM work.involved WHERE ${isSame}; COMMIT`);
  return {
    new: simple.new + involved.new,
    changed: simple.changed + involved.changed,
    unchanged: simple.unchanged + involved.unchanged,
    changes: arrived - Number(same),
    deltaCompanies:
      current === undefined
        ? 0
        : count("SELECT count(*) FROM (SELECT kvk FROM work.incoming UNION SELECT kvk FROM delta.company)"),
    isAnyOlder: involved.isAnyOlder,
  };
}

/** Returns the current versions of the companies with several records. */
export function* mergedFacts(db: DatabaseSync, interner: Interner): Generator<CompanyFacts> {
  for (const row of prepareSql<CompanyRow>(db, `SELECT ${COLUMNS} FROM work.merged`).iterate()) {
    yield decodeFacts(row, interner);
  }
}

/** Merges the companies with several records. */
function mergeInvolved(db: DatabaseSync, total: number, { current, interner, onProgress }: MergeOptions) {
  const query = (sql: string) => prepareSql<CompanyRow>(db, sql);
  const incoming = query(`SELECT ${COLUMNS} FROM work.incoming WHERE kvk = ?`);
  db.exec("CREATE INDEX work.repeats_by_kvk ON repeats (kvk)");
  const repeats = query(`SELECT ${COLUMNS} FROM work.repeats WHERE kvk = ? ORDER BY arrival`);
  const addMerged = db.prepare(`INSERT INTO work.merged (${COLUMNS}) VALUES (${VALUES})`);
  const addFacts = db.prepare(`INSERT INTO facts (${COLUMNS}) VALUES (${VALUES})`);
  const addSame = db.prepare("INSERT INTO work.same VALUES (?)");

  const counts = { new: 0, changed: 0, unchanged: 0 };
  let isAnyOlder = false;
  let done = 0;
  for (const [kvk] of prepareSql<[number]>(db, "SELECT kvk FROM work.involved ORDER BY kvk").iterate()) {
    const before = current?.rows(kvk);
    const known = before?.byOrigin ?? [];
    const newest = newestRows([...known, ...incoming.all(kvk), ...repeats.all(kvk)]);
    const after = newest.length === 1 ? newest[0] : mergeRows(newest, interner);
    if (after === undefined) continue;
    if (before === undefined) counts.new++;
    else counts[isSameContent(before.company, after) ? "unchanged" : "changed"]++;
    if (before !== undefined && isEqual(before.company, after) && newest.every((row) => isAmong(known, row)))
      addSame.run(kvk);
    else {
      addMerged.run(...after);
      if (newest.length > 1) for (const row of newest) addFacts.run(...row);
      isAnyOlder ||= known.some((old) =>
        newest.some((row) => row[AT.origin] === old[AT.origin] && row[AT.asOf] < old[AT.asOf]),
      );
    }
    if (++done % 10_000 === 0) onProgress({ stage: "merging", done, total });
  }
  return { ...counts, isAnyOlder };
}

/** Returns the winning row of each origin. */
function newestRows(rows: readonly CompanyRow[]): CompanyRow[] {
  return newestOfEachOrigin(rows, (row) => ({
    origin: row[AT.origin],
    asOfMs: row[AT.asOf],
    isFund: (row[AT.flags] & FLAGS.fund) !== 0,
  }));
}

/** Merges the rows of several origins. */
function mergeRows(rows: readonly CompanyRow[], interner: Interner): CompanyRow {
  const { facts, source } = mergeFacts(rows.map((row) => sourcedFactsOf(row, interner)));
  return encodeFacts(facts, { origin: source.kvk, asOf: source.cachedAt, isMerged: true }, interner);
}

function isEqual(a: CompanyRow, b: CompanyRow): boolean {
  return a.every((cell, column) => cell === b[column]);
}

/** Whether one of `rows` equals `row` in every column. */
export function isAmong(rows: readonly CompanyRow[], row: CompanyRow): boolean {
  return rows.some((other) => isEqual(other, row));
}

/** Whether two rows have the same content, ignoring the date and the number of origins. */
function isSameContent(a: CompanyRow, b: CompanyRow): boolean {
  return a.every((cell, column) => {
    if (column === AT.flags) return (a[AT.flags] | FLAGS.merged) === (b[AT.flags] | FLAGS.merged);
    return column === AT.asOf || cell === b[column];
  });
}

/** Counts the incoming companies that stay as they arrived. */
function countSimple(db: DatabaseSync, all: number, hasCurrent: boolean): Omit<ImportCounts, "repeated"> {
  if (!hasCurrent) return { new: all, changed: 0, unchanged: 0 };
  const isSame = COMPANY_COLUMNS.filter((column) => column !== "asOf")
    .map((column) => `h.${column} IS i.${column}`)
    .join(" AND ");
  const where = `h.kvk = i.kvk AND ${NOT_INVOLVED}`;
  const [old = 0, unchanged = 0] =
    prepareSql<[number, number]>(
      db,
      `SELECT count(*), coalesce(sum(isSame), 0)
       FROM (${currentRows("company", `${isSame} AS isSame`, { from: INCOMING, where })})`,
    ).get() ?? [];
  return { new: all - old, changed: old - unchanged, unchanged };
}

interface CopyOptions {
  /** The layers of the current snapshot whose other rows are copied too. */
  readonly currentLayers: "delta" | "all" | undefined;
  /** KVK numbers of companies to omit. */
  readonly omit: ReadonlySet<string>;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Fills `company` and `facts`. Writes companies in key order, so that pages are full. */
export function copyRows(db: DatabaseSync, { currentLayers, omit, onProgress }: CopyOptions): void {
  db.exec("CREATE TABLE work.omitted (kvk INTEGER PRIMARY KEY); BEGIN");
  const addOmitted = db.prepare("INSERT INTO work.omitted VALUES (?)");
  for (const kvkNumber of omit) addOmitted.run(Number(kvkNumber));
  const columns = (alias: string) => COMPANY_COLUMNS.map((column) => `${alias}.${column}`).join(", ");
  const between = (alias: string) => `${alias}.kvk BETWEEN ?1 AND ?2`;
  const isNotIn = (table: string) => `NOT EXISTS (SELECT 1 FROM work.${table} w WHERE w.kvk = h.kvk)`;
  const parts = [
    `SELECT ${columns("i")} FROM work.incoming i WHERE ${between("i")} AND ${NOT_INVOLVED}`,
    `SELECT ${columns("m")} FROM work.merged m WHERE ${between("m")}`,
  ];
  if (currentLayers !== undefined) {
    const layers = currentLayers === "delta" ? (["delta"] as const) : (["delta", "base"] as const);
    const where = `${between("h")} AND ${isNotIn("incoming")} AND ${isNotIn("omitted")}`;
    parts.push(currentRows("company", columns("h"), { where, layers }));
    const isOther = `${isNotIn("involved")} AND ${isNotIn("omitted")}`;
    db.exec(`INSERT INTO facts ${currentRows("facts", "h.*", { where: isOther, layers })}`);
  }
  const copy = db.prepare(`INSERT INTO company (${COLUMNS}) ${parts.join(" UNION ALL ")} ORDER BY 1`);
  const total = ALL_NUMBERS / NUMBERS_AT_ONCE;
  for (let range = 0; range < total; range++) {
    copy.run(range * NUMBERS_AT_ONCE, (range + 1) * NUMBERS_AT_ONCE - 1);
    onProgress({ stage: "writing companies", done: range + 1, total });
  }
  db.exec("COMMIT");
}
