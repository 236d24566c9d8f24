import { createHash } from "node:crypto";
import { MOVED_TABLES } from "../schema/keys.ts";
import type { RawState, Row } from "./rawState.ts";

/** Stands for a table's name in the last line of an export, which sums up the lines before it. */
export const END = "end";

export interface Summary {
  readonly rows: number;
  /** Of the lines of the rows, in hex. */
  readonly sha256: string;
}

/**
 * A state as JSON lines, `["accounts",{…}]`, each with its line break: byte for byte the same for the same state, on
 * whatever store it is. The last line is a {@link Summary}, by which a reader sees that nothing is missing.
 */
export async function* exportLines(state: RawState): AsyncGenerator<string> {
  const tally = new Tally();
  for (const table of MOVED_TABLES) {
    for await (const rows of state.rowsOf(table)) {
      for (const row of rows) {
        const line = `${JSON.stringify([table, sorted(row)])}\n`;
        tally.add(line);
        yield line;
      }
    }
  }
  yield `${JSON.stringify([END, tally.summary()])}\n`;
}

/** Counts lines of rows, each with its line break. */
export class Tally {
  readonly #hash = createHash("sha256");
  #rows = 0;

  add(line: string): void {
    this.#hash.update(line);
    this.#rows += 1;
  }

  /** Of all lines so far; nothing may be added afterwards. */
  summary(): Summary {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}

function sorted(row: Row): Row {
  return Object.fromEntries(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
}
