/** Measures a case: our server and the bare one in turn. */
import type { BareAnswer } from "./bareServer.ts";
import { Histogram } from "./histogram.ts";
import type { Call, Outcome } from "./load.ts";
import type { Reply } from "./loadProcess.ts";
import type { Options } from "./options.ts";
import { type Helper, memoryOf } from "./processes.ts";
import type { Server } from "./server.ts";
import { inGroups, type PreparedCase, type World, withState } from "./world.ts";

/** Calls that are made once to find a response of middling length for the bare server. */
const COPIED_CALLS = 21;
const WARM_UP_SECONDS = 3;
const BARE_WARM_UP_SECONDS = 1;
const [FIRST_DAY, LAST_DAY] = ["2000-01-01", "9999-12-31"];
/** Added by `node:http` to the responses of both servers. */
const ADDED_BY_NODE = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

export interface Parts {
  readonly server: Server;
  readonly bare: { readonly port: number; readonly helper: Helper };
  readonly client: Helper;
}

export interface CaseResult {
  readonly prepared: PreparedCase;
  /** The middle of the rounds. */
  readonly callsPerSecond: number;
  readonly bareCallsPerSecond: number;
  readonly ratio: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly memoryBytes: number | undefined;
  /** All calls that our server answered, and what it charged for them. */
  readonly calls: number;
  readonly tokens: number;
}

/** @throws {Error} when a response of ours is not 200 */
export async function measureCase(
  prepared: PreparedCase,
  { rounds, seconds, connections }: Options,
  { server, bare, client }: Parts,
): Promise<CaseResult> {
  const copied = await copyAnswer(server.port, prepared.calls.slice(0, COPIED_CALLS));
  await bare.helper.ask(copied.answer);
  let [calls, tokens] = [copied.calls, copied.tokens];
  const run = async (port: number, forSeconds: number): Promise<Outcome> => {
    const job = { port, calls: prepared.calls, connections, seconds: forSeconds };
    const reply = (await client.ask(job)) as Reply;
    if ("failure" in reply) throw new Error(`${prepared.bench.name}: ${reply.failure}`);
    return reply;
  };
  const onOurs = async (forSeconds: number): Promise<Outcome> => {
    const outcome = await run(server.port, forSeconds);
    calls += outcome.answers;
    tokens += outcome.tokens;
    const [failed] = Object.keys(outcome.statuses).filter((status) => status !== "200");
    if (failed !== undefined)
      throw new Error(`${prepared.bench.name}: status ${failed}: ${outcome.samples[failed]}`);
    return outcome;
  };
  // Each call is made once, as a first one may have to ask VIES.
  const before = calls;
  do await onOurs(WARM_UP_SECONDS);
  while (calls - before < prepared.calls.length);
  await run(bare.port, BARE_WARM_UP_SECONDS);
  const latencies = new Histogram();
  const pairs: (readonly [ours: number, bare: number])[] = [];
  for (let round = 0; round < rounds; round++) {
    // Each is first every other time, so that a drift of the machine's speed meets both.
    const first = round % 2 === 0 ? await run(bare.port, seconds) : undefined;
    const ours = await onOurs(seconds);
    latencies.addAll(ours.latencies);
    pairs.push([rateOf(ours), rateOf(first ?? (await run(bare.port, seconds)))]);
  }
  return {
    prepared,
    callsPerSecond: middle(pairs.map(([ours]) => ours)),
    bareCallsPerSecond: middle(pairs.map(([, rate]) => rate)),
    ratio: middle(pairs.map(([ours, rate]) => ours / rate)),
    medianUs: latencies.quantile(0.5),
    p99Us: latencies.quantile(0.99),
    memoryBytes: memoryOf(server.pid),
    calls,
    tokens,
  };
}

function rateOf({ answers, elapsedMs }: Outcome): number {
  return answers / (elapsedMs / 1_000);
}

export function middle(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Makes calls and returns the response of the middle length. */
async function copyAnswer(
  port: number,
  calls: readonly Call[],
): Promise<{ answer: BareAnswer; calls: number; tokens: number }> {
  const answers: BareAnswer[] = [];
  let tokens = 0;
  for (const { method, path, headers, body = null } of calls) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, "accept-encoding": "identity" },
      body,
    });
    tokens += Number(response.headers.get("x-tokens-charged") ?? 0);
    const own = [...response.headers].filter(([name]) => !ADDED_BY_NODE.has(name)).flat();
    answers.push({ status: response.status, rawHeaders: own, body: await response.text() });
  }
  const sorted = answers.sort((one, other) => one.body.length - other.body.length);
  const answer = sorted[Math.floor(sorted.length / 2)];
  if (answer === undefined) throw new Error("a case needs calls");
  return { answer, calls: calls.length, tokens };
}

/** Compares what the client saw with the ledger. Call it when the server has ended. @returns a line for each difference */
export function ledgerDifferences(world: World, results: readonly CaseResult[]): Promise<string[]> {
  return withState(world.environment, async (state) => {
    const differences: string[] = [];
    for (const { prepared, calls, tokens } of results) {
      const { bench, accountIds } = prepared;
      const lines = await inGroups(accountIds.length, (index) =>
        state.ledger.lines(accountIds[index] ?? "", FIRST_DAY, LAST_DAY),
      );
      const all = lines.flat();
      const kept = {
        calls: all.reduce((sum, line) => sum + line.requests, 0),
        tokens: all.reduce((sum, line) => sum + line.tokens, 0),
      };
      if (kept.calls === calls && kept.tokens === tokens) continue;
      differences.push(
        `${bench.name}: the client saw ${calls} calls and ${tokens} tokens, the ledger has ${kept.calls} and ${kept.tokens}`,
      );
    }
    return differences;
  });
}
