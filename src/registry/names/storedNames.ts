import { statSync } from "node:fs";
import { readIndexFile } from "../../search/index/indexFile.ts";
import { identityOf, isNoted, note } from "../verifiedNote.ts";

/** What is no larger is read faster than a thread starts, and holds nobody up. */
export const READ_HERE_BYTES = 8 << 20;

/** The file that an index was built from, and its SHA-256. */
interface NamesPlace {
  readonly path: string;
  readonly info: { readonly sha256: string };
}

/** Where the index of names of a snapshot's file is. */
export function namesPathOf(snapshotPath: string): string {
  return snapshotPath.replace(/\.sqlite$/, ".names");
}

/**
 * The index of a snapshot's file from the one beside it. Its content is verified, unless that was done before.
 * @throws {UnusableIndex} when it is missing, damaged, or not of this file or this program
 */
export function readNames({ path, info }: NamesPlace): SharedArrayBuffer {
  const namesPath = namesPathOf(path);
  const identity = identityOf(namesPath, info.sha256);
  const wasVerified = isNoted(namesPath, identity);
  const buffer = readIndexFile(namesPath, info.sha256, { verifies: !wasVerified });
  if (!wasVerified) note(namesPath, identity);
  return buffer;
}

/** How many bytes the file of an index has; 0 where there is none. */
export function bytesOfNames({ path }: NamesPlace): number {
  return statSync(namesPathOf(path), { throwIfNoEntry: false })?.size ?? 0;
}
