/** The columns of a list that were read, and those that were not. */

export interface UsedColumns {
  readonly used: readonly { readonly column: string; readonly field: string }[];
  readonly unused: readonly string[];
}

const MAX_NAMES = 100;
const MAX_LENGTH = 60;

/** @param columns the positions of the fields; without a heading, a column is shown by its number */
export function usedColumns(
  header: readonly string[],
  columns: Iterable<readonly [string, number]>,
): UsedColumns {
  const fields = new Map(
    Array.from(columns, ([field, at]) => [at, field === "websites" ? "website" : field]),
  );
  const shown = header.map((heading, at) => {
    const column = heading.trim().slice(0, MAX_LENGTH).toWellFormed() || `column ${at + 1}`;
    return { column, field: fields.get(at), isNamed: heading.trim() !== "" };
  });
  return {
    used: shown.flatMap(({ column, field }) => (field === undefined ? [] : [{ column, field }])),
    unused: shown
      .flatMap(({ column, field, isNamed }) => (field === undefined && isNamed ? [column] : []))
      .slice(0, MAX_NAMES),
  };
}
