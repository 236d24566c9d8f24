import type { SnapshotFile } from "./snapshotFile.ts";

/**
 * How long a replaced snapshot stays open: longer than any request may last, so that each can finish with the snapshot it began with.
 */
const KEEP_OPEN_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
/** Smaller indexes wait for the garbage collector to run by itself. */
const WORTH_COLLECTING_BYTES = 32 << 20;

/** Replaced snapshots, open for as long as a request may still use them. */
export class RetiredSnapshots {
  readonly #servedSnapshot: () => SnapshotFile | undefined;
  #kept: { readonly snapshot: SnapshotFile; readonly closeAtMs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param servedSnapshot the snapshot that is served now */
  constructor(servedSnapshot: () => SnapshotFile | undefined) {
    this.#servedSnapshot = servedSnapshot;
  }

  get all(): readonly SnapshotFile[] {
    return this.#kept.map(({ snapshot }) => snapshot);
  }

  add(snapshot: SnapshotFile): void {
    this.#kept.push({ snapshot, closeAtMs: performance.now() + KEEP_OPEN_MS });
    this.#timer ??= setInterval(() => this.#closeDue(), CHECK_EVERY_MS).unref();
  }

  /** Closes all of them at once. */
  close(): void {
    this.#stopTimer();
    for (const { snapshot } of this.#kept) snapshot.close();
    this.#kept = [];
  }

  #closeDue(): void {
    const now = performance.now();
    let freedBytes = 0;
    this.#kept = this.#kept.filter(({ snapshot, closeAtMs }) => {
      const isNeeded = now < closeAtMs || snapshot.isInUse;
      if (isNeeded) return true;
      snapshot.close();
      freedBytes += bytesOnlyIn(snapshot, this.#servedSnapshot());
      return false;
    });
    if (this.#kept.length === 0) this.#stopTimer();
    if (freedBytes >= WORTH_COLLECTING_BYTES) collectSoon(freedBytes);
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The size of the indexes of a snapshot that another one does not hold too. */
function bytesOnlyIn(snapshot: SnapshotFile, other: SnapshotFile | undefined): number {
  const held = new Set(other?.loadedIndexes.values());
  return [...snapshot.loadedIndexes.values()]
    .filter((index) => !held.has(index))
    .reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * Makes the garbage collector start, in its small steps. In an idle service nothing else would, and a released index would still be there when
 * the next one is read. The collector starts when the buffers of a thread grow by much; shared ones do not count. This one is never written
 * to, so it takes no memory.
 */
function collectSoon(bytes: number): void {
  void new ArrayBuffer(bytes);
}
