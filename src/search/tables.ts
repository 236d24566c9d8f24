import { SIGNS } from "./facets.ts";

/** Starts longer than this are not in the index of `find`; see SnapshotVocabulary. A sign and four letters. */
export const LONGEST_INDEXED_START = 5;

const starts = Array.from({ length: LONGEST_INDEXED_START }, (_, index) => index + 1).join(" ");

/**
 * The tables for finding:
 * - `name`: rank = place in the order in which hits are shown, inactive companies behind all others; `text` is
 *   absent where it is the company's own name; `hash` finds names that are the same.
 * - `find`: the words of each name, its rank as rowid, so that the index gives the best first and can stop early. It
 *   holds no texts and no places of words.
 * - `word`: every word of the index but postal codes, and how many names have it.
 * - `start`: every start that the index holds, and how many names have a word that starts so, at most.
 */
export const CREATE_FIND_TABLES = `
  CREATE TABLE name (rank INTEGER PRIMARY KEY, kvk INTEGER NOT NULL, text TEXT, hash INTEGER NOT NULL);
  CREATE VIRTUAL TABLE find USING fts5(words, content='', columnsize=0, detail=none, prefix='${starts}',
    tokenize="ascii tokenchars '${Object.values(SIGNS).join("")}'");
  CREATE TABLE word (word TEXT PRIMARY KEY, names INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE start (start TEXT PRIMARY KEY, names INTEGER NOT NULL) WITHOUT ROWID;
`;

/** Made after the rows are in: filling an index in order is faster and denser. */
export const CREATE_FIND_INDEXES = "CREATE INDEX name_by_hash ON name (hash)";
