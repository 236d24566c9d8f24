/** Reads and writes files in a web worker. */
import { type FileRequest, writeCompleted } from "./completedFile.ts";
import { findIn, itemsOf, linesOf } from "./kinds.ts";
import { readTable } from "./readTable.ts";
import {
  defaultReading,
  type FileRead,
  type ListItems,
  type ListRow,
  type Reading,
  type StoredFile,
} from "./source.ts";
import { type RefusedFile, RefusedFileError, type Rows } from "./table.ts";

export type Task =
  | ({ readonly task: "read" } & Pick<StoredFile, "bytes"> & Partial<StoredFile>)
  | { readonly task: "items"; readonly rows: Rows; readonly reading: Reading }
  | ({ readonly task: "body"; readonly keys: readonly string[] } & StoredFile)
  | ({ readonly task: "write" } & FileRequest);

/** Long arrays arrive in slices before the result, because receiving them at once would block the page. */
export type Slice =
  | { readonly of: "table"; readonly slice: Rows }
  | { readonly of: "items"; readonly slice: readonly ListRow[] };
export type Done<T> = { readonly result: T } | { readonly refused: RefusedFile };

const SLICE_ROWS = 500;

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  run(data).then(reply, (error: unknown) =>
    postMessage({ refused: error instanceof RefusedFileError ? error.reason : "damaged" }),
  );
});

function reply(result: FileRead | ListItems | Blob): void {
  if (result instanceof Blob) postMessage({ result });
  else if ("table" in result) {
    const { table, items } = result;
    postSlices("table", table.rows);
    postSlices("items", items.rows);
    postMessage({ result: { ...result, table: { ...table, rows: [] }, items: { ...items, rows: [] } } });
  } else {
    postSlices("items", result.rows);
    postMessage({ result: { ...result, rows: [] } });
  }
}

function postSlices(of: Slice["of"], rows: readonly unknown[]): void {
  for (let from = 0; from < rows.length; from += SLICE_ROWS) {
    postMessage({ of, slice: rows.slice(from, from + SLICE_ROWS) });
  }
}

async function run(task: Task): Promise<FileRead | ListItems | Blob> {
  if (task.task === "items") return itemsOf(task.rows, task.reading);
  if (task.task === "write") return writeCompleted(task);
  const table = await readTable(task.bytes, task.sheet);
  if (task.task === "body") return new Blob(linesOf(table.rows, task.reading, task.keys));
  const found = findIn(table.rows);
  const reading = task.reading ?? defaultReading(found);
  return { table, found, reading, items: itemsOf(table.rows, reading) };
}
