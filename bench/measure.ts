import { type Copied, copyAnswer } from "./bare/copy.ts";
import { Histogram } from "./client/histogram.ts";
import { type Job, type Outcome, parseOutcome } from "./client/job.ts";
import type { Options } from "./options.ts";
import { type Helper, machineCpuMs, useOf } from "./processes.ts";
import type { PreparedCase } from "./world.ts";

/** Calls that are made once to find an answer of middling length for the bare server to send. */
const COPIED_CALLS = 21;
/** Before the first measurement each server runs the case so long, for the compilers to settle. */
const WARM_UP_SECONDS = 1.5;

/** A server as the measuring sees it. */
export interface Target {
  readonly pid: number;
  readonly port: number;
}

/** The figures of one server in one case, over all rounds. */
export interface Figures {
  /** The middle of the rounds. */
  readonly answersPerSecond: number;
  readonly medianUs: number;
  readonly p99Us: number;
  /** Shares of one core, over all rounds; absent where the system does not tell. */
  readonly serverBusy?: number;
  readonly clientBusy: number;
  /** What neither the server nor the client used: other work on the machine, which makes figures worse. */
  readonly elsewhereBusy?: number;
}

export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly itemsPerAnswer: number;
  readonly ours: Figures;
  readonly bare: Figures;
  /** Ours to bare in calls per second, round by round, and the middle of the rounds. */
  readonly ratios: readonly number[];
  readonly ratio: number;
  readonly leastRatio?: number;
  /** What our server held in memory after the case. */
  readonly residentBytes?: number;
  /** Everything that our server answered, warm-up included; absent when the client did not read headers. */
  readonly seen?: Seen;
}

/** What the client knows of the answers that it got. */
export interface Seen {
  readonly statuses: Readonly<Record<string, number>>;
  /** The sum of `X-Tokens-Charged`. */
  readonly tokens: number;
}

export interface Parts {
  readonly ours: Target;
  readonly bare: Target & { readonly helper: Helper };
  readonly client: Helper;
}

interface Round {
  readonly answersPerSecond: number;
  /** Milliseconds of one core. */
  readonly serverMs: number | undefined;
  readonly machineMs: number;
  readonly outcome: Outcome;
}

/**
 * Measures one case: ours and the bare server in turn, each first every other time, so that what drifts on the
 * machine meets both.
 * @throws {Error} when an answer has a status that the case does not expect
 */
export async function measureCase(
  prepared: PreparedCase,
  options: Options,
  parts: Parts,
): Promise<CaseResult> {
  const { bench, calls } = prepared;
  const copied = await copyAnswer(parts.ours.port, calls.slice(0, COPIED_CALLS), bench.expected);
  await parts.bare.helper.ask(copied.answer);
  const job = { client: options.client, calls: [...calls], connections: options.connections };
  const run = async (target: Target, seconds: number): Promise<Round> => {
    const [before, machineBefore] = [useOf(target.pid), machineCpuMs()];
    const outcome = parseOutcome(
      await parts.client.ask({ ...job, port: target.port, seconds } satisfies Job),
    );
    const [after, machineAfter] = [useOf(target.pid), machineCpuMs()];
    checkStatuses(prepared, outcome);
    return {
      answersPerSecond: outcome.answers / (outcome.elapsedMs / 1_000),
      serverMs: before && after && after.cpuMs - before.cpuMs,
      machineMs: machineAfter - machineBefore,
      outcome,
    };
  };
  const warmUp = await run(parts.ours, WARM_UP_SECONDS);
  await run(parts.bare, WARM_UP_SECONDS);
  const ours: Round[] = [];
  const bare: Round[] = [];
  for (let round = 0; round < options.rounds; round++) {
    if (round % 2 === 1) bare.push(await run(parts.bare, options.seconds));
    ours.push(await run(parts.ours, options.seconds));
    if (round % 2 === 0) bare.push(await run(parts.bare, options.seconds));
  }
  const ratios = ours.map(
    ({ answersPerSecond }, round) => answersPerSecond / (bare[round]?.answersPerSecond ?? 0),
  );
  const use = useOf(parts.ours.pid);
  const seen = seenIn(copied, [warmUp, ...ours]);
  return {
    name: bench.name,
    title: bench.title,
    itemsPerAnswer: bench.itemsPerAnswer,
    ours: figuresOf(ours),
    bare: figuresOf(bare),
    ratios,
    ratio: middle(ratios),
    ...(bench.leastRatio !== undefined && { leastRatio: bench.leastRatio }),
    ...(use !== undefined && { residentBytes: use.residentBytes }),
    ...(seen !== undefined && { seen }),
  };
}

function checkStatuses({ bench }: PreparedCase, { statuses, samples }: Outcome): void {
  for (const status of Object.keys(statuses)) {
    if (Number(status) === bench.expected || Number(status) === bench.tolerated) continue;
    throw new Error(
      `${bench.name}: ${statuses[status]} answers had status ${status} instead of ${bench.expected}: ${samples[status] ?? ""}`,
    );
  }
}

function figuresOf(rounds: readonly Round[]): Figures {
  const latencies = new Histogram();
  for (const { outcome } of rounds) latencies.addAll(outcome.latencies);
  const elapsedMs = total(rounds.map(({ outcome }) => outcome.elapsedMs));
  const clientMs = total(rounds.map(({ outcome }) => outcome.clientBusy * outcome.elapsedMs));
  const known = rounds.flatMap(({ serverMs }) => serverMs ?? []);
  const serverMs = known.length === rounds.length ? total(known) : undefined;
  const machineMs = total(rounds.map((round) => round.machineMs));
  return {
    answersPerSecond: middle(rounds.map(({ answersPerSecond }) => answersPerSecond)),
    medianUs: latencies.quantile(0.5),
    p99Us: latencies.quantile(0.99),
    clientBusy: clientMs / elapsedMs,
    ...(serverMs !== undefined && {
      serverBusy: serverMs / elapsedMs,
      elsewhereBusy: Math.max(0, (machineMs - serverMs - clientMs) / elapsedMs),
    }),
  };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

export function middle(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** All that the client saw of our server; undefined when its client reads no charges. */
function seenIn(copied: Copied, rounds: readonly Round[]): Seen | undefined {
  const statuses: Record<string, number> = { ...copied.statuses };
  let tokens = copied.tokensCharged;
  for (const { outcome } of rounds) {
    if (outcome.tokensCharged === undefined) return undefined;
    tokens += outcome.tokensCharged;
    for (const [status, times] of Object.entries(outcome.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + times;
    }
  }
  return { statuses, tokens };
}
