import type { DatabaseSync } from "node:sqlite";
import type { CompanyFacts } from "../company/facts.ts";
import { mergeFacts, newestOfEachOrigin } from "../company/merge.ts";
import { type CompanyRow, decodeFacts, encodeFacts, FLAGS, sourcedFactsOf } from "./codec.ts";
import type { Interner } from "./interning.ts";
import { COLUMNS, COMPANY_COLUMNS, companyTable, VALUES } from "./layout.ts";
import { prepareQuery } from "./rows.ts";
import type { ImportCounts, ImportProgress } from "./types.ts";

/** Companies are written in steps of so many KVK numbers, so that progress can be shown. */
const NUMBERS_AT_ONCE = 2_000_000;
const ALL_NUMBERS = 100_000_000;
const NOT_OMITTED = "AND NOT EXISTS (SELECT 1 FROM work.omitted o WHERE o.kvk = b.kvk)";

interface MergeOptions {
  /** How many companies came in. */
  readonly arrived: number;
  /** Whether a snapshot is attached as `base`, to which the incoming facts are added. */
  readonly hasBase: boolean;
  /** KVK numbers of the base that are left out. */
  readonly omit: ReadonlySet<string>;
  readonly interner: Interner;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Fills `company` and `facts` out of what came in and what the base holds. Nearly all companies are known by one
 * origin and came once: those are copied as they are. The others are merged one by one.
 */
export function mergeCompanies(db: DatabaseSync, options: MergeOptions): Omit<ImportCounts, "repeated"> {
  const { hasBase, omit } = options;
  db.exec(`${companyTable("work.merged")}; CREATE TABLE work.involved (kvk INTEGER PRIMARY KEY);
    CREATE TABLE work.omitted (kvk INTEGER PRIMARY KEY); BEGIN`);
  const addOmitted = db.prepare("INSERT INTO work.omitted VALUES (?)");
  for (const kvkNumber of omit) addOmitted.run(Number(kvkNumber));
  db.exec("INSERT INTO work.involved SELECT DISTINCT kvk FROM work.repeats");
  if (hasBase) {
    db.exec(`INSERT OR IGNORE INTO work.involved
      SELECT i.kvk FROM work.incoming i CROSS JOIN base.company b ON b.kvk = i.kvk
      WHERE (b.flags & ${FLAGS.merged}) <> 0 OR b.origin <> i.origin OR b.asOf > i.asOf
        OR (i.flags & ~b.flags & ${FLAGS.fund}) <> 0`);
  }
  const involved = mergeInvolved(db, options);
  const simple = countSimple(db, options);
  if (hasBase) {
    db.exec(`INSERT INTO facts SELECT * FROM base.facts b
      WHERE NOT EXISTS (SELECT 1 FROM work.involved v WHERE v.kvk = b.kvk) ${NOT_OMITTED}`);
  }
  copyCompanies(db, options);
  db.exec("COMMIT");
  return {
    new: simple.new + involved.new,
    changed: simple.changed + involved.changed,
    unchanged: simple.unchanged + involved.unchanged,
  };
}

/** The companies of which more than one record was considered, as they are now. */
export function* mergedFacts(db: DatabaseSync, interner: Interner): Generator<CompanyFacts> {
  for (const row of prepareQuery<CompanyRow>(db, `SELECT ${COLUMNS} FROM work.merged`).iterate()) {
    yield decodeFacts(row, interner);
  }
}

/** Merges the companies of which more than one record has to be considered. */
function mergeInvolved(
  db: DatabaseSync,
  { hasBase, interner, onProgress }: MergeOptions,
): Omit<ImportCounts, "repeated"> {
  const query = (sql: string) => prepareQuery<CompanyRow>(db, sql);
  const held = hasBase ? query(`SELECT ${COLUMNS} FROM base.company WHERE kvk = ?`) : undefined;
  const heldFacts = hasBase ? query(`SELECT ${COLUMNS} FROM base.facts WHERE kvk = ?`) : undefined;
  const incoming = query(`SELECT ${COLUMNS} FROM work.incoming WHERE kvk = ?`);
  db.exec("CREATE INDEX work.repeats_by_kvk ON repeats (kvk)");
  const repeats = query(`SELECT ${COLUMNS} FROM work.repeats WHERE kvk = ? ORDER BY arrival`);
  const addMerged = db.prepare(`INSERT INTO work.merged (${COLUMNS}) VALUES (${VALUES})`);
  const addFacts = db.prepare(`INSERT INTO facts (${COLUMNS}) VALUES (${VALUES})`);

  const counts = { new: 0, changed: 0, unchanged: 0 };
  const total = prepareQuery<[number]>(db, "SELECT count(*) FROM work.involved").get()?.[0] ?? 0;
  let done = 0;
  for (const [kvk] of prepareQuery<[number]>(db, "SELECT kvk FROM work.involved ORDER BY kvk").iterate()) {
    const before = held?.get(kvk);
    const known =
      before === undefined ? [] : before[2] & FLAGS.merged ? (heldFacts?.all(kvk) ?? []) : [before];
    const newest = newestRows([...known, ...incoming.all(kvk), ...repeats.all(kvk)]);
    const after = newest.length === 1 ? newest[0] : mergeRows(newest, interner);
    if (after === undefined) continue;
    addMerged.run(...after);
    if (newest.length > 1) for (const row of newest) addFacts.run(...row);
    counts[before === undefined ? "new" : isSameContent(before, after) ? "unchanged" : "changed"]++;
    if (++done % 10_000 === 0) onProgress({ stage: "merging", done, total });
  }
  return counts;
}

/** The row of each origin that counts. */
function newestRows(rows: readonly CompanyRow[]): CompanyRow[] {
  return newestOfEachOrigin(rows, (row) => ({
    origin: row[10],
    asOfMs: row[11],
    isFund: (row[2] & FLAGS.fund) !== 0,
  }));
}

/** One row out of those of several origins. */
export function mergeRows(rows: readonly CompanyRow[], interner: Interner): CompanyRow {
  const { facts, source } = mergeFacts(rows.map((row) => sourcedFactsOf(row, interner)));
  const [kvk, name, flags, ...rest] = encodeFacts(
    facts,
    { origin: source.kvk, asOf: source.cachedAt },
    interner,
  );
  return [kvk, name, flags | FLAGS.merged, ...rest];
}

/** Whether two rows say the same of a company; the date of the data and how many origins know it aside. */
function isSameContent(a: CompanyRow, b: CompanyRow): boolean {
  return a.every((cell, index) =>
    index === 11 ? true : index === 2 ? (a[2] | FLAGS.merged) === (b[2] | FLAGS.merged) : cell === b[index],
  );
}

/** Counts the incoming companies that are taken over as they are: those of which no other record has to be considered. */
function countSimple(db: DatabaseSync, { hasBase, arrived }: MergeOptions): Omit<ImportCounts, "repeated"> {
  const one = (sql: string) => prepareQuery<[number]>(db, sql).get()?.[0] ?? 0;
  const all = arrived - one("SELECT count(*) FROM work.involved");
  if (!hasBase) return { new: all, changed: 0, unchanged: 0 };
  const simple = "work.incoming i WHERE NOT EXISTS (SELECT 1 FROM work.involved v WHERE v.kvk = i.kvk)";
  const known = "EXISTS (SELECT 1 FROM base.company b WHERE b.kvk = i.kvk";
  const isSame = COMPANY_COLUMNS.filter((column) => column !== "asOf").map(
    (column) => `b.${column} IS i.${column}`,
  );
  const old = one(`SELECT count(*) FROM ${simple} AND ${known})`);
  const unchanged = one(`SELECT count(*) FROM ${simple} AND ${known} AND ${isSame.join(" AND ")})`);
  return { new: all - old, changed: old - unchanged, unchanged };
}

/** Writes the table `company` in the order of its key, so that its pages are full and in order. */
function copyCompanies(db: DatabaseSync, { hasBase, onProgress }: MergeOptions): void {
  const columns = (alias: string) => COMPANY_COLUMNS.map((column) => `${alias}.${column}`).join(", ");
  const between = (alias: string) => `${alias}.kvk BETWEEN ?1 AND ?2`;
  const parts = [
    `SELECT ${columns("i")} FROM work.incoming i
     WHERE ${between("i")} AND NOT EXISTS (SELECT 1 FROM work.involved v WHERE v.kvk = i.kvk)`,
    `SELECT ${columns("m")} FROM work.merged m WHERE ${between("m")}`,
  ];
  if (hasBase) {
    parts.push(`SELECT ${columns("b")} FROM base.company b
      WHERE ${between("b")} AND NOT EXISTS (SELECT 1 FROM work.incoming i WHERE i.kvk = b.kvk) ${NOT_OMITTED}`);
  }
  const copy = db.prepare(`INSERT INTO company (${COLUMNS}) ${parts.join(" UNION ALL ")} ORDER BY 1`);
  for (let from = 0; from < ALL_NUMBERS; from += NUMBERS_AT_ONCE) {
    copy.run(from, from + NUMBERS_AT_ONCE - 1);
    onProgress({
      stage: "writing companies",
      done: from / NUMBERS_AT_ONCE + 1,
      total: ALL_NUMBERS / NUMBERS_AT_ONCE,
    });
  }
}
