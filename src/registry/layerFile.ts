import type { DatabaseSync } from "node:sqlite";
import { asOfToday } from "../company/ending.ts";
import type { CompanyFacts, SourcedFacts } from "../company/facts.ts";
import { shownBranch } from "../company/geo.ts";
import { enrichedCompany } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { kvkNumberOf } from "../contract/numbers.ts";
import type { BasicCompany, Branch, Company, Source } from "../contract/resources.ts";
import { AT, type CompanyRow, decodeAddress, decodeFacts, FLAGS, sourcedFactsOf } from "./codec.ts";
import type { LayerInfo } from "./info.ts";
import { Interner } from "./interner.ts";
import { COMPANY_COLUMNS } from "./layout.ts";
import { prepareSql, type SqlQuery } from "./sqlite.ts";
import type { CompanyRecord, LayerPlace } from "./types.ts";

/** Uses address space only: pages are read on demand and shared between processes. */
const MMAP_BYTES = 0x7fff0000;

const ALL_COLUMNS = COMPANY_COLUMNS.join(", ");
/** The columns of a basic lookup. The two after them are not read. */
const BASIC_COLUMNS = `${COMPANY_COLUMNS.slice(0, -2).join(", ")}, NULL, NULL`;

/** A company and the date of its data, Unix milliseconds. */
export interface Aged {
  readonly kvkNumber: KvkNumber;
  readonly asOfMs: number;
}

/** An open file of a snapshot, a base or a delta: rows by KVK number. */
export class LayerFile {
  readonly place: LayerPlace;
  readonly #db: DatabaseSync;
  readonly #interner: Interner;
  readonly #basic: SqlQuery<CompanyRow>;
  readonly #whole: SqlQuery<CompanyRow>;
  readonly #byOrigin: SqlQuery<CompanyRow>;
  readonly #exists: SqlQuery<[number]>;
  readonly #isoTime = lastIsoTime();
  /** How many open snapshots use this file. */
  #users = 1;

  /** @throws when the file is incomplete or does not match `info` */
  constructor(db: DatabaseSync, { path, info }: LayerPlace) {
    db.exec(`PRAGMA trusted_schema = OFF; PRAGMA mmap_size = ${MMAP_BYTES}; PRAGMA temp_store = MEMORY`);
    const meta = new Map(prepareSql<[string, number]>(db, "SELECT key, value FROM meta").all());
    if (meta.get("complete") !== 1) throw new Error("it was not finished");
    if (meta.get("companies") !== info.companies) throw new Error("its number of companies is wrong");
    this.place = { path, info };
    this.#db = db;
    this.#interner = Interner.of(db);
    this.#basic = prepareSql(db, `SELECT ${BASIC_COLUMNS} FROM company WHERE kvk = ?`);
    this.#whole = prepareSql(db, `SELECT ${ALL_COLUMNS} FROM company WHERE kvk = ?`);
    this.#byOrigin = prepareSql(db, `SELECT ${ALL_COLUMNS} FROM facts WHERE kvk = ?`);
    this.#exists = prepareSql(db, "SELECT 1 FROM company WHERE kvk = ?");
  }

  get info(): LayerInfo {
    return this.place.info;
  }

  basic(kvkNumber: KvkNumber): BasicCompany | undefined {
    const row = this.#basic.get(Number(kvkNumber));
    if (row === undefined) return undefined;
    const company = this.#toBasic(row, kvkNumber);
    const whole = row[AT.flags] & FLAGS.ends ? this.#whole.get(Number(kvkNumber)) : undefined;
    if (whole !== undefined) company.isActive = this.#factsToday(whole).isActive;
    return company;
  }

  enriched(kvkNumber: KvkNumber): { company: Company; vatNumber?: string } | undefined {
    const row = this.#whole.get(Number(kvkNumber));
    if (row === undefined) return undefined;
    const { company, vatNumber } = this.#toRecord(row);
    return vatNumber === undefined ? { company } : { company, vatNumber };
  }

  branches(
    kvkNumber: KvkNumber,
  ): { kvkNumber: KvkNumber; name: string; branches: Branch[] | undefined; origin: string } | undefined {
    const row = this.#whole.get(Number(kvkNumber));
    if (row === undefined) return undefined;
    const { name, branches } = this.#factsToday(row);
    const origin = this.#interner.originName(row[AT.origin]);
    return { kvkNumber, name, branches: branches?.map(shownBranch), origin };
  }

