/** Our server: `opzoek serve` in a process of its own, with its log in a file. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, OPZOEK, type Started, startInto } from "./processes.ts";
import type { World } from "./world.ts";

const LOOK_EVERY_MS = 50;
const READY_WITHIN_MS = 60_000;
const LOG_TAIL_CHARACTERS = 2_000;

export interface Server extends Started {
  readonly port: number;
}

/** Starts it and waits until it answers. @throws {Error} with the end of its log when it does not */
export async function startServer({ folder, environment }: World): Promise<Server> {
  const port = await freePort();
  const logFile = join(folder, "server.log");
  const file = openSync(logFile, "w");
  const [node, main] = OPZOEK;
  const started = startInto(file, [node, main, "serve"], { ...environment, PORT: String(port) });
  closeSync(file);
  let hasEnded = false;
  void started.ended.finally(() => {
    hasEnded = true;
  });
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  while (!hasEnded && performance.now() < deadlineMs) {
    const isReady = await fetch(`http://127.0.0.1:${port}/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { ...started, port };
    await pause(LOOK_EVERY_MS);
  }
  const code = await started.stop();
  const tail = readFileSync(logFile, "utf8").slice(-LOG_TAIL_CHARACTERS);
  throw new Error(`our server ended with ${code} before it answered; the end of its log:\n${tail}`);
}
