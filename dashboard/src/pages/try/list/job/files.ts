/** Work on files in a web worker, so that the page stays responsive. */
import { known } from "../../../../../../src/lib/values.ts";
import type { FileRequest } from "./completedFile.ts";
import type { Done, Slice, Task } from "./fileWorker.ts";
import type { FileRead, ListItems, ListRow, Reading, StoredFile } from "./source.ts";
import { RefusedFileError, type Rows } from "./table.ts";

/** Reads a file and recognises its columns, or reads it as before. @throws {RefusedFileError} */
export async function readFile({
  bytes,
  sheet,
  reading,
}: Pick<StoredFile, "bytes"> & Partial<StoredFile>): Promise<FileRead> {
  const task: Task = { task: "read", bytes, ...known("sheet", sheet), ...known("reading", reading) };
  const { result, rows, items } = await inWorker<FileRead>(task);
  return { ...result, table: { ...result.table, rows }, items: { ...result.items, rows: items } };
}

/** Reads the rows of a table in another way. @throws {RefusedFileError} */
export async function readItems(rows: Rows, reading: Reading): Promise<ListItems> {
  const { result, items } = await inWorker<ListItems>({ task: "items", rows, reading });
  return { ...result, rows: items };
}

/** Returns the JSON lines to send for some keys. @throws {RefusedFileError} when the file cannot be read */
export async function linesToSend(
  { bytes, sheet, reading }: StoredFile,
  keys: readonly string[],
): Promise<Blob> {
  return (await inWorker<Blob>({ task: "body", bytes, sheet, reading, keys })).result;
}

/** Writes the customer's file with its results. @throws {RefusedFileError} when that fails */
export async function writeFile(request: FileRequest): Promise<Blob> {
  return (await inWorker<Blob>({ task: "write", ...request })).result;
}

async function inWorker<T>(task: Task) {
  const worker = new Worker(new URL("./fileWorker.ts", import.meta.url), { type: "module" });
  const rows: Rows[number][] = [];
  const items: ListRow[] = [];
  try {
    const done = await new Promise<Done<T>>((resolve) => {
      worker.addEventListener("message", ({ data }: MessageEvent<Done<T> | Slice>) => {
        if (!("slice" in data)) resolve(data);
        else if (data.of === "table") rows.push(...data.slice);
        else items.push(...data.slice);
      });
      worker.addEventListener("error", () => resolve({ refused: "unavailable" }));
      worker.postMessage(task);
    });
    if ("refused" in done) throw new RefusedFileError(done.refused);
    return { result: done.result, rows, items };
  } finally {
    worker.terminate();
  }
}
