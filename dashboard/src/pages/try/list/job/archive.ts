import { RefusedFileError } from "./table.ts";

/** A workbook of 50,000 rows unpacks to a tenth of this per column; more is none that a browser can hold. */
const MOST_UNPACKED_BYTES = 150_000_000;
const MOST_ENTRIES = 5_000;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MOST_COMMENT_BYTES = 65_535;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const DEFLATED = 8;
const LEAST_HIDDEN_BYTES = 64;
const ELSEWHERE = 0xffffffff;

/**
 * Looks at what a zip archive says it unpacks to, before anything of it is unpacked (APPNOTE 6.3.10, 4.3.12). The reader of spreadsheets
 * unpacks no entry beyond what it says here, so that the sum bounds the memory that a hostile file can take.
 * @throws {RefusedFileError} `unpacksTooLarge`, or `damaged` where there is no such directory
 */
export function checkArchive(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) throw new RefusedFileError("damaged");
  const entries = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  // A second directory, for archives of gigabytes, would stand elsewhere.
  const isHuge = view.getUint32(end + 12, true) === ELSEWHERE || at === ELSEWHERE;
  if (isHuge || entries > MOST_ENTRIES) throw new RefusedFileError("unpacksTooLarge");
  let sum = 0;
  for (let index = 0; index < entries; index += 1) {
    if (at + ENTRY_BYTES > view.byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE) {
      throw new RefusedFileError("damaged");
    }
    const packed = view.getUint32(at + 20, true);
    const unpacked = view.getUint32(at + 24, true);
    // Who says nothing of a size would have it unpacked without bound; nothing at all deflates to two bytes.
    const isDeflated = view.getUint16(at + 10, true) === DEFLATED;
    if (unpacked === 0 && (packed > LEAST_HIDDEN_BYTES || (isDeflated && packed === 0)))
      throw new RefusedFileError("unpacksTooLarge");
    sum += unpacked;
    at +=
      ENTRY_BYTES +
      view.getUint16(at + 28, true) +
      view.getUint16(at + 30, true) +
      view.getUint16(at + 32, true);
  }
  if (sum > MOST_UNPACKED_BYTES) throw new RefusedFileError("unpacksTooLarge");
}

/** Where the end of the archive's directory stands: behind it is a comment at most. */
function endOf(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - END_BYTES - MOST_COMMENT_BYTES);
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  return undefined;
}
