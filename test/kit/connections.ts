import { Agent } from "node:http";
import { afterFile } from "./afterFile.ts";
import type { Answer } from "./answer.ts";
import { ask } from "./client.ts";
import type { Service } from "./service.ts";
import { until } from "./until.ts";

/** Request ids begin with the name of the process that handled them. */
export const processOf = (answer: Answer): string => answer.headers["x-request-id"]?.split("-")[0] ?? "";

/** One connection to each process of a service. */
export async function connections(service: Service, processes: number): Promise<Agent[]> {
  const found = new Map<string, Agent>();
  await until("each process has a connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    afterFile(() => agent.destroy());
    const taker = processOf(await ask(service, { path: "/v1/health" }, agent));
    if (!found.has(taker)) found.set(taker, agent);
    return found.size === processes;
  });
  return [...found.values()];
}
