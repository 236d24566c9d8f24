import { readFileSync } from "node:fs";
import { afterFile } from "./afterFile.ts";
import { startOpzoek } from "./opzoek.ts";
import type { Program } from "./program.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

export interface Service {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  readonly port: number;
  readonly program: Program;
  /** Sends a signal and waits for the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** The ids of its child processes. */
  workers(): readonly number[];
  /** Every line of the log so far, parsed. */
  log(): readonly Record<string, unknown>[];
}

/**
 * Starts `opzoek serve` (or another command that serves) in its own process and waits until it listens. It is killed
 * after the file's tests.
 */
export async function startService(
  world: Pick<World, "environment">,
  words: readonly string[] = ["serve"],
): Promise<Service> {
  return serviceBy(startOpzoek(words, world.environment));
}

/** Waits until a started program listens. It is killed after the file's tests. */
export async function serviceBy(program: Program): Promise<Service> {
  let hasEnded = false;
  const ended = program.ended.then((result) => {
    hasEnded = true;
    return result;
  });
  afterFile(async () => {
    program.child.kill("SIGKILL");
    await ended;
  });
  const address = await until("the service listens", () => {
    if (hasEnded) throw new Error(`the service ended instead of listening: ${program.err()}${program.out()}`);
    return addressIn(program.out());
  });
  return {
    address,
    port: Number(new URL(address).port),
    program,
    async end(signal) {
      program.child.kill(signal);
      return (await ended).code;
    },
    workers: () => childrenOf(program.child.pid ?? 0),
    log: () => logLines(program.out()),
  };
}

/** The ids of a process's children. */
export function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.match(/[0-9]+/g)?.map(Number) ?? [];
}

function addressIn(out: string): string | undefined {
  const listening = logLines(out).find(({ msg }) => msg === "listening");
  return typeof listening?.address === "string" ? listening.address : undefined;
}

/** The complete lines of a log, without one still being written. */
function logLines(out: string): Record<string, unknown>[] {
  return out
    .slice(0, out.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
