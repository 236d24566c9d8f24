/** Measures one kind of call: our server, the plain design and the bare server in turn. */
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { BareResponse } from "./bareServer.ts";
import { median, quantile } from "./figures.ts";
import type { Outcome } from "./load.ts";
import { fetchCall, memoryOf, type Server } from "./processes.ts";
import { type PreparedCase, type World, withState } from "./world.ts";

const WARM_UP_SECONDS = 3;
export const ROUND_SECONDS = 1;
export const CONNECTIONS = 64;
const [FIRST_DAY, LAST_DAY] = ["2000-01-01", "9999-12-31"];
/** Added by `node:http` to the responses of both servers. */
const ADDED_BY_NODE = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

export interface Parts {
  readonly server: Server & { readonly port: number };
  /** The port of the plain design; undefined if the case is not compared with it. */
  readonly plainPort: number | undefined;
  /** The threads of `bareServer.ts` and `loadThread.ts`. */
  readonly bare: Worker;
  readonly client: Worker;
}

/** A server that ours is compared with. */
export interface Compared {
  readonly callsPerSecond: number;
  /** Our calls per second divided by its. */
  readonly ratio: number;
}

export interface CaseResult {
  readonly prepared: PreparedCase;
  /** The medians of the rounds. */
  readonly callsPerSecond: number;
  readonly plain: Compared | undefined;
  readonly bare: Compared;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly memoryBytes: number;
  /** All calls that our server answered, and the tokens it charged for them. */
  readonly calls: number;
  readonly tokens: number;
}

/** @throws {Error} if a response is not 200, or the plain design has another one */
export async function measureCase(
  prepared: PreparedCase,
  rounds: number,
  { server, plainPort, bare, client }: Parts,
): Promise<CaseResult> {
  const [call = { path: "/", key: "" }] = prepared.calls;
  const copied = await fetchCall(server.port, call);
  const rawHeaders = [...copied.headers].filter(([name]) => !ADDED_BY_NODE.has(name)).flat();
  const response: BareResponse = { status: copied.status, rawHeaders, body: await copied.text() };
  const barePort = (await ask(bare, response)) as number;
  const others = plainPort === undefined ? [barePort] : [barePort, plainPort];
  if (plainPort !== undefined && (await (await fetchCall(plainPort, call)).text()) !== response.body)
    throw new Error(`${prepared.bench.name}: the plain design has another response`);
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
  for (const port of others) await run(port, WARM_UP_SECONDS);
  const latenciesUs: number[] = [];
  const ours: number[] = [];
  const speeds = new Map<number, number[]>(others.map((port) => [port, []]));
  for (let round = 0; round < rounds; round++) {
    // The order is reversed in every other round, so that a drift in the speed of the machine affects all.
    const ports = round % 2 === 0 ? [...others, server.port] : [server.port, ...others.toReversed()];
    for (const port of ports) {
      const { perSecond, latenciesUs: measured } = await run(port, ROUND_SECONDS);
      (speeds.get(port) ?? ours).push(perSecond);
      if (port === server.port) for (const us of measured) latenciesUs.push(us);
    }
  }
  const sorted = Uint32Array.from(latenciesUs).sort();
  const compared = (port: number): Compared => {
    const theirs = speeds.get(port) ?? [];
    const ratios = theirs.map((speed, round) => (ours[round] ?? 0) / speed);
    return { callsPerSecond: median(theirs), ratio: median(ratios) };
  };
  return {
    prepared,
    callsPerSecond: median(ours),
    plain: plainPort === undefined ? undefined : compared(plainPort),
    bare: compared(barePort),
    medianUs: quantile(sorted, 0.5),
    p99Us: quantile(sorted, 0.99),
    memoryBytes: memoryOf(server.child.pid),
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
