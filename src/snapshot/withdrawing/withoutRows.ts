import type { DatabaseSync } from "node:sqlite";
import type { CompanyRow } from "../codec.ts";
import { attached, inNewFile, type MergedLayers, type MergeInput } from "../layers/mergeLayers.ts";
import { COMPANY_COLUMNS, companyTable, factsTable } from "../layout.ts";
import type { StaleRow } from "./staleRows.ts";

const COLUMNS = COMPANY_COLUMNS.join(", ");
const VALUES = COMPANY_COLUMNS.map(() => "?").join(", ");

/** Writes a layer anew as it is without its stale rows, with its index of names. @param name of the folder that it is made in */
export function withoutRows(
  path: string,
  stale: ReadonlyMap<number, StaleRow>,
  name: string,
  input: MergeInput,
): MergedLayers {
  return inNewFile(input, name, (db) => {
    noteStale(db, stale);
    const isStale = "kvk IN (SELECT kvk FROM work.stale)";
    attached(db, path, () => {
      db.exec(`BEGIN;
        INSERT INTO main.company (${COLUMNS})
          SELECT ${COLUMNS} FROM layer.company WHERE NOT ${isStale}
          UNION ALL SELECT ${COLUMNS} FROM work.mended ORDER BY 1;
        INSERT INTO main.facts SELECT * FROM layer.facts WHERE NOT ${isStale};
        INSERT INTO main.facts SELECT * FROM work.mended_facts;
        COMMIT`);
    });
    return undefined;
  });
}

/** Writes down which companies are stale, and what is left of them. */
function noteStale(db: DatabaseSync, stale: ReadonlyMap<number, StaleRow>): void {
  db.exec(`CREATE TABLE work.stale (kvk INTEGER PRIMARY KEY);
    ${companyTable("work.mended")}; ${factsTable("work.mended_facts")}; BEGIN`);
  const addStale = db.prepare("INSERT INTO work.stale VALUES (?)");
  const mend = (table: string) => {
    const insert = db.prepare(`INSERT INTO work.${table} (${COLUMNS}) VALUES (${VALUES})`);
    return (row: CompanyRow) => insert.run(...row);
  };
  const [addCompany, addFacts] = [mend("mended"), mend("mended_facts")];
  for (const [kvk, { after }] of stale) {
    addStale.run(kvk);
    if (after === undefined) continue;
    addCompany(after.company);
    if (after.byOrigin.length > 1) for (const row of after.byOrigin) addFacts(row);
  }
  db.exec("COMMIT");
}
