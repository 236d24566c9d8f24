import autocannon from "autocannon";
import type { Job, Outcome } from "./job.ts";
import { Tally } from "./tally.ts";

/**
 * The same load by a client that is not ours, to check the lean one against. It cuts its connections when the time
 * is over, with calls under way, and reads no charges: it cannot be compared to the ledger.
 */
export function loadWithAutocannon(job: Job): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const tally = new Tally();
    const failures: unknown[] = [];
    const instance = autocannon(optionsFor(job), (error: unknown) => {
      if (error) return reject(error);
      if (failures.length === 0) return resolve(tally.outcome());
      reject(new Error(`autocannon met ${failures.length} errors: ${String(failures[0])}`));
    });
    instance.on("response", (_client, status, _bytes, elapsedMs) => tally.add(status, elapsedMs * 1_000));
    instance.on("reqError", (error) => failures.push(error));
  });
}

function optionsFor({ ports, calls, connections, seconds }: Job): autocannon.Options {
  const [port, other] = ports;
  if (other !== undefined) throw new Error("autocannon calls one node only: leave out --client autocannon");
  return {
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: Math.max(1, Math.round(seconds)),
    requests: calls.map(({ method, path, headers, body }) => ({
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
    })),
  };
}
