import { pipeline, type Transform } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { quoted } from "../../contract/quoting.ts";
import { ImportRefused } from "../outcome.ts";

const STORED = 0;
const DEFLATED = 8;
const MAX_NAMED = 10;

export interface ZipEntry {
  /** The expanded bytes; size and checksum are compared at the end. */
  readonly chunks: AsyncIterable<Buffer>;
  readonly compressedBytes: number;
  close(): void;
}

/**
 * Opens the single file of a zip archive. Folders and files that macOS adds are ignored.
 * @param onBytes called with the compressed length of each chunk
 * @throws {ImportRefused} for an archive that is damaged, encrypted, or holds no file or several
 */
export async function openOnlyEntry(
  path: string,
  shownName: string,
  onBytes: (bytes: number) => void,
): Promise<ZipEntry> {
  const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    throw new ImportRefused(
      `${shownName} begins as a zip archive but has no end (${messageOf(error)}): it is cut off or damaged. Fetch it again.`,
      error,
    );
  });
  try {
    const entry = await onlyEntry(zip, shownName);
    const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    const counted = counting(raw, onBytes);
    const expanded = entry.compressionMethod === DEFLATED ? through(counted, createInflateRaw()) : counted;
    return {
      chunks: verified(expanded, entry, shownName),
      compressedBytes: entry.compressedSize,
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    if (error instanceof ImportRefused) throw error;
    throw new ImportRefused(
      `${shownName} is a damaged zip archive (${messageOf(error)}). Fetch it again.`,
      error,
    );
  }
}

async function onlyEntry(zip: ZipFile, shownName: string): Promise<Entry> {
  const files: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    const isFile = !entry.fileName.endsWith("/") && !/(^|\/)(__MACOSX\/|\.DS_Store$)/.test(entry.fileName);
    if (isFile && files.push(entry) > MAX_NAMED) break;
  }
  const [entry, second] = files;
  if (entry === undefined) throw new ImportRefused(`${shownName} is a zip archive without a file in it.`);
  if (second !== undefined) throw new ImportRefused(severalFiles(files, shownName));
  if (entry.isEncrypted()) {
    throw new ImportRefused(`${shownName} is encrypted. Unpack it with its password and import the file.`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new ImportRefused(
      `${shownName} is compressed in a way that is not read here (zip method ${entry.compressionMethod}). ` +
        "Unpack it, or pack it again with plain zip.",
    );
  }
  return entry;
}

function severalFiles(files: readonly Entry[], shownName: string): string {
  if (files.some((file) => file.fileName === "[Content_Types].xml")) {
    return `${shownName} is an Office document, such as an Excel sheet. Save the sheet as CSV (UTF-8) and import that.`;
  }
  const names = files.slice(0, MAX_NAMED).map((file) => quoted(file.fileName));
  const more = files.length > MAX_NAMED ? " and more" : "";
  return (
    `${shownName} holds more than one file: ${names.join(", ")}${more}. ` +
    "Unpack it and name the file to import."
  );
}

/** Compares size and checksum at the end; yauzl leaves the checksum to its caller. */
async function* verified(
  expanded: AsyncIterable<Buffer>,
  entry: Entry,
  shownName: string,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of expanded) {
    bytes += chunk.length;
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) {
    throw new ImportRefused(
      `${shownName} is damaged: its content does not match its checksum. Fetch it again.`,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

/** Passes `source` on and reports the length of each chunk. */
export async function* counting(
  source: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** Passes `source` through a decoder. The reader gets errors of either; leaving early closes both. */
export function through(source: AsyncIterable<Buffer>, decoder: Transform): AsyncIterable<Buffer> {
  return pipeline(source, decoder, () => {});
}
