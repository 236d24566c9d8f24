import { BUFFER_BYTES, LAYOUT } from "./layout.ts";

/** A thread's place to count. */
export interface OpenRecorder {
  /** For the thread's `Recorder`. */
  readonly buffer: SharedArrayBuffer;
  /** The thread has ended: what it counted stays counted. Called once. */
  end(): void;
}

/** What the threads of one name have counted. */
export interface ThreadCounts {
  readonly thread: string;
  readonly cells: Float64Array;
}

/**
 * The buffers of all threads, those that have ended included. A thread that takes another's place has the same name and a buffer of its own:
 * for a moment both may count.
 */
export class Recorders {
  readonly #ended = new Map<string, Float64Array>();
  readonly #open = new Set<ThreadCounts>();

  /** @param thread a name of a bounded set: it is a label */
  open(thread: string): OpenRecorder {
    const buffer = new SharedArrayBuffer(BUFFER_BYTES);
    const counts = { thread, cells: new Float64Array(buffer) };
    this.#open.add(counts);
    return {
      buffer,
      end: () => {
        if (this.#open.delete(counts)) this.#keep(counts);
      },
    };
  }

  /** What was counted so far, once for each name. */
  counts(): readonly ThreadCounts[] {
    const sums = new Map([...this.#ended].map(([thread, cells]) => [thread, Float64Array.from(cells)]));
    for (const { thread, cells } of this.#open) addTo(sums, thread, cells);
    return [...sums].map(([thread, cells]) => ({ thread, cells }));
  }

  #keep({ thread, cells }: ThreadCounts): void {
    const kept = Float64Array.from(cells);
    for (const { metric, offset } of LAYOUT) {
      // What is seen of a moment is not so any more.
      if (metric.type === "gauge") kept[offset] = 0;
    }
    addTo(this.#ended, thread, kept);
  }
}

function addTo(sums: Map<string, Float64Array>, thread: string, cells: Float64Array): void {
  const sum = sums.get(thread);
  if (sum === undefined) {
    sums.set(thread, Float64Array.from(cells));
    return;
  }
  for (const [index, value] of cells.entries()) {
    if (value !== 0) sum[index] = (sum[index] ?? 0) + value;
  }
}
