/** The load client's process: one job in, one outcome out, again and again until its parent lets go. */
import { loadWithAutocannon } from "./autocannon.ts";
import { type Job, type Outcome, parseJob } from "./job.ts";
import { loadLean } from "./lean.ts";

const run = (job: Job): Promise<Outcome> => (job.client === "lean" ? loadLean(job) : loadWithAutocannon(job));

process.on("message", async (message: unknown) => {
  try {
    process.send?.(await run(parseJob(message)));
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on("disconnect", () => process.exit(0));
