import type { FileRequest } from "./completedFile.ts";
import type { Done, Reading } from "./fileWorker.ts";
import type { FileRead } from "./source.ts";
import { RefusedFileError } from "./table.ts";

/** Reads a file and finds the column with KVK numbers. @throws {RefusedFileError} */
export const readFile = (bytes: Uint8Array, sheet?: number) =>
  inWorker<FileRead>({ bytes, sheet } satisfies Reading);

/** Writes the customer's file with its results. @throws {RefusedFileError} when that fails */
export const writeFile = (request: FileRequest) => inWorker<Blob>(request);

async function inWorker<T>(task: Reading | FileRequest): Promise<T> {
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
