import { StateRefused } from "../stateStore.ts";
import { END, type Summary, Tally } from "./exportLines.ts";
import { checkEmpty } from "./moveState.ts";
import { asRow, type RawState, type Row, rowsAtOnce } from "./rawState.ts";
import { MOVED_TABLES, type MovedTable } from "./tables.ts";

/** Names of columns become part of a statement. */
const COLUMN = /^[a-z][a-z0-9_]*$/;

/**
 * Puts an export back into an empty state, all of it or nothing. An export of an earlier version may be put into a state
 * of this one: what it does not name has its default.
 * @param lines what `exportLines` gave, each with its line break
 * @throws {StateRefused} when the state is not empty, or the export is cut off, changed or of a later version
 */
export async function importLines(
  lines: AsyncIterable<string>,
  to: RawState,
  onProgress: (rows: number) => void = () => {},
): Promise<Summary> {
  await checkEmpty(to);
  const tally = new Tally();
  const group = new Group(to);
  let promised: unknown;
  let lineNumber = 0;
  for await (const line of lines) {
    lineNumber += 1;
    if (promised !== undefined)
      throw new StateRefused(`line ${lineNumber} stands after the end of the export`);
    const [table, content] = parse(line, lineNumber);
    if (table === END) {
      promised = content;
      continue;
    }
    tally.add(line);
    await group.add(asTable(table, lineNumber), asCheckedRow(content, lineNumber), lineNumber);
    onProgress(lineNumber);
  }
  await group.write();
  const summary = tally.summary();
  if (promised === undefined) throw new StateRefused("the export has no end, so it is cut off: take another");
  if (JSON.stringify(promised) !== JSON.stringify(summary)) {
    throw new StateRefused("the export is not what was written (its SHA-256 differs): take another");
  }
  await to.commit();
  return summary;
}

function parse(line: string, lineNumber: number): readonly [unknown, unknown] {
  try {
    const parsed: unknown = JSON.parse(line);
    if (Array.isArray(parsed) && parsed.length === 2) return [parsed[0], parsed[1]];
  } catch {
    // Told below: what stands in the line may be somebody's address.
  }
  throw new StateRefused(`line ${lineNumber} is none of an export of \`opzoek state export\``);
}

function asTable(name: unknown, lineNumber: number): MovedTable {
  const known = Object.keys(MOVED_TABLES).find((table) => table === name);
  if (known === undefined) {
    throw new StateRefused(
      `line ${lineNumber} is of a table that this version does not have: use the version that exported it`,
    );
  }
  return known as MovedTable;
}

function asCheckedRow(content: unknown, lineNumber: number): Row {
  if (
    typeof content === "object" &&
    content !== null &&
    Object.keys(content).every((name) => COLUMN.test(name))
  ) {
    try {
      return asRow(content);
    } catch {
      // Told below.
    }
  }
  throw new StateRefused(`line ${lineNumber} holds no row of a state`);
}

/** Rows of one table that wait to be written together. */
class Group {
  readonly #to: RawState;
  #table: MovedTable | undefined;
  #columns = "";
  #rows: Row[] = [];
  #lastLine = 0;

  constructor(to: RawState) {
    this.#to = to;
  }

  async add(table: MovedTable, row: Row, lineNumber: number): Promise<void> {
    const columns = Object.keys(row).join();
    const isFull = this.#rows.length >= rowsAtOnce(table);
    if (table !== this.#table || columns !== this.#columns || isFull) await this.write();
    this.#table = table;
    this.#columns = columns;
    this.#rows.push(row);
    this.#lastLine = lineNumber;
  }

  async write(): Promise<void> {
    const rows = this.#rows;
    if (this.#table === undefined || rows.length === 0) return;
    this.#rows = [];
    try {
      await this.#to.add(this.#table, rows);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "it failed without saying why";
      const firstLine = this.#lastLine - rows.length + 1;
      throw new StateRefused(
        `lines ${firstLine} to ${this.#lastLine} cannot be put into the state (${reason}): use the version that exported them, or a later one`,
        error,
      );
    }
  }
}
