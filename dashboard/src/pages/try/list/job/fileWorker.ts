/** Reads and writes files in a web worker, so that the page stays responsive. */
import { type FileRequest, writeCompleted } from "./completedFile.ts";
import { findColumn } from "./kvkColumn.ts";
import { readTable } from "./readTable.ts";
import type { FileRead } from "./source.ts";
import { type RefusedFile, RefusedFileError } from "./table.ts";

export interface Reading {
  readonly bytes: Uint8Array;
  readonly sheet: number | undefined;
}

export type Done<T> = { readonly result: T } | { readonly refused: RefusedFile };

addEventListener("message", ({ data }: MessageEvent<Reading | FileRequest>) => {
  const work: Promise<FileRead | Blob> = "bytes" in data ? read(data) : writeCompleted(data);
  work.then(
    (result) => postMessage({ result }),
    (error: unknown) =>
      postMessage({ refused: error instanceof RefusedFileError ? error.reason : "damaged" }),
  );
});

async function read({ bytes, sheet }: Reading): Promise<FileRead> {
  const table = await readTable(bytes, sheet);
  return { table, found: findColumn(table.rows) };
}
