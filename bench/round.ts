/** One run of the client against one server, and what it took. */
import type { BenchCase } from "./cases/case.ts";
import { type Job, type Outcome, parseOutcome } from "./client/job.ts";
import { cpuMsOfTree, type Helper, machineCpuMs, usageOf } from "./processes.ts";

/** A server as the measuring sees it, of one process or of several. */
export interface Target {
  readonly pids: readonly number[];
  readonly ports: readonly number[];
  /** Of the database server beside it, if there is one. */
  readonly databasePid?: number;
}

export interface Round {
  readonly answersPerSecond: number;
  /** Milliseconds of one core, over all its processes. */
  readonly serverMs: number | undefined;
  /** Of the database server; 0 where there is none. */
  readonly databaseMs: number;
  readonly machineMs: number;
  readonly outcome: Outcome;
}

export async function runRound(target: Target, job: Job, client: Helper): Promise<Round> {
  const before = used(target);
  const outcome = parseOutcome(await client.ask(job));
  const after = used(target);
  const isKnown = before.serverMs !== undefined && after.serverMs !== undefined;
  return {
    answersPerSecond: outcome.answers / (outcome.elapsedMs / 1_000),
    serverMs: isKnown ? after.serverMs - before.serverMs : undefined,
    databaseMs: after.databaseMs - before.databaseMs,
    machineMs: after.machineMs - before.machineMs,
    outcome,
  };
}

function used({ pids, databasePid }: Target): Pick<Round, "serverMs" | "databaseMs" | "machineMs"> {
  const uses = pids.flatMap((pid) => usageOf(pid) ?? []);
  return {
    serverMs: uses.length < pids.length ? undefined : uses.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    databaseMs: databasePid === undefined ? 0 : cpuMsOfTree(databasePid),
    machineMs: machineCpuMs(),
  };
}

/** @throws {Error} when an answer has a status that the case does not expect */
export function checkStatuses(bench: BenchCase, { statuses, samples }: Outcome): void {
  for (const status of Object.keys(statuses)) {
    if (Number(status) === bench.expected || Number(status) === bench.tolerated) continue;
    throw new Error(
      `${bench.name}: ${statuses[status]} answers had status ${status} instead of ${bench.expected}: ${samples[status] ?? ""}`,
    );
  }
}

/** What neither the server, its database nor the client used, in shares of one core; 0 where the system does not tell. */
export function others({ machineMs, serverMs, databaseMs, outcome }: Round): number {
  if (serverMs === undefined) return 0;
  return Math.max(0, (machineMs - serverMs - databaseMs) / outcome.elapsedMs - outcome.clientBusy);
}
