import { type Copied, copyAnswer, holdAnswers } from "./bare/copy.ts";
import { Histogram } from "./client/histogram.ts";
import type { Options } from "./options.ts";
import { type Helper, usageOf } from "./processes.ts";
import { checkStatuses, others, type Round, runRound, type Target } from "./round.ts";
import type { Setup } from "./setups.ts";
import type { Vies } from "./vies/vies.ts";
import type { PreparedCase } from "./world.ts";

/** Calls that are made once to find an answer of middling length for the bare server to send. */
const COPIED_CALLS = 21;
/** Before the first measurement each server runs the case so long at least, for the compilers to settle: each thread compiles the program for itself. */
const WARM_UP_SECONDS = 10;
/** V8 still compiles functions of ours for the last time when some 350,000 calls were answered; the slow cases do not get there. */
const WARM_UP_ANSWERS = 400_000;
const LONGEST_WARM_UP_SECONDS = 60;
/** So long calls are made while VIES hangs before that is measured. */
const HANGS_FOR_SECONDS = 1.5;
const MOST_DISTURBED = 5;

/** The figures of one server in one case, over all rounds. */
export interface Figures {
  /** The middle of the rounds. */
  readonly answersPerSecond: number;
  readonly medianUs: number;
  readonly p99Us: number;
  /** What the server needs of a processor for one answer: other work on the machine changes it the least. */
  readonly processorUs?: number;
  /** Shares of one core, over all rounds; absent where the system does not tell. */
  readonly serverBusy?: number;
  readonly databaseBusy: number;
  readonly clientBusy: number;
  /** What neither the server, its database nor the client used: other work on the machine, which makes figures worse. */
  readonly elsewhereBusy?: number;
}

export interface CaseResult {
  readonly setup: Setup;
  readonly name: string;
  readonly title: string;
  readonly itemsPerAnswer: number;
  readonly ours: Figures;
  readonly bare: Figures;
  /** Ours to bare in calls per second, round by round, and the middle of the rounds. */
  readonly ratios: readonly number[];
  readonly ratio: number;
  /** Rounds that were measured again because other work on the machine took part in them. */
  readonly disturbed: number;
  readonly leastRatio?: number;
  /** Ours less the bare server's, at the median. */
  readonly addedUs: number;
  readonly mostAddedUs?: number;
  /** What our server held in memory after the case, all its processes together. */
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
  readonly setup: Setup;
  readonly ours: Target;
  readonly bare: Target & { readonly helper: Helper };
  readonly client: Helper;
  readonly vies: Vies;
}

interface Pair {
  readonly ours: Round;
  readonly bare: Round;
}

/**
 * Measures one case: ours and the bare server in turn, each first every other time, so that what drifts on the
 * machine meets both. A round in which other processes took more than `options.others` of a core is no measurement
 * and is done again, up to {@link MOST_DISTURBED} times as often as there are rounds.
 * @throws {Error} when an answer has a status that the case does not expect
 */
export async function measureCase(
  prepared: PreparedCase,
  options: Options,
  parts: Parts,
): Promise<CaseResult> {
  const { bench } = prepared;
  const { setup } = parts;
  const port = parts.ours.ports[0] ?? 0;
  const held = bench.holdsAnswers && (await holdAnswers(port, prepared.calls));
  const calls = held?.calls ?? prepared.calls;
  const copied = await copyAnswer(port, calls.slice(0, COPIED_CALLS), bench.expected);
  await parts.bare.helper.ask(copied.answer);
  const { pairs, disturbed, answered } = await measurePairs({ ...prepared, calls }, options, parts);
  const ours = pairs.map((pair) => pair.ours);
  const bare = pairs.map((pair) => pair.bare);
  const ratios = ours.map(
    ({ answersPerSecond }, round) => answersPerSecond / (bare[round]?.answersPerSecond ?? 0),
  );
  const uses = parts.ours.pids.flatMap((pid) => usageOf(pid) ?? []);
  const seen = seenIn(held === undefined ? [copied] : [copied, held], answered);
  const figures = { ours: figuresOf(ours), bare: figuresOf(bare) };
  const leastRatio = bench.leastRatio?.[setup.name];
  return {
    setup,
    name: bench.name,
    title: bench.title,
    itemsPerAnswer: bench.itemsPerAnswer,
    ...figures,
    ratios,
    disturbed,
    ratio: middle(ratios),
    ...(leastRatio !== undefined && { leastRatio }),
    addedUs: figures.ours.medianUs - figures.bare.medianUs,
    ...(bench.mostAddedUs !== undefined && { mostAddedUs: bench.mostAddedUs }),
    ...(uses.length > 0 && { residentBytes: total(uses.map(({ residentBytes }) => residentBytes)) }),
    ...(seen !== undefined && { seen }),
  };
}

