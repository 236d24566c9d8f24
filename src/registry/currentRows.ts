interface CurrentRowsOptions {
  /** SQL before the table in FROM, such as a join. */
  readonly from?: string;
  readonly where: string;
  readonly layers?: readonly ("delta" | "base")[];
}

/**
 * Returns a query for the current rows of the snapshot whose layers are attached as `base` and `delta`: the rows of the delta, and those of the base
 * that the delta does not replace. `h` is the alias of the table in `columns` and `where`.
 */
export function currentRows(
  table: "company" | "facts",
  columns: string,
  { from = "", where, layers = ["delta", "base"] }: CurrentRowsOptions,
): string {
  const isCurrent = {
    delta: "",
    base: "AND NOT EXISTS (SELECT 1 FROM delta.company d WHERE d.kvk = h.kvk)",
  };
  return layers
    .map((layer) => `SELECT ${columns} FROM ${from} ${layer}.${table} h WHERE ${where} ${isCurrent[layer]}`)
    .join(" UNION ALL ");
}
