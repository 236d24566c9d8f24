/** Files of lists that are given back. */
import { type FileRequest, writeCompleted } from "../../../dashboard/src/pages/try/list/job/completedFile.ts";
import { readTable } from "../../../dashboard/src/pages/try/list/job/readTable.ts";

/** Titles of added columns. */
export const TITLES = ["KVK-nummer", "Score", "Ingeschreven op"];
/** The cells of a row below them. */
export const ADDED = ["01234567", 99.7, new Date("2023-07-25")];

/** Returns a file with columns added, by default in the row below the first. */
export async function completed(bytes: Uint8Array, more: Partial<FileRequest> = {}): Promise<Uint8Array> {
  const { sheet } = await readTable(bytes, more.sheet);
  const file = await writeCompleted({
    ...{ bytes: new Uint8Array(bytes), sheet, headRow: 0, titles: TITLES, added: new Map([[1, ADDED]]) },
    ...{ format: "xlsx", separator: ";", sheetName: "Lijst" },
    ...more,
  });
  return new Uint8Array(await file.arrayBuffer());
}
