import type { SnapshotFile } from "./snapshotFile.ts";

/** How long a replaced snapshot stays open: longer than any request, so that each can finish with its snapshot. */
const KEEP_OPEN_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
/** Smaller indexes do not need an explicit start of the garbage collector. */
const WORTH_COLLECTING_BYTES = 32 << 20;

/** Keeps replaced snapshots open while requests may still use them. */
export class RetiredSnapshots {
  readonly #servedSnapshot: () => SnapshotFile | undefined;
  #snapshots: { readonly snapshot: SnapshotFile; readonly closeAtMs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(servedSnapshot: () => SnapshotFile | undefined) {
    this.#servedSnapshot = servedSnapshot;
  }

  get all(): readonly SnapshotFile[] {
    return this.#snapshots.map(({ snapshot }) => snapshot);
  }

  add(snapshot: SnapshotFile): void {
    this.#snapshots.push({ snapshot, closeAtMs: performance.now() + KEEP_OPEN_MS });
    this.#timer ??= setInterval(() => this.#closeDue(), CHECK_EVERY_MS).unref();
  }

  close(): void {
    this.#stopTimer();
    for (const { snapshot } of this.#snapshots) snapshot.close();
    this.#snapshots = [];
  }

  #closeDue(): void {
    const now = performance.now();
    let freedBytes = 0;
    this.#snapshots = this.#snapshots.filter(({ snapshot, closeAtMs }) => {
      const isNeeded = now < closeAtMs || snapshot.isInUse;
      if (isNeeded) return true;
      snapshot.close();
      freedBytes += bytesOnlyIn(snapshot, this.#servedSnapshot());
      return false;
    });
    if (this.#snapshots.length === 0) this.#stopTimer();
    if (freedBytes >= WORTH_COLLECTING_BYTES) collectSoon(freedBytes);
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The total size of the indexes of a snapshot that another snapshot does not share. */
function bytesOnlyIn(snapshot: SnapshotFile, other: SnapshotFile | undefined): number {
  const shared = new Set(other?.loadedIndexes.values());
  return [...snapshot.loadedIndexes.values()]
    .filter((index) => !shared.has(index))
    .reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * Starts incremental garbage collection. Otherwise an idle service would still keep a released index in memory when the
 * next one is read. The collector starts when the non-shared buffers of a thread grow a lot. This buffer is never
 * written to, so it uses no memory.
 */
function collectSoon(bytes: number): void {
  void new ArrayBuffer(bytes);
}
