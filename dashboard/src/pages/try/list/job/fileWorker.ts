/** Reads and writes files in a web worker. */
import { type FileRequest, writeCompleted } from "./completedFile.ts";
import { findIn, itemsOf, linesOf } from "./kinds.ts";
import { readTable } from "./readTable.ts";
import { defaultReading, type FileRead, type ListItems, type Reading, type StoredFile } from "./source.ts";
import { type RefusedFile, RefusedFileError, type Rows } from "./table.ts";

export type Task =
  | ({ readonly task: "read" } & Pick<StoredFile, "bytes"> & Partial<StoredFile>)
  | { readonly task: "items"; readonly rows: Rows; readonly reading: Reading }
  | ({ readonly task: "body"; readonly keys: readonly string[] } & StoredFile)
  | ({ readonly task: "write" } & FileRequest);

export type Done<T> = { readonly result: T } | { readonly refused: RefusedFile };

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  run(data).then(
    (result) => postMessage({ result }),
    (error: unknown) =>
      postMessage({ refused: error instanceof RefusedFileError ? error.reason : "damaged" }),
  );
});

async function run(task: Task): Promise<FileRead | ListItems | Blob> {
  if (task.task === "items") return itemsOf(task.rows, task.reading);
  if (task.task === "write") return writeCompleted(task);
  const table = await readTable(task.bytes, task.sheet);
  if (task.task === "body") return new Blob(linesOf(table.rows, task.reading, task.keys));
  const found = findIn(table.rows);
  const reading = task.reading ?? defaultReading(found);
  return { table, found, reading, items: itemsOf(table.rows, reading) };
}
