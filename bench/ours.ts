/** Our server under measurement: a process of its own, its log lines written to a file as in real use. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Started, startInto } from "./processes.ts";
import { OPZOEK } from "./program.ts";
import type { World } from "./world.ts";

const LOOK_EVERY_MS = 50;
const READY_WITHIN_MS = 60_000;
const LOG_TAIL_CHARACTERS = 2_000;

export interface Ours extends Started {
  readonly port: number;
  readonly logFile: string;
}

/**
 * Starts `opzoek serve` and waits until it answers. The port is chosen here and not read from the log, because a
 * server that is measured without a log does not tell. With `profile` Node notes what the processor does.
 */
export async function startOurs(world: World, profile: boolean): Promise<Ours> {
  const port = await freePort();
  const logFile = join(world.folder, "server.log");
  const file = openSync(logFile, "w");
  const [node, main] = OPZOEK;
  const flags = profile ? ["--cpu-prof", `--cpu-prof-dir=${profilesFolder(world)}`] : [];
  const environment = { ...world.environment, PORT: String(port) };
  const started = startInto(file, [node, ...flags, main, "serve"], environment);
  closeSync(file);
  let hasEnded = false;
  void started.ended.then(() => {
    hasEnded = true;
  });
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  while (!hasEnded && performance.now() < deadlineMs) {
    if (await answers(port)) return { ...started, port, logFile };
    await wait(LOOK_EVERY_MS);
  }
  const code = await started.stop();
  const told = readFileSync(logFile, "utf8").slice(-LOG_TAIL_CHARACTERS);
  throw new Error(`our server ended with ${code} before it answered; the end of its log:\n${told}`);
}

/** Where Node puts the profiles of a server that is started with `profile`, when it ends. */
export function profilesFolder(world: World): string {
  return join(world.folder, "profiles");
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/v1/health`)).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
