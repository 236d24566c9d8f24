import { join } from "node:path";
import { type LayerInfo, layersOf, type SnapshotInfo } from "./info.ts";
import { checkSizeAndHeader, verifySnapshot } from "./openSnapshot.ts";
import { forgetNote, identityOf, isNoted, note } from "./verifiedNote.ts";

/**
 * Verifies the content of a snapshot's files, but those of which that was done before and which are still the same: reading two gigabytes
 * would be most of a start. What a disk loses behind the back of the file system is found by {@link verifyAnew} only.
 * @throws {DamagedSnapshot} of the first that is damaged
 */
export async function verifyOnce(directory: string, info: SnapshotInfo): Promise<void> {
  for (const layer of layersOf(info)) {
    const path = join(directory, layer.file);
    if (isNoted(path, identityOf(path, layer.sha256))) checkSizeAndHeader(path, layer);
    else await verifyLayer(path, layer);
  }
}

/**
 * Verifies the content of a snapshot's files by reading all of it.
 * @param onBytes told now and then how many were read
 * @throws {DamagedSnapshot} of the first that is not what was written; it is not taken for verified any more then
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
  // As it is before it is read: a file that is changed meanwhile is another one.
  const identity = identityOf(path, info.sha256);
  try {
    await verifySnapshot(path, info, onBytes);
  } catch (error) {
    forgetNote(path);
    throw error;
  }
  note(path, identity);
}

/** Notes that a file which was just put in place is the one whose content was hashed. */
export function noteVerified(directory: string, info: LayerInfo): void {
  const path = join(directory, info.file);
  note(path, identityOf(path, info.sha256));
}
