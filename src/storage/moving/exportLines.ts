import { createHash } from "node:crypto";
import type { RawState, Row } from "./rawState.ts";
import { MOVED_TABLES, type MovedTable } from "./tables.ts";

export const TABLES_IN_ORDER = Object.keys(MOVED_TABLES) as readonly MovedTable[];

/** A state as JSON lines, `["accounts",{…}]`, each with its line break: byte for byte the same for the same state, on whatever store it is. */
export async function* exportLines(state: RawState): AsyncGenerator<string> {
  for (const table of TABLES_IN_ORDER) {
    for await (const rows of state.rowsOf(table)) {
      for (const row of rows) yield `${JSON.stringify([table, sorted(row)])}\n`;
    }
  }
}

function sorted(row: Row): Row {
  return Object.fromEntries(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export interface Summary {
  readonly rows: number;
  /** Of the lines of the export, in hex. */
  readonly sha256: string;
}

export async function summarise(state: RawState): Promise<Summary> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const line of exportLines(state)) {
    hash.update(line);
    rows += 1;
  }
  return { rows, sha256: hash.digest("hex") };
}
