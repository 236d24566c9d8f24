import { createHash } from "node:crypto";
import { type Tables, TRANSFERRED_TABLES } from "../schema/tables.ts";
import { StateRefused } from "../stateErrors.ts";
import { END, exportStateLines, lastLine, type Summary } from "./exportLines.ts";
import { asRow, type RawRow, type RawState, rowsAtOnce } from "./rawState.ts";

/** Column names become part of a statement. */
const COLUMN = /^[a-z][a-z0-9_]*$/;

/**
 * Copies a state into an empty one, all or nothing, and compares the two before it commits. The source stays unchanged.
 * @throws {StateRefused} if the target is not empty, or the two differ
 */
export async function moveState(
  from: RawState,
  to: RawState,
  onProgress: (rows: number) => void = () => {},
): Promise<Summary> {
  const summary = await addLines(exportStateLines(from), to, onProgress);
  let end = "";
  for await (const line of exportStateLines(to)) end = line;
  if (end !== lastLine(summary)) {
    throw new StateRefused(
      "the copy differs from the original and was rolled back: report this with both versions",
    );
  }
  await to.commit();
  return summary;
}

/**
 * Imports an export into an empty state, all or nothing. The export may be from an earlier version: missing columns get
 * their default.
 * @param lines the lines of `exportLines`, each with its line break
 * @throws {StateRefused} if the state is not empty, or the export is truncated, changed or from a later version
 */
export async function importLines(
  lines: AsyncIterable<string>,
  to: RawState,
  onProgress: (rows: number) => void = () => {},
): Promise<Summary> {
  const summary = await addLines(lines, to, onProgress);
  await to.commit();
  return summary;
}

async function addLines(
  lines: AsyncIterable<string>,
  to: RawState,
  onProgress: (rows: number) => void,
): Promise<Summary> {
  await checkEmpty(to);
  const hash = createHash("sha256");
  let group: { readonly table: keyof Tables; readonly columns: string; readonly rows: RawRow[] } | undefined;
  let promised: unknown;
  let lineNumber = 0;
  const write = async () => {
    if (group === undefined) return;
    await to.add(group.table, group.rows).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StateRefused(
        `rows up to line ${lineNumber} cannot be imported (${reason}): use the version that exported them, or a later one`,
        error,
      );
    });
  };
  for await (const line of lines) {
    if (promised !== undefined)
      throw new StateRefused(`line ${lineNumber + 1} comes after the end of the export`);
    const [name, content] = parse(line, lineNumber + 1);
    if (name === END) {
      promised = content;
      continue;
    }
    hash.update(line);
    const table = asTable(name, lineNumber + 1);
    const row = asCheckedRow(content, lineNumber + 1);
    const columns = Object.keys(row).join();
    if (group?.table !== table || group.columns !== columns || group.rows.length >= rowsAtOnce(table)) {
      await write();
      group = { table, columns, rows: [] };
    }
    group.rows.push(row);
    onProgress(++lineNumber);
  }
  await write();
  const summary = { rows: lineNumber, sha256: hash.digest("hex") };
  if (promised === undefined) throw new StateRefused("the export is truncated: use another");
  if (JSON.stringify(promised) !== JSON.stringify(summary)) {
    throw new StateRefused("the export was changed after it was written (its SHA-256 differs): use another");
  }
  return summary;
}

async function checkEmpty(state: RawState): Promise<void> {
  for (const table of TRANSFERRED_TABLES) {
    for await (const _rows of state.rowsOf(table)) {
      throw new StateRefused(
        `the target state is not empty (it has ${table}), so nothing was written: use an empty database, or another DATA_DIR`,
      );
    }
  }
}

/** Errors do not quote the line, which may contain a person's address. */
function parse(line: string, lineNumber: number): readonly [unknown, unknown] {
  try {
    const parsed: unknown = JSON.parse(line);
    if (Array.isArray(parsed) && parsed.length === 2) return [parsed[0], parsed[1]];
  } catch {
    // Refused below.
  }
  throw new StateRefused(`line ${lineNumber} was not written by \`opzoek state export\``);
}

function asTable(name: unknown, lineNumber: number): keyof Tables {
  const known = TRANSFERRED_TABLES.find((table) => table === name);
  if (known !== undefined) return known;
  throw new StateRefused(
    `line ${lineNumber} belongs to a table that this version does not have: use the version that exported it`,
  );
}

function asCheckedRow(content: unknown, lineNumber: number): RawRow {
  try {
    if (Object.keys(Object(content)).every((name) => COLUMN.test(name))) return asRow(content);
  } catch {
    // Refused below.
  }
  throw new StateRefused(`line ${lineNumber} is not a row of a state`);
}
