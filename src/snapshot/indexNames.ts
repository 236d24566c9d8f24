import type { DatabaseSync } from "node:sqlite";
import { prepareQuery } from "../lib/rows.ts";
import { SIGNS } from "../search/facets.ts";
import { exactHash, type Findable, facetWords, indexedNames } from "../search/names.ts";
import { CREATE_FIND_INDEXES, LONGEST_INDEXED_START } from "../search/tables.ts";
import { type CompanyRow, decodeFacts } from "./codec.ts";
import type { Interner } from "./interning.ts";
import { COMPANY_COLUMNS } from "./layout.ts";
import type { ImportProgress } from "./types.ts";

/** Memory of the index while it is filled: the more, the fewer parts to merge in the end. */
const INDEX_BYTES = 64 << 20;
/** A rare word beside a common one makes the index jump and read a page at each place: small ones are read faster. */
const INDEX_PAGE_BYTES = 500;
const NAMES_AT_ONCE = 50_000;
const REPORTED_EVERY = 20_000;

/**
 * Room for so many names of one class; a class is activity, score and whether it is the company's own name. Names
 * are written down under class × room + count, so that reading them by key gives the order of rank without sorting:
 * within a class by KVK number, the older registration first.
 */
const ROOM = 2 ** 32;
const WORST_SCORE = 1_000;

/** What is read of a company for its names; the branches are not. */
const COLUMNS = [...COMPANY_COLUMNS.slice(0, -1), "NULL"].join(", ");

/**
 * Fills the tables for finding out of the table `company`.
 * @returns how many names there are, and how many of them are of active companies
 */
export function indexNames(
  db: DatabaseSync,
  interner: Interner,
  onProgress: (progress: ImportProgress) => void,
): { names: number; activeNames: number } {
  const counts = collectNames(db, interner, onProgress);
  db.exec(`
    INSERT INTO find (find, rank) VALUES ('pgsz', ${INDEX_PAGE_BYTES}), ('hashsize', ${INDEX_BYTES}),
      ('automerge', 0), ('crisismerge', 2000);
    BEGIN`);
  const addNames = db.prepare(`INSERT INTO name (rank, kvk, text, hash)
    SELECT ?1 + row_number() OVER (ORDER BY place), kvk, text, hash FROM work.names WHERE place > ?2 ORDER BY place LIMIT ?3`);
  const addWords = db.prepare(`INSERT INTO find (rowid, words)
    SELECT ?1 + row_number() OVER (ORDER BY place), words FROM work.names WHERE place > ?2 ORDER BY place LIMIT ?3`);
  const lastPlace = prepareQuery<[number]>(
    db,
    "SELECT max(place) FROM (SELECT place FROM work.names WHERE place > ? ORDER BY place LIMIT ?)",
  );
  for (let done = 0, place = -1; done < counts.names; done += NAMES_AT_ONCE) {
    addNames.run(done, place, NAMES_AT_ONCE);
    addWords.run(done, place, NAMES_AT_ONCE);
    place = lastPlace.get(place, NAMES_AT_ONCE)?.[0] ?? place;
    onProgress({
      stage: "indexing",
      done: Math.min(done + NAMES_AT_ONCE, counts.names),
      total: counts.names,
    });
  }
  db.exec("COMMIT");
  onProgress({ stage: "finishing", done: 0 });
  db.exec("INSERT INTO find (find) VALUES ('optimize')");
  listWords(db);
  db.exec(CREATE_FIND_INDEXES);
  return counts;
}

/** Writes every name with its words to `work.names`, in the order of rank. */
function collectNames(
  db: DatabaseSync,
  interner: Interner,
  onProgress: (progress: ImportProgress) => void,
): { names: number; activeNames: number } {
  db.exec(`CREATE TABLE work.names
    (place INTEGER PRIMARY KEY, kvk INTEGER NOT NULL, text TEXT, hash INTEGER NOT NULL, words TEXT NOT NULL); BEGIN`);
  const add = db.prepare("INSERT INTO work.names (place, kvk, text, hash, words) VALUES (?, ?, ?, ?, ?)");
  const total = prepareQuery<[number]>(db, "SELECT count(*) FROM company").get()?.[0] ?? 0;
  const inClass = new Map<number, number>();
  let names = 0;
  let activeNames = 0;
  let done = 0;
  for (const row of prepareQuery<CompanyRow>(db, `SELECT ${COLUMNS} FROM company ORDER BY kvk`).iterate()) {
    const { address, ...facts } = decodeFacts(row, interner);
    const findable: Findable = { ...facts, ...address };
    const shared = facetWords(findable);
    for (const { text, normal, words, score } of indexedNames(findable)) {
      const bounded = Math.max(0, Math.min(WORST_SCORE, score + 8));
      const rankClass =
        ((facts.isActive ? 0 : 1) * (WORST_SCORE + 1) + bounded) * 2 + (text === undefined ? 0 : 1);
      const count = inClass.get(rankClass) ?? 0;
      inClass.set(rankClass, count + 1);
      const own = text === undefined ? [SIGNS.own] : [];
      add.run(
        rankClass * ROOM + count,
        row[0],
        text ?? null,
        exactHash(normal),
        [...words, ...shared, ...own].join(" "),
      );
      names++;
      if (facts.isActive) activeNames++;
    }
    if (++done % REPORTED_EVERY === 0) onProgress({ stage: "collecting names", done, total });
  }
  db.exec("COMMIT");
  return { names, activeNames };
}

/** Lists the words of the index and their starts; see SnapshotVocabulary. Postal codes are too many, and each is rare. */
function listWords(db: DatabaseSync): void {
  db.exec(`
    CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, find, row);
    INSERT INTO word (word, names) SELECT term, doc FROM temp.terms
      WHERE substr(term, 1, 1) <> '${SIGNS.postalCode}' ORDER BY term;
    DROP TABLE temp.terms`);
  for (let length = 1; length <= LONGEST_INDEXED_START; length++) {
    db.exec(`INSERT INTO start (start, names)
      SELECT substr(word, 1, ${length}), sum(names) FROM word WHERE length(word) >= ${length} GROUP BY 1`);
  }
}
