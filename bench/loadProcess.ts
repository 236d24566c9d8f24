/** The load client's process: one job in, one outcome out, until its parent disconnects. */
import { type Job, load, type Outcome } from "./load.ts";

export type Reply = Outcome | { readonly failure: string };

process.on("message", (job: Job) => {
  load(job)
    .catch((error: unknown): Reply => ({ failure: error instanceof Error ? error.message : String(error) }))
    .then((reply) => process.send?.(reply));
});
process.on("disconnect", () => process.exit(0));
