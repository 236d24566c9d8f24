import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";

/** A prepared query whose rows are arrays: half the cost of objects on the hot path. */
export interface Query<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Rows as they are asked for. One iteration at a time: a second one takes the first one's place. */
  iterate(...values: SQLInputValue[]): IterableIterator<Row>;
}

/** `Row` is what the columns of `sql` are, in their order: the layout of the file vouches for it. */
export function prepareQuery<Row extends readonly SQLOutputValue[]>(
  db: DatabaseSync,
  sql: string,
): Query<Row> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  const typed = (value: unknown) => value as Row;
  const typedRows = (value: unknown) => value as IterableIterator<Row>;
  return {
    get: (...values) => typed(statement.get(...values)),
    all: (...values) => statement.all(...values).map(typed),
    iterate: (...values) => typedRows(statement.iterate(...values)),
  };
}
