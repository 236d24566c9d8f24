/** The cells of every row of the first table under a heading of a Markdown page, without the header. */
export function tableUnder(page: string, heading: string): string[][] {
  const [, rest] = `\n${page}`.split(`\n${heading}\n`);
  if (rest === undefined) throw new Error(`the page has no heading ${heading}`);
  const lines = rest.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const table = lines.slice(first);
  const end = table.findIndex((line) => !line.startsWith("|"));
  return table.slice(2, end === -1 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The text of a cell that is one piece of code. */
export function codeIn(cell: string | undefined): string {
  return /^`([^`]*)`/.exec(cell ?? "")?.[1] ?? "";
}
