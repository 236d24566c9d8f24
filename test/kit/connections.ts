import { Agent } from "node:http";
import { afterFile } from "./afterFile.ts";
import type { Answer } from "./answer.ts";
import { ask } from "./client.ts";
import type { Service } from "./service.ts";
import { until } from "./until.ts";

/** The ids of requests begin with what names the thread that took them. */
export const threadOf = (answer: Answer): string => answer.headers["x-request-id"]?.split("-")[0] ?? "";

/** A connection to each of the threads. */
export async function connections(service: Service, threads: number): Promise<Agent[]> {
  const found = new Map<string, Agent>();
  await until("each thread has a connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    afterFile(() => agent.destroy());
    const thread = threadOf(await ask(service, { path: "/v1/health" }, agent));
    if (!found.has(thread)) found.set(thread, agent);
    return found.size === threads;
  });
  return [...found.values()];
}
