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
 * server that is measured without a log does not tell.
 */
export async function startOurs(world: World): Promise<Ours> {
  const port = await freePort();
  const logFile = join(world.folder, "server.log");
  const file = openSync(logFile, "w");
  const started = startInto(file, [...OPZOEK, "serve"], { ...world.environment, PORT: String(port) });
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
