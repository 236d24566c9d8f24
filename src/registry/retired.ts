import type { SnapshotFile } from "./snapshotFile.ts";

/**
 * How long a snapshot stays open after another took its place: longer than any request may last, so that one which
 * began with it can end with it.
 */
const KEEP_OPEN_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** Indexes that are smaller wait until the garbage collector comes by itself. */
const WORTH_COLLECTING_BYTES = 32 << 20;

/** Snapshots of one thread in whose place another is served: open for as long as somebody may still need them. */
export class RetiredSnapshots {
  readonly #currentOne: () => SnapshotFile | undefined;
  #kept: { readonly snapshot: SnapshotFile; readonly closeAtMs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param currentOne what is served now */
  constructor(currentOne: () => SnapshotFile | undefined) {
    this.#currentOne = currentOne;
  }

  get all(): readonly SnapshotFile[] {
    return this.#kept.map(({ snapshot }) => snapshot);
  }

  add(snapshot: SnapshotFile): void {
    this.#kept.push({ snapshot, closeAtMs: performance.now() + KEEP_OPEN_MS });
    this.#timer ??= setInterval(() => this.#closeDue(), LOOK_EVERY_MS).unref();
  }

  /** Closes all of them, whoever needs them. */
  close(): void {
    this.#stopLooking();
    for (const { snapshot } of this.#kept) snapshot.close();
    this.#kept = [];
  }

  #closeDue(): void {
    const now = performance.now();
    let givenBackBytes = 0;
    this.#kept = this.#kept.filter(({ snapshot, closeAtMs }) => {
      const isNeeded = now < closeAtMs || snapshot.isInUse;
      if (isNeeded) return true;
      snapshot.close();
      givenBackBytes += bytesOnlyIn(snapshot, this.#currentOne());
      return false;
    });
    if (this.#kept.length === 0) this.#stopLooking();
    if (givenBackBytes >= WORTH_COLLECTING_BYTES) collectSoon(givenBackBytes);
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** What the indexes of a snapshot take that another one does not hold too. */
function bytesOnlyIn(snapshot: SnapshotFile, other: SnapshotFile | undefined): number {
  const held = new Set(other?.loadedIndexes.values());
  return [...snapshot.loadedIndexes.values()]
    .filter((index) => !held.has(index))
    .reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * Has the garbage collector begin, in its small steps, as nothing else would in a service at rest: an index that nobody holds any more would still be there when
 * the next one is read. It begins when the buffers of this thread have grown by much; nobody writes to this one, so it takes no memory. One that threads could share
 * would not be counted.
 */
function collectSoon(bytes: number): void {
  void new ArrayBuffer(bytes);
}
