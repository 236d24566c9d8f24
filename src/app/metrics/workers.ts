import type { Reading } from "./readings.ts";

/** The processes that answer calls. */
export interface SeenWorkers {
  readonly listening: number;
  /** Those that ended by themselves since the start. */
  readonly lost: number;
  /** For how long each has not responded. The names are a bounded set: they are a label. */
  readonly silent: readonly { readonly worker: string; readonly ms: number }[];
}

export function workerReadings({ listening, lost, silent }: SeenWorkers): readonly Reading[] {
  return [
    { name: "opzoek_workers_listening", value: listening },
    { name: "opzoek_workers_lost_total", value: lost },
    ...silent.map(
      ({ worker, ms }): Reading => ({
        name: "opzoek_worker_silent_seconds",
        labels: { worker },
        value: ms / 1_000,
      }),
    ),
  ];
}
