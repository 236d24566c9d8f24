import type { DatabaseSync } from "node:sqlite";
import { IndexBuilder } from "../../search/index/builder.ts";
import type { Section } from "../../search/index/sections.ts";
import { type CompanyRow, decodeFacts } from "../codec.ts";
import type { Interner } from "../interner.ts";
import { COMPANY_COLUMNS } from "../layout.ts";
import { prepareSql } from "../sqlite.ts";

/** All columns but the branches. */
const COLUMNS = [...COMPANY_COLUMNS.slice(0, -1), "NULL"].join(", ");
const REPORTED_EVERY = 20_000;

/**
 * Builds the name index of the companies in the table `company`.
 * @param onCompanies called periodically with the number of companies read
 */
export function indexRows(
  db: DatabaseSync,
  interner: Interner,
  onCompanies: (done: number) => void = () => {},
): Iterable<Section> {
  const builder = new IndexBuilder();
  let done = 0;
  for (const row of prepareSql<CompanyRow>(db, `SELECT ${COLUMNS} FROM company ORDER BY kvk`).iterate()) {
    const { address, ...facts } = decodeFacts(row, interner);
    builder.add({ ...facts, ...address });
    if (++done % REPORTED_EVERY === 0) onCompanies(done);
  }
  onCompanies(done);
  return builder.sections();
}
