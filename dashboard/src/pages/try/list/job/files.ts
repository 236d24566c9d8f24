/** Work on files in a web worker, so that the page stays responsive. */
import { known } from "../../../../../../src/lib/values.ts";
import type { FileRequest } from "./completedFile.ts";
import type { Done, Task } from "./fileWorker.ts";
import type { FileRead, ListItems, Reading, StoredFile } from "./source.ts";
import { RefusedFileError, type Rows } from "./table.ts";

/** Reads a file and recognises its columns, or reads it as before. @throws {RefusedFileError} */
export const readFile = ({ bytes, sheet, reading }: Pick<StoredFile, "bytes"> & Partial<StoredFile>) =>
  inWorker<FileRead>({ task: "read", bytes, ...known("sheet", sheet), ...known("reading", reading) });

/** Reads the rows of a table in another way. @throws {RefusedFileError} */
export const readItems = (rows: Rows, reading: Reading) =>
  inWorker<ListItems>({ task: "items", rows, reading });

/** Returns the JSON lines to send for some keys. @throws {RefusedFileError} when the file cannot be read */
export const linesToSend = ({ bytes, sheet, reading }: StoredFile, keys: readonly string[]) =>
  inWorker<Blob>({ task: "body", bytes, sheet, reading, keys });

/** Writes the customer's file with its results. @throws {RefusedFileError} when that fails */
export const writeFile = (request: FileRequest) => inWorker<Blob>({ task: "write", ...request });

async function inWorker<T>(task: Task): Promise<T> {
  const worker = new Worker(new URL("./fileWorker.ts", import.meta.url), { type: "module" });
  try {
    const done = await new Promise<Done<T>>((resolve) => {
      worker.addEventListener("message", ({ data }: MessageEvent<Done<T>>) => resolve(data));
      worker.addEventListener("error", () => resolve({ refused: "unavailable" }));
      worker.postMessage(task);
    });
    if ("refused" in done) throw new RefusedFileError(done.refused);
    return done.result;
  } finally {
    worker.terminate();
  }
}
