import { join } from "node:path";
import { type LayerInfo, layersOf, type SnapshotInfo } from "./info.ts";
import { checkSizeAndHeader, verifySnapshot } from "./openSnapshot.ts";
import { forgetNote, identityOf, isNoted, note } from "./verifiedNote.ts";

/**
 * Verifies the content of a snapshot's files, except those verified before and unchanged since, because reading
 * gigabytes would dominate the start. Only {@link verifyAnew} detects damage below the file system.
 * @throws {DamagedSnapshot} for the first damaged file
 */
export async function verifyOnce(directory: string, info: SnapshotInfo): Promise<void> {
  for (const layer of layersOf(info)) {
    const path = join(directory, layer.file);
    if (isNoted(path, identityOf(path, layer.sha256))) checkSizeAndHeader(path, layer);
    else await verifyLayer(path, layer);
  }
}

/**
 * Verifies the content of a snapshot's files by reading them completely.
 * @param onBytes called periodically with the number of bytes read
 * @throws {DamagedSnapshot} for the first damaged file, which then no longer counts as verified
 */
export async function verifyAnew(
  directory: string,
  info: SnapshotInfo,
  onBytes: (bytes: number) => void = () => {},
): Promise<void> {
  let before = 0;
  for (const layer of layersOf(info)) {
    await verifyLayer(join(directory, layer.file), layer, (bytes) => onBytes(before + bytes));
    before += layer.bytes;
  }
}

async function verifyLayer(path: string, info: LayerInfo, onBytes?: (bytes: number) => void): Promise<void> {
  // Before reading, so that a file that changes in the meantime is not noted.
  const identity = identityOf(path, info.sha256);
  try {
    await verifySnapshot(path, info, onBytes);
  } catch (error) {
    forgetNote(path);
    throw error;
  }
  note(path, identity);
}

/** Notes that a file is verified because it was hashed before it was installed. */
export function saveVerifiedNote(directory: string, info: LayerInfo): void {
  const path = join(directory, info.file);
  note(path, identityOf(path, info.sha256));
}
