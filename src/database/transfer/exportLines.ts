import { createHash } from "node:crypto";
import { TRANSFERRED_TABLES } from "../schema/tables.ts";
import type { RawRow, RawState } from "./rawState.ts";

/** Replaces the name of a table in the last line of an export, which summarises the lines before it. */
export const END = "end";

export interface Summary {
  readonly rows: number;
  /** Of the lines of rows, each with its line break, in hexadecimal. */
  readonly sha256: string;
}

/**
 * A state as JSON lines, `["accounts",{…}]`, each with its line break: the same bytes for the same state on any store.
 * The last line is a {@link Summary}, which proves that nothing is missing.
 */
export async function* exportStateLines(state: RawState): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let count = 0;
  for (const table of TRANSFERRED_TABLES) {
    for await (const rows of state.rowsOf(table)) {
      for (const row of rows) {
        const line = `${JSON.stringify([table, sorted(row)])}\n`;
        hash.update(line);
        count += 1;
        yield line;
      }
    }
  }
  yield lastLine({ rows: count, sha256: hash.digest("hex") });
}

export function lastLine(summary: Summary): string {
  return `${JSON.stringify([END, summary])}\n`;
}

function sorted(row: RawRow): RawRow {
  return Object.fromEntries(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
}