interface Pairs {
  readonly pairs: readonly Pair[];
  readonly disturbed: number;
  /** Every run against our server, also those that do not count. */
  readonly answered: readonly Round[];
}

async function measurePairs(prepared: PreparedCase, options: Options, parts: Parts): Promise<Pairs> {
  const { client } = options;
  const { connections = options.connections } = prepared.bench;
  const run = (target: Target, seconds: number): Promise<Round> =>
    runRound(
      target,
      { client, connections, calls: [...prepared.calls], ports: [...target.ports], seconds },
      parts.client,
    );
  const onOurs = async (seconds: number): Promise<Round> => {
    const round = await run(parts.ours, seconds);
    checkStatuses(prepared.bench, round.outcome);
    answered.push(round);
    return round;
  };
  const answered: Round[] = [];
  const { viesHangs = false } = prepared.bench;
  // Until each call was made once too: what a first one asks of others is not what is measured.
  do await onOurs(WARM_UP_SECONDS);
  while (answersIn(answered) < prepared.calls.length || isWarmingUp(answered));
  await run(parts.bare, WARM_UP_SECONDS);
  if (viesHangs) {
    await parts.vies.setHanging(true);
    // Until the breaker is open.
    await onOurs(HANGS_FOR_SECONDS);
  }
  const pairs: Pair[] = [];
  let disturbed = 0;
  while (pairs.length < options.rounds) {
    const before = answered.length % 2 === 0 ? await run(parts.bare, options.seconds) : undefined;
    const ours = await onOurs(options.seconds);
    const bare = before ?? (await run(parts.bare, options.seconds));
    const isDisturbed = Math.max(others(ours), others(bare)) > options.others;
    if (isDisturbed && disturbed < options.rounds * MOST_DISTURBED) disturbed++;
    else pairs.push({ ours, bare });
  }
  if (viesHangs) await parts.vies.setHanging(false);
  return { pairs, disturbed, answered };
}

function isWarmingUp(rounds: readonly Round[]): boolean {
  return answersIn(rounds) < WARM_UP_ANSWERS && rounds.length * WARM_UP_SECONDS < LONGEST_WARM_UP_SECONDS;
}

function answersIn(rounds: readonly Round[]): number {
  return total(rounds.map(({ outcome }) => outcome.answers));
}

function figuresOf(rounds: readonly Round[]): Figures {
  const latencies = new Histogram();
  for (const { outcome } of rounds) latencies.addAll(outcome.latencies);
  const elapsedMs = total(rounds.map(({ outcome }) => outcome.elapsedMs));
  const clientMs = total(rounds.map(({ outcome }) => outcome.clientBusy * outcome.elapsedMs));
  const known = rounds.flatMap(({ serverMs }) => serverMs ?? []);
  const isKnown = known.length === rounds.length;
  return {
    answersPerSecond: middle(rounds.map(({ answersPerSecond }) => answersPerSecond)),
    medianUs: latencies.quantile(0.5),
    p99Us: latencies.quantile(0.99),
    clientBusy: clientMs / elapsedMs,
    databaseBusy: total(rounds.map(({ databaseMs }) => databaseMs)) / elapsedMs,
    ...(isKnown && {
      processorUs: (total(known) * 1_000) / total(rounds.map(({ outcome }) => outcome.answers)),
      serverBusy: total(known) / elapsedMs,
      elsewhereBusy: total(rounds.map((round) => others(round) * round.outcome.elapsedMs)) / elapsedMs,
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
function seenIn(
  before: readonly Pick<Copied, "statuses" | "tokensCharged">[],
  rounds: readonly Round[],
): Seen | undefined {
  const statuses: Record<string, number> = {};
  let tokens = 0;
  for (const one of [...before, ...rounds.map(({ outcome }) => outcome)]) {
    if (one.tokensCharged === undefined) return undefined;
    tokens += one.tokensCharged;
    for (const [status, times] of Object.entries(one.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + times;
    }
  }
  return { statuses, tokens };
}
