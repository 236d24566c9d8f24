/** The cells of every row of the first table under a heading of a Markdown page; the header is left out. */
export function tableUnder(page: string, heading: string): string[][] {
  const start = page.indexOf(`\n${heading}\n`);
  if (start === -1) throw new Error(`the page has no heading ${heading}`);
  const lines = page.slice(start + heading.length + 2).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const rest = lines.slice(first);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(2, end === -1 ? undefined : end).map(cellsOf);
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
