import { checkArchive } from "./archive.ts";
import { decoded, readText } from "./readText.ts";
import { bounded, type Cell, RefusedFileError, type Table } from "./table.ts";

/** What a browser on a phone reads without trouble; 50,000 rows of a customer list are a tenth of it. */
const MOST_BYTES = 25_000_000;

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The container of Excel before 2007, and of what is encrypted. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
const BINARIES: readonly (readonly number[])[] = [
  [0x25, 0x50, 0x44, 0x46],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x1f, 0x8b],
];
const OPEN_DOCUMENT = "mimetypeapplication/vnd.oasis.opendocument";

/**
 * Reads a file as a table by what it holds, whatever its name says: text, or a workbook of Excel or LibreOffice (XLSX).
 * @param sheet which sheet of a workbook; else the first with something in it
 * @throws {RefusedFileError} with what it is instead
 */
export async function readTable(bytes: Uint8Array, sheet?: number): Promise<Table> {
  if (bytes.length > MOST_BYTES) throw new RefusedFileError("tooLarge");
  if (bytes.length === 0) throw new RefusedFileError("empty");
  if (startsWith(bytes, OLE)) throw new RefusedFileError(isEncrypted(bytes) ? "encrypted" : "oldExcel");
  if (BINARIES.some((start) => startsWith(bytes, start))) throw new RefusedFileError("binary");
  const table = startsWith(bytes, ZIP) ? await readWorkbook(bytes, sheet) : readText(decoded(bytes));
  return { ...table, rows: bounded(table.rows) };
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** An encrypted workbook names its part so, in UTF-16. */
function isEncrypted(bytes: Uint8Array): boolean {
  return new TextDecoder("utf-16le")
    .decode(bytes.subarray(0, bytes.length & ~1))
    .includes("EncryptedPackage");
}

async function readWorkbook(bytes: Uint8Array, wanted: number | undefined): Promise<Table> {
  if (new TextDecoder("latin1").decode(bytes.subarray(30, 100)).startsWith(OPEN_DOCUMENT)) {
    throw new RefusedFileError("openDocument");
  }
  checkArchive(bytes);
  const { readXlsx } = await import("hucre/xlsx").catch((cause: unknown) => {
    throw new RefusedFileError("unavailable", { cause });
  });
  const { sheets } = await asked(() => readXlsx(bytes));
  const filled = sheets.findIndex(({ rows }) => rows.some((row) => row.some((cell) => cell !== null)));
  const sheet = wanted !== undefined && wanted < sheets.length ? wanted : Math.max(0, filled);
  const rows: readonly (readonly Cell[])[] = sheets[sheet]?.rows ?? [];
  return { kind: "xlsx", sheets: sheets.map(({ name }) => name), sheet, rows };
}

/** The reader's own errors are all of one kind: the file is not what it should be. */
async function asked<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new RefusedFileError("damaged", { cause: error });
  }
}
