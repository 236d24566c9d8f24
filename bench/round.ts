/** One run of the client against one server, and what it took. */
import type { BenchCase } from "./cases/case.ts";
import { type Job, type Outcome, parseOutcome } from "./client/job.ts";
import { type Helper, machineCpuMs, useOf } from "./processes.ts";

/** A server as the measuring sees it. */
export interface Target {
  readonly pid: number;
  readonly port: number;
}

export interface Round {
  readonly answersPerSecond: number;
  /** Milliseconds of one core. */
  readonly serverMs: number | undefined;
  readonly machineMs: number;
  readonly outcome: Outcome;
}

export async function runRound({ pid }: Target, job: Job, client: Helper): Promise<Round> {
  const [before, machineBefore] = [useOf(pid), machineCpuMs()];
  const outcome = parseOutcome(await client.ask(job));
  const [after, machineAfter] = [useOf(pid), machineCpuMs()];
  return {
    answersPerSecond: outcome.answers / (outcome.elapsedMs / 1_000),
    serverMs: before && after && after.cpuMs - before.cpuMs,
    machineMs: machineAfter - machineBefore,
    outcome,
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

/** What neither the server nor the client used, in shares of one core; 0 where the system does not tell. */
export function others({ machineMs, serverMs, outcome }: Round): number {
  if (serverMs === undefined) return 0;
  return Math.max(0, (machineMs - serverMs) / outcome.elapsedMs - outcome.clientBusy);
}
