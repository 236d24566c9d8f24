import { existsSync } from "node:fs";
import { join } from "node:path";
import { pointerPath, readPointer, writePointer } from "./directory.ts";
import type { SnapshotInfo } from "./info.ts";
import { takeLock } from "./lock.ts";
import { verifySnapshot } from "./openSnapshot.ts";

/** There is no snapshot to go back to. */
export class NothingToGoBackTo extends Error {
  constructor(directory: string) {
    super(`${directory} holds no earlier snapshot to go back to: import the data you want with --replace`);
    this.name = "NothingToGoBackTo";
  }
}

/**
 * Makes the previous snapshot the current one and the other way round, so that doing it twice changes nothing.
 * @returns the one that is current now
 * @throws {NothingToGoBackTo}
 * @throws {DamagedSnapshot} when the previous one is damaged; then nothing has changed
 * @throws {RegistryBusy} while an import is at work
 */
export async function rollback(directory: string): Promise<SnapshotInfo> {
  if (!existsSync(pointerPath(directory))) throw new NothingToGoBackTo(directory);
  const lock = takeLock(directory);
  try {
    const pointer = readPointer(directory);
    if (pointer?.previous === undefined) throw new NothingToGoBackTo(directory);
    await verifySnapshot(join(directory, pointer.previous.file), pointer.previous);
    writePointer(directory, { current: pointer.previous, previous: pointer.current });
    return pointer.previous;
  } finally {
    lock.release();
  }
}
