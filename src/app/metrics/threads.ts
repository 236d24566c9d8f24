/** What the main thread tells of the threads that answer calls: one that hangs cannot tell it. */
import type { Reading } from "./readings.ts";

/** How the threads that answer calls fare. */
export interface SeenThreads {
  /** So many listen. */
  readonly listening: number;
  /** So many ended by themselves, or failed, since the start. */
  readonly lost: number;
  /** For how long each of those that listen has owed a sign of life. The name is of a bounded set: it is a label. */
  readonly silent: readonly { readonly thread: string; readonly ms: number }[];
}

export function threadReadings({ listening, lost, silent }: SeenThreads): readonly Reading[] {
  return [
    { name: "opzoek_threads_listening", value: listening },
    { name: "opzoek_threads_lost_total", value: lost },
    ...silent.map(
      ({ thread, ms }): Reading => ({
        name: "opzoek_thread_silent_seconds",
        labels: { thread },
        value: ms / 1_000,
      }),
    ),
  ];
}
