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
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** The processes that it started itself, by their ids. */
  workers(): readonly number[];
  /** Every line of the log so far, parsed. */
  log(): readonly Record<string, unknown>[];
}

/**
 * Starts `opzoek serve` (or another command that serves) in a process of its own and waits until it listens. It is
 * killed when the file's tests have ended.
 */
export async function startService(
  world: Pick<World, "environment">,
  words: readonly string[] = ["serve"],
): Promise<Service> {
  return serviceBy(startOpzoek(words, world.environment));
}

/** Waits until a program that serves listens, however it was started. It is killed when the file's tests have ended. */
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

/** The processes that a process started itself, by their ids. */
export function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.match(/[0-9]+/g)?.map(Number) ?? [];
}

function addressIn(out: string): string | undefined {
  const listening = logLines(out).find(({ msg }) => msg === "listening");
  return typeof listening?.address === "string" ? listening.address : undefined;
}

/** The whole lines of a log; one that is still being written is left out. */
function logLines(out: string): Record<string, unknown>[] {
  return out
    .slice(0, out.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
