/** Measures one kind of call: our server and the bare one in turn. */
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { BareResponse } from "./bareServer.ts";
import { median, quantile } from "./figures.ts";
import type { Outcome } from "./load.ts";
import { fetchCall, type Server, stateOf } from "./processes.ts";
import { type PreparedCase, type World, withState } from "./world.ts";

const WARM_UP_SECONDS = 3;
export const ROUND_SECONDS = 1;
export const CONNECTIONS = 64;
const [FIRST_DAY, LAST_DAY] = ["2000-01-01", "9999-12-31"];
/** Added by `node:http` to the responses of both servers. */
const ADDED_BY_NODE = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

export interface Parts {
  readonly server: Server & { readonly port: number };
  /** The threads of `bareServer.ts` and `loadThread.ts`. */
  readonly bare: Worker;
  readonly client: Worker;
}

export interface CaseResult {
  readonly prepared: PreparedCase;
  /** The medians of the rounds. */
  readonly callsPerSecond: number;
  readonly bareCallsPerSecond: number;
  readonly ratio: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly memoryBytes: number;
  /** All calls that our server answered, and the tokens it charged for them. */
  readonly calls: number;
  readonly tokens: number;
}

/** @throws {Error} if a response is not 200 */
export async function measureCase(
  prepared: PreparedCase,
  rounds: number,
  { server, bare, client }: Parts,
): Promise<CaseResult> {
  const [call = { path: "/", key: "" }] = prepared.calls;
  const copied = await fetchCall(server.port, call);
  const rawHeaders = [...copied.headers].filter(([name]) => !ADDED_BY_NODE.has(name)).flat();
  const response: BareResponse = { status: copied.status, rawHeaders, body: await copied.text() };
  const barePort = (await ask(bare, response)) as number;
  let [calls, tokens] = [1, Number(copied.headers.get("x-tokens-charged"))];
  const run = async (port: number, seconds: number) => {
    const job = { port, calls: prepared.calls, connections: CONNECTIONS, seconds };
    const { elapsedMs, latenciesUs, ...rest } = (await ask(client, job)) as Outcome;
    if (rest.failure !== undefined) throw new Error(`${prepared.bench.name}: ${rest.failure}`);
    if (port === server.port) {
      calls += latenciesUs.length;
      tokens += rest.tokens;
    }
    return { perSecond: latenciesUs.length / (elapsedMs / 1_000), latenciesUs };
  };
  // Every call is made once, because the first time it may call VIES.
  do await run(server.port, WARM_UP_SECONDS);
  while (calls <= prepared.calls.length);
  await run(barePort, ROUND_SECONDS);
  const latenciesUs: number[] = [];
  const pairs: { readonly ours: number; readonly bare: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    // Each server goes first in every other round, so that a drift in the speed of the machine affects both.
    const first = round % 2 === 0 ? await run(barePort, ROUND_SECONDS) : undefined;
    const ours = await run(server.port, ROUND_SECONDS);
    for (const us of ours.latenciesUs) latenciesUs.push(us);
    const { perSecond } = first ?? (await run(barePort, ROUND_SECONDS));
    pairs.push({ ours: ours.perSecond, bare: perSecond });
  }
  const sorted = Uint32Array.from(latenciesUs).sort();
  return {
    prepared,
    callsPerSecond: median(pairs.map(({ ours }) => ours)),
    bareCallsPerSecond: median(pairs.map((pair) => pair.bare)),
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
    medianUs: quantile(sorted, 0.5),
    p99Us: quantile(sorted, 0.99),
    memoryBytes: stateOf(server.child),
    calls,
    tokens,
  };
}

/** Sends a message to a thread and waits for the next one from it. @throws {Error} if the thread fails */
async function ask(thread: Worker, message: object): Promise<unknown> {
  const reply = once(thread, "message");
  thread.postMessage(message);
  return (await reply)[0];
}

/** Compares what the client saw with the ledger, once the server has ended. @returns a line for each difference */
export function ledgerDifferences(world: World, results: readonly CaseResult[]): Promise<string[]> {
  return withState(world.environment, async (state) => {
    const differences: string[] = [];
    for (const { prepared, calls, tokens } of results) {
      const { bench, accountIds } = prepared;
      let [heldCalls, heldTokens] = [0, 0];
      for (const id of accountIds) {
        for (const line of await state.ledger.lines(id, FIRST_DAY, LAST_DAY)) {
          heldCalls += line.requests;
          heldTokens += line.tokens;
        }
      }
      if (heldCalls === calls && heldTokens === tokens) continue;
      differences.push(
        `${bench.name}: the client saw ${calls} calls and ${tokens} tokens, the ledger has ${heldCalls} and ${heldTokens}`,
      );
    }
    return differences;
  });
}
