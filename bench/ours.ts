/** Our server under measurement: a process of its own, its log lines written to a file as in real use. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Started, startInto } from "./processes.ts";
import { OPZOEK, SOURCE_MAIN } from "./program.ts";
import type { Target } from "./round.ts";
import type { Setup } from "./setups.ts";
import type { World } from "./world.ts";

const LOOK_EVERY_MS = 50;
const READY_WITHIN_MS = 60_000;
const LOG_TAIL_CHARACTERS = 2_000;
const SILENT_FOR_MS = 3_000;

/** Nodes of our service, which share a state. */
export interface Ours extends Target {
  readonly logFiles: readonly string[];
  /** Asks all of them to end. @returns their exit codes */
  stop(): Promise<readonly (number | null)[]>;
}

interface OurNode extends Started {
  readonly port: number;
  readonly logFile: string;
}

/** Starts the nodes of a setup and waits until each answers. */
export async function startOurs(
  world: World,
  { nodes, workers }: Setup,
  { profile, databasePid }: { profile: boolean; databasePid: number | undefined },
): Promise<Ours> {
  const started: OurNode[] = [];
  for (let count = 0; count < nodes; count++)
    started.push(await startNode(world, count, { profile, workers }));
  return {
    pids: started.flatMap(({ pid }) => [pid, ...childrenOf(pid)]),
    ports: started.map(({ port }) => port),
    ...(databasePid !== undefined && { databasePid }),
    logFiles: started.map(({ logFile }) => logFile),
    stop: () => Promise.all(started.map((node) => node.stop())),
  };
}

/**
 * Starts `opzoek serve` and waits until it answers. The port is chosen here and not read from the log, because a
 * server that is measured without a log does not tell. With `profile` Node notes what the processor does.
 */
async function startNode(
  world: World,
  index: number,
  { profile, workers }: { readonly profile: boolean; readonly workers: number | undefined },
): Promise<OurNode> {
  const port = await freePort();
  const logFile = join(world.folder, `server-${index}.log`);
  const file = openSync(logFile, "w");
  const [node, builtMain] = OPZOEK;
  const main = profile ? SOURCE_MAIN : builtMain;
  const flags = profile ? ["--cpu-prof", `--cpu-prof-dir=${profilesFolder(world)}`] : [];
  const environment = {
    ...world.environment,
    PORT: String(port),
    ...(workers !== undefined && { WORKERS: String(workers) }),
  };
  const started = startInto(file, [node, ...flags, main, "serve"], environment);
  closeSync(file);
  let hasEnded = false;
  void started.ended.then(() => {
    hasEnded = true;
  });
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  while (!hasEnded && performance.now() < deadlineMs) {
    if ((await answers(port)) && (await allListen(world, logFile))) return { ...started, port, logFile };
    await wait(LOOK_EVERY_MS);
  }
  const code = await started.stop();
  const told = readFileSync(logFile, "utf8").slice(-LOG_TAIL_CHARACTERS);
  throw new Error(`our server ended with ${code} before it answered; the end of its log:\n${told}`);
}

/** The processes that a process started, by their ids; none where there is no `/proc`. */
function childrenOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.match(/[0-9]+/g)?.map(Number) ?? [];
  } catch {
    return [];
  }
}

/** Where Node puts the profiles of a server that is started with `profile`, when it ends. */
export function profilesFolder(world: World): string {
  return join(world.folder, "profiles");
}

/** Whether all workers listen. A server that logs nothing does not say so, and gets a moment. */
async function allListen({ environment }: World, logFile: string): Promise<boolean> {
  if (environment["LOG_LEVEL"] === "info") return readFileSync(logFile, "utf8").includes('"msg":"listening"');
  await wait(SILENT_FOR_MS);
  return true;
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/v1/health`)).ok;
  } catch {
    return false;
  }
}

export function freePort(): Promise<number> {
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
