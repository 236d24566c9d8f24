/** The process of the load client: one job in, one outcome out, until its parent disconnects. */
import { type Job, load, type Outcome } from "./load.ts";

process.on("message", (job: Job) => {
  load(job)
    .catch((error: unknown): Outcome => {
      const failure = error instanceof Error ? error.message : String(error);
      return { elapsedMs: 0, tokens: 0, latenciesUs: [], failure };
    })
    .then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit(0));
