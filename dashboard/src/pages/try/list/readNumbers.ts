/** The numbers of a pasted text or a file, each once, in their order. */
export interface NumberList {
  readonly numbers: readonly string[];
  /** How many had lost leading zeros, as spreadsheets do to numbers. */
  readonly padded: number;
}

const DIGITS = 8;
/** Fewer digits than these are no KVK number that lost its zeros. */
const LEAST_DIGITS = 6;
/** What a column of KVK numbers is called: kvk, KVK-nummer, kvkNumber, dossiernummer. */
const NAMED_SO = /kvk|coc|dossier/i;

/**
 * Reads one number a line, numbers between separators, or the column of a table: the one whose head says so, else the first
 * one in which at least half of the rows look like KVK numbers.
 */
export function readNumbers(text: string): NumberList {
  const rows = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map(cellsOf)
    .filter((cells) => cells.some((cell) => cell !== ""));
  const cells = columnOf(rows) ?? rows.flat().flatMap((cell) => cell.split(/\s+/));
  let padded = 0;
  const numbers = new Set<string>();
  for (const cell of cells) {
    if (!/[0-9]/.test(cell)) continue;
    const isShort = cell.length < DIGITS && looksLikeNumber(cell);
    const number = isShort ? cell.padStart(DIGITS, "0") : cell;
    if (isShort && !numbers.has(number)) padded += 1;
    numbers.add(number);
  }
  return { numbers: [...numbers], padded };
}

function columnOf(rows: readonly (readonly string[])[]): string[] | undefined {
  const [head, ...body] = rows;
  if (head === undefined || head.length < 2 || body.length === 0) return undefined;
  const named = head.findIndex((cell) => NAMED_SO.test(cell) && !looksLikeNumber(cell));
  if (named !== -1) return body.map((cells) => cells[named] ?? "");
  const isTable = body.every((cells) => cells.length === head.length);
  if (!isTable) return undefined;
  const column = head.findIndex(
    (_, index) => body.filter((cells) => looksLikeNumber(cells[index] ?? "")).length * 2 >= body.length,
  );
  const isList = head.every(looksLikeNumber);
  return column === -1 || isList
    ? undefined
    : rows.map((cells) => cells[column] ?? "").filter(looksLikeNumber);
}

/** The cells of a line between commas, semicolons or tabs; a quoted cell may hold them. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(([, quoted, plain = ""]) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );
}

function looksLikeNumber(cell: string): boolean {
  return /^[0-9]+$/.test(cell) && cell.length >= LEAST_DIGITS && cell.length <= DIGITS;
}
