/** The thread of the load client: one job in, one outcome out. An error ends the thread, which its parent sees. */
import { parentPort } from "node:worker_threads";
import { type Job, load } from "./load.ts";

parentPort?.on("message", async (job: Job) => parentPort?.postMessage(await load(job)));
