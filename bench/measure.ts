/** Measures one kind of call: our server and the bare one in turn. */
import type { BareAnswer } from "./bareServer.ts";
import { median, quantile } from "./figures.ts";
import type { Outcome } from "./load.ts";
import type { Options } from "./options.ts";
import { type Call, fetchCall, type Helper, memoryOf, type Server } from "./processes.ts";
import { inGroups, type PreparedCase, type World, withState } from "./world.ts";

/** Calls that are made first, to find a response of median length for the bare server. */
const COPIED_CALLS = 21;
const WARM_UP_SECONDS = 3;
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
  { rounds, seconds, connections }: Options,
  { server, bare, client }: Parts,
): Promise<CaseResult> {
  const copied = await copyAnswer(server.port, prepared.calls.slice(0, COPIED_CALLS));
  await bare.helper.ask(copied.answer);
  let { calls, tokens } = copied;
  const run = async (port: number, forSeconds: number) => {
    const job = { port, calls: prepared.calls, connections, seconds: forSeconds };
    const { elapsedMs, latenciesUs, ...rest } = (await client.ask(job)) as Outcome;
    if (rest.failure !== undefined) throw new Error(`${prepared.bench.name}: ${rest.failure}`);
    if (port === server.port) {
      calls += latenciesUs.length;
      tokens += rest.tokens;
    }
    return { perSecond: latenciesUs.length / (elapsedMs / 1_000), latenciesUs };
  };
  // Every call is made once, as the first time it may have to ask VIES.
  const before = calls;
  do await run(server.port, WARM_UP_SECONDS);
  while (calls - before < prepared.calls.length);
  await run(bare.port, seconds);
  const latenciesUs: number[] = [];
  const pairs: { readonly ours: number; readonly bare: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    // Each server goes first in every other round, so that a drift in the speed of the machine affects both.
    const first = round % 2 === 0 ? await run(bare.port, seconds) : undefined;
    const ours = await run(server.port, seconds);
    for (const us of ours.latenciesUs) latenciesUs.push(us);
    const { perSecond } = first ?? (await run(bare.port, seconds));
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
    memoryBytes: memoryOf(server.pid),
    calls,
    tokens,
  };
}

/** Makes calls and returns the response of median length, and what the calls cost. */
async function copyAnswer(port: number, calls: readonly Call[]) {
  const answers: BareAnswer[] = [];
  let tokens = 0;
  for (const call of calls) {
    const response = await fetchCall(port, call);
    tokens += Number(response.headers.get("x-tokens-charged") ?? 0);
    const rawHeaders = [...response.headers].filter(([name]) => !ADDED_BY_NODE.has(name)).flat();
    answers.push({ status: response.status, rawHeaders, body: await response.text() });
  }
  answers.sort((one, other) => one.body.length - other.body.length);
  const answer = answers[Math.floor(answers.length / 2)];
  if (answer === undefined) throw new Error("a case needs calls");
  return { answer, calls: calls.length, tokens };
}

/** Compares what the client saw with the ledger, once the server has ended. @returns a line for each difference */
export function ledgerDifferences(world: World, results: readonly CaseResult[]): Promise<string[]> {
  return withState(world.environment, async (state) => {
    const differences: string[] = [];
    for (const { prepared, calls, tokens } of results) {
      const { bench, accountIds } = prepared;
      const lines = await inGroups(accountIds.length, (index) =>
        state.ledger.lines(accountIds[index] ?? "", FIRST_DAY, LAST_DAY),
      );
      const sum = (field: "requests" | "tokens") => lines.flat().reduce((all, line) => all + line[field], 0);
      const [heldCalls, heldTokens] = [sum("requests"), sum("tokens")];
      if (heldCalls === calls && heldTokens === tokens) continue;
      differences.push(
        `${bench.name}: the client saw ${calls} calls and ${tokens} tokens, the ledger has ${heldCalls} and ${heldTokens}`,
      );
    }
    return differences;
  });
}
