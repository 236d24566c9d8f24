import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CompanyRow } from "../codec.ts";
import type { Contents, OriginInfo } from "../info.ts";
import type { Interner } from "../interning.ts";
import { arrivalTable, COMPANY_COLUMNS, companyTable } from "../layout.ts";

const COLUMNS = COMPANY_COLUMNS.join(", ");
const VALUES = COMPANY_COLUMNS.map((_, nth) => `?${nth + 1}`).join(", ");
/** When more than one of so many companies came out of order, pages that are full and in order are worth writing all again. */
const FEW_LATE = 50;

/**
 * Writes rows as they come, in one transaction: the first of each company to `work.incoming`, by KVK number, any further ones to
 * `work.repeats`, in the order of arrival. Where they are placed, those that come in the order of KVK numbers, which files mostly have, go
 * straight to `company`, which is then as if it had been filled at last, and only those that come late to `work.incoming`.
 */
export class RowWriter {
  readonly #db: DatabaseSync;
  readonly #place: StatementSync | undefined;
  readonly #first: StatementSync;
  readonly #repeat: StatementSync;
  /** By the number of the origin. */
  readonly #origins = new Map<number, { companies: number; asOf: number }>();
  #lastPlaced = -1;
  #late = 0;
  #branches = 0;
  received = 0;
  /** How many were of a company that had come before. */
  repeated = 0;

  constructor(db: DatabaseSync, isPlaced: boolean) {
    this.#db = db;
    db.exec(`${companyTable("work.incoming")}; ${arrivalTable("work.repeats")}; BEGIN`);
    this.#place = isPlaced
      ? db.prepare(`INSERT INTO main.company (${COLUMNS}) VALUES (${VALUES})`)
      : undefined;
    const isNew = isPlaced ? "NOT EXISTS (SELECT 1 FROM main.company WHERE kvk = ?1)" : "true";
    this.#first = db.prepare(
      `INSERT INTO work.incoming (${COLUMNS}) SELECT ${VALUES} WHERE ${isNew} ON CONFLICT DO NOTHING`,
    );
    this.#repeat = db.prepare(`INSERT INTO work.repeats (${COLUMNS}) VALUES (${VALUES})`);
  }

  /** How many companies came. */
  get companies(): number {
    return this.received - this.repeated;
  }

  /** @returns whether it is the first of its company */
  write(row: CompanyRow, branches: number): boolean {
    this.received++;
    if (this.#place !== undefined && row[0] > this.#lastPlaced) {
      this.#lastPlaced = row[0];
      this.#place.run(...row);
    } else if (this.#first.run(...row).changes === 0) {
      this.#repeat.run(...row);
      this.repeated++;
      return false;
    } else this.#late++;
    this.#count(row, branches);
    return true;
  }

  end(): void {
    this.#db.exec("COMMIT");
  }

  /**
   * Brings those that came late to those that were placed, or all to `work.incoming` where too many came late for that.
   * @returns whether `company` holds all now
   */
  settle(): boolean {
    const columns = `(${COLUMNS}) SELECT ${COLUMNS}`;
    const isPlaced = this.#late * FEW_LATE <= this.received;
    if (!isPlaced)
      this.#db.exec(
        `BEGIN; INSERT INTO work.incoming ${columns} FROM main.company; DELETE FROM main.company; COMMIT`,
      );
    else if (this.#late > 0)
      this.#db.exec(`BEGIN; INSERT INTO main.company ${columns} FROM work.incoming; COMMIT`);
    return isPlaced;
  }

  /** What a snapshot of nothing else holds, in numbers; undefined where facts have to be merged first. */
  contents(interner: Interner): Contents | undefined {
    if (this.repeated > 0) return undefined;
    const origins = [...this.#origins].map(
      ([number, { companies, asOf }]): OriginInfo => ({
        origin: interner.originName(number),
        companies,
        asOf: new Date(asOf).toISOString(),
      }),
    );
    return {
      companies: this.received,
      branches: this.#branches,
      origins: origins.sort((a, b) => (a.origin < b.origin ? -1 : 1)),
    };
  }

  #count(row: CompanyRow, branches: number): void {
    this.#branches += branches;
    const held = this.#origins.get(row[10]);
    if (held === undefined) this.#origins.set(row[10], { companies: 1, asOf: row[11] });
    else {
      held.companies++;
      if (row[11] > held.asOf) held.asOf = row[11];
    }
  }
}
