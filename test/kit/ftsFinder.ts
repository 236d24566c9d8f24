import { DatabaseSync } from "node:sqlite";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { prepareSql } from "../../src/registry/sqlite.ts";
import { hasWords } from "../../src/search/exactNames.ts";
import { rankClass } from "../../src/search/index/rankClasses.ts";
import { indexedNames, nameWords } from "../../src/search/indexedNames.ts";
import { exactKey } from "../../src/search/legalFormWords.ts";
import { normalise, withoutSpaces } from "../../src/search/normalise.ts";
import { type NameQuery, nameInterpretations } from "../../src/search/query.ts";

/** A name of a company; its position among all names is its rank. */
export interface FtsName {
  readonly kvkNumber: string;
  readonly name: string;
  readonly key: string;
  readonly isActive: boolean;
}

/** At most this many hits are sorted by how well they match. */
const MAX_SORTED_HITS = 40;
/** Names that begin with the whole query come first among this many that begin with its first word. */
const MAX_SCANNED_NAMES = 200;
/** Shorter words before the last one must match in full. */
const MIN_START = 3;
/** Marks the first word of a name. */
const FIRST = "^";

/**
 * The first hit by SQLite's full-text search, with the words of each name under its rank: an independent engine that
 * shares with our index how names are read and ranked, but not how they are found. It has no correction and no
 * rewordings.
 */
export class FtsFinder {
  readonly #names: readonly FtsName[];
  readonly #byKey: ReadonlyMap<string, readonly FtsName[]>;
  readonly #matching: (condition: string, most: number, isActive?: boolean) => FtsName[];
  readonly #db = new DatabaseSync(":memory:");

  constructor(companies: Iterable<CompanyFacts>) {
    const ranked = [...companies]
      .flatMap((facts) =>
        indexedNames({ ...facts, ...facts.address }).map(({ text, words, extraWords, key, score }) => ({
          place: rankClass(facts.isActive, score, text === undefined),
          words: [FIRST + (words[0] ?? ""), ...words, ...extraWords],
          known: {
            kvkNumber: String(facts.kvkNumber),
            name: text ?? facts.name,
            key,
            isActive: facts.isActive,
          },
        })),
      )
      .sort((a, b) => a.place - b.place || Number(a.known.kvkNumber) - Number(b.known.kvkNumber));
    this.#names = ranked.map(({ known }) => known);
    this.#byKey = Map.groupBy(this.#names, ({ key }) => key);
    this.#db.exec(
      `CREATE VIRTUAL TABLE find USING fts5(words, content='', detail=none, prefix='1 2 3 4 5', tokenize="ascii tokenchars '${FIRST}'"); BEGIN`,
    );
    const add = this.#db.prepare("INSERT INTO find (rowid, words) VALUES (?, ?)");
    for (const [rank, { words }] of ranked.entries()) add.run(rank, words.join(" "));
    this.#db.exec("COMMIT");
    const ended = this.#names.findIndex(({ isActive }) => !isActive);
    const active = ended === -1 ? this.#names.length : ended;
    const matching = prepareSql<[rank: number]>(
      this.#db,
      "SELECT rowid FROM find WHERE find MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?",
    );
    this.#matching = (condition, most, isActive) =>
      matching
        .all(
          condition,
          isActive === false ? active : 0,
          isActive === true ? active : this.#names.length,
          most,
        )
        .flatMap(([rank]) => this.#names[rank] ?? []);
  }

  close(): void {
    this.#db.close();
  }

  /** The first name for a query that is not a number; undefined if none has all its words. */
  first(q: string): FtsName | undefined {
    for (const query of nameInterpretations(q)) {
      const found = this.#exact(query) ?? this.#named(query);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #exact(query: NameQuery): FtsName | undefined {
    const ended = ({ isActive }: FtsName) => Number(!isActive);
    const unlike = ({ name }: FtsName) => likeness(name, query);
    const [major, minor] = query.hasLegalForm ? [unlike, ended] : [ended, unlike];
    const same = this.#byKey.get(exactKey(query.normal)) ?? [];
    return same.toSorted((a, b) => major(a) - major(b) || minor(a) - minor(b))[0];
  }

  #named(query: NameQuery): FtsName | undefined {
    const { words, normal } = query;
    const last = words.at(-1) ?? "";
    const before = words.slice(0, -1);
    const [firstWord] = before;
    const whole = before.map(quoted);
    const typed = `${quoted(last)} *`;
    const conditions = {
      first:
        firstWord === undefined
          ? `${quoted(FIRST + last)} *`
          : [quoted(FIRST + firstWord), ...whole, typed].join(" AND "),
      words: [...whole, typed].join(" AND "),
      starts: [
        ...before.map((word) => (word.length < MIN_START ? quoted(word) : `${quoted(word)} *`)),
        typed,
      ].join(" AND "),
    };
    const beginning = (isActive: boolean) => {
      const begun = this.#matching(conditions.first, MAX_SCANNED_NAMES, isActive);
      return begun.find(({ name }) => beginsWith(name, normal)) ?? begun[0];
    };
    const active = beginning(true);
    if (active !== undefined) return active;
    const few = this.#matching(conditions.starts, MAX_SORTED_HITS + 1);
    if (few.length <= MAX_SORTED_HITS) {
      const place = (one: FtsName) => (one.isActive ? 0 : 4) + kindOf(one.name, query);
      return few.toSorted((a, b) => place(a) - place(b))[0];
    }
    return (
      this.#matching(conditions.words, 1, true)[0] ??
      this.#matching(conditions.starts, 1, true)[0] ??
      beginning(false) ??
      this.#matching(conditions.words, 1, false)[0] ??
      this.#matching(conditions.starts, 1, false)[0]
    );
  }
}

/** Whether a name begins with a normalised query, ignoring spaces. */
export function beginsWith(name: string, normal: string): boolean {
  return withoutSpaces(normalise(name)).startsWith(withoutSpaces(normal));
}

/** Words contain only letters, digits and our marker. */
function quoted(word: string): string {
  return `"${word}"`;
}

/**
 * 0: begins with the query; 1: begins with its first word and has the others; 2: has its words; 3: has their prefixes.
 */
function kindOf(name: string, { normal, words }: NameQuery): 0 | 1 | 2 | 3 {
  const own = nameWords(name);
  if (!words.slice(0, -1).every((word) => own.has(word))) return 3;
  if (beginsWith(name, normal)) return 0;
  return normalise(name).split(" ")[0] === words[0] ? 1 : 2;
}

/** 0: identical; 1: equal after normalisation; 2: has all words; 3: equal except for the legal form. */
function likeness(name: string, query: NameQuery): number {
  if (name.toLowerCase() === query.typed.trim().toLowerCase()) return 0;
  if (normalise(name) === query.normal) return 1;
  return hasWords(name, query.words) ? 2 : 3;
}