  facts(kvkNumber: KvkNumber): SourcedFacts | undefined {
    const row = this.#whole.get(Number(kvkNumber));
    return row && sourcedFactsOf(row, this.#interner);
  }

  originsOf(kvkNumber: KvkNumber): readonly SourcedFacts[] {
    const row = this.#whole.get(Number(kvkNumber));
    if (row === undefined) return [];
    return this.rowsByOrigin(row).map((one) => sourcedFactsOf(one, this.#interner));
  }

  *olderThan(beforeMs: number): Generator<Aged> {
    const rows = prepareSql<[number, number]>(
      this.#db,
      "SELECT kvk, asOf FROM company WHERE asOf < ? ORDER BY asOf, kvk",
    );
    // Sorts all companies, possibly in a temporary file. Not used by requests.
    this.#db.exec("PRAGMA temp_store = FILE");
    try {
      for (const [kvk, asOfMs] of rows.iterate(beforeMs)) yield { kvkNumber: kvkNumberOf(kvk), asOfMs };
    } finally {
      this.#db.exec("PRAGMA temp_store = MEMORY");
    }
  }

  /** The cities of open addresses. Reads all companies; not used by requests. */
  openCities(): string[] {
    const sql = `SELECT DISTINCT city FROM company WHERE (flags & ${FLAGS.shielded}) = 0 AND city IS NOT NULL`;
    return prepareSql<[string]>(this.#db, sql).all().flat();
  }

  *all(): Generator<CompanyRecord> {
    const rows = prepareSql<CompanyRow>(this.#db, `SELECT ${ALL_COLUMNS} FROM company ORDER BY kvk`);
    for (const row of rows.iterate()) yield this.#toRecord(row);
  }

  /** Copies the numbers of origins and activities, for additions. */
  interner(): Interner {
    return Interner.of(this.#db);
  }

  /** A company's row as it is stored. */
  row(kvk: number): CompanyRow | undefined {
    return this.#whole.get(kvk);
  }

  /** Returns the row of each origin for a company. @param row the merged row */
  rowsByOrigin(row: CompanyRow): CompanyRow[] {
    return row[AT.flags] & FLAGS.merged ? this.#byOrigin.all(row[0]) : [row];
  }

  holds(kvk: number): boolean {
    return this.#exists.get(kvk) !== undefined;
  }

  /** Shares the file with another snapshot, which must close it too. */
  shared(): this {
    this.#users++;
    return this;
  }

  /** Closes the file when the last snapshot does. */
  close(): void {
    if (--this.#users === 0 && this.#db.isOpen) this.#db.close();
  }

  #toBasic(row: CompanyRow, kvkNumber: KvkNumber): BasicCompany {
    const company: BasicCompany = {
      kvkNumber,
      name: row[1],
      address: decodeAddress(row) ?? {},
      isActive: (row[AT.flags] & FLAGS.active) !== 0,
      source: this.#source(row),
    };
    if (row[8] !== null) company.registrationDate = row[8];
    return company;
  }

  #toRecord(row: CompanyRow): CompanyRecord {
    const { branches, vatNumber, ...facts } = this.#factsToday(row);
    const { isActive, kvkNumber } = facts;
    return {
      company: enrichedCompany(facts, { ...this.#toBasic(row, kvkNumber), isActive }),
      ...(branches === undefined ? {} : { branches: branches.map(shownBranch) }),
      ...(vatNumber === undefined ? {} : { vatNumber }),
    };
  }

  #factsToday(row: CompanyRow): CompanyFacts {
    return asOfToday(decodeFacts(row, this.#interner));
  }

  #source(row: CompanyRow): Source {
    return { kvk: this.#interner.originName(row[AT.origin]), cachedAt: this.#isoTime(row[AT.asOf]) };
  }
}

/** Formats Unix milliseconds as ISO 8601. Rows of one import share their time, so the last result is kept. */
function lastIsoTime(): (timeMs: number) => string {
  let writtenMs = Number.NaN;
  let written = "";
  return (timeMs) => {
    if (timeMs !== writtenMs) {
      writtenMs = timeMs;
      written = new Date(timeMs).toISOString();
    }
    return written;
  };
}
