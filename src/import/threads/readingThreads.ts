import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { BlockRead, BlockTask } from "./readBlock.ts";

/** More threads than these wait for the one that writes what they read. */
const MOST_THREADS = 4;
/** So many blocks are with each thread, so that none waits for the next one. */
const BLOCKS_A_THREAD = 2;

/** A block that was read, with what was noted when it was handed over. */
export interface Handed<Note> {
  readonly read: BlockRead;
  readonly note: Note;
}

interface Waiting {
  readonly resolve: (read: BlockRead) => void;
  readonly reject: (error: Error) => void;
}

/** One thread, which answers blocks in the order in which they are given. */
class ReadingThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;

  constructor(task: BlockTask) {
    this.#worker = new Worker(new URL("./readingWorker.ts", import.meta.url), { workerData: task });
    this.#worker.on("message", (read: BlockRead) => this.#waiting.shift()?.resolve(read));
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("a thread that reads lines ended")));
  }

  read(block: Uint8Array<ArrayBuffer>): Promise<BlockRead> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(block, [block.buffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

/**
 * Reads blocks on threads, as many as there are cores for, and gives what became of them in the order of the blocks. Only so many
 * are under way that memory stays flat.
 * @param noteOf is asked when a block is handed over
 * @throws what ended a thread, or what reading the blocks throws
 */
export async function* readOnThreads<Note>(
  blocks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  task: BlockTask,
  noteOf: () => Note,
): AsyncGenerator<Handed<Note>> {
  const most = Math.min(MOST_THREADS, availableParallelism());
  const threads: ReadingThread[] = [];
  const underWay: Promise<Handed<Note>>[] = [];
  let handedOver = 0;
  try {
    for await (const block of blocks) {
      const next = handedOver++ % most;
      const thread = threads[next] ?? new ReadingThread(task);
      threads[next] = thread;
      const note = noteOf();
      const reading = thread.read(block).then((read) => ({ read, note }));
      // Whoever takes it is told; it may not come to that.
      reading.catch(() => {});
      underWay.push(reading);
      if (underWay.length >= most * BLOCKS_A_THREAD) yield* taken(underWay);
    }
    while (underWay.length > 0) yield* taken(underWay);
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

async function* taken<Item>(queue: Promise<Item>[]): AsyncGenerator<Item> {
  const first = queue.shift();
  if (first !== undefined) yield await first;
}
