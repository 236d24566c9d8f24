/** The faults of a run, one after the other. */
import { rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { KvkSimulator } from "../../src/simulators/kvk/server.ts";
import type { ViesSimulator } from "../../src/simulators/vies/server.ts";
import type { Gate } from "./gate.ts";
import type { SoakNode } from "./node.ts";

/** The nodes, database and upstreams that faults work on. */
export interface Stage {
  readonly shared: readonly SoakNode[];
  readonly embedded: SoakNode;
  readonly gate: Gate;
  readonly database: { killAndStart(): Promise<void>; freeze(forMs: number): Promise<void> };
  readonly vies: ViesSimulator;
  readonly kvk: KvkSimulator;
  /** The embedded node's DATA_DIR where it is a file system of its own, which can be filled. */
  readonly smallDisk: string | undefined;
  /** Has a changed file imported, or the registry rolled back, where both kinds of nodes have it. */
  importChanges(): Promise<void>;
  rollBack(): Promise<void>;
}

export interface Fault {
  readonly name: string;
  /** The nodes that may answer 5xx, or not at all, meanwhile. */
  readonly strikes: (stage: Stage) => readonly SoakNode[];
  /** Begins it, lets it last and ends it. */
  run(stage: Stage): Promise<void>;
  /** Lines of the log at error level that it is the cause of. */
  readonly explains: RegExp;
}

/** A fault as it happened. */
export interface Happened {
  readonly fault: Fault;
  readonly nodes: readonly SoakNode[];
  readonly beganMs: number;
  /** Undefined while it lasts. */
  endedMs: number | undefined;
  /** Responses to callers of these nodes (of all, where it strikes none) until the next fault begins. */
  readonly seen: Seen;
  /** Calls to the other nodes that failed. */
  failedElsewhere: number;
}

/** Responses by what they said, such as `200` or `503 STATE_UNAVAILABLE`. */
export interface Seen {
  readonly outcomes: Map<string, number>;
  slowestMs: number;
  /** From the begin of the fault to the end of the last call that failed. */
  failedUntilMs: number;
}

const SHORT_MS = 5_000;
const LONG_MS = 20_000;
const CLOCK_AHEAD_MS = 2 * 3_600_000;
const STATE_AWAY = /the state cannot be used|a call failed|something for the account page failed|PostgreSQL/;
const NOTHING = /(?!)/;
/** Left over where a disk is filled: less than a commit needs. */
const LEFT_BYTES = 4_096;

const nobody: Fault["strikes"] = () => [];
const all: Fault["strikes"] = ({ shared, embedded }) => [...shared, embedded];
const first: Fault["strikes"] = ({ shared }) => shared.slice(0, 1);
const firstAndEmbedded: Fault["strikes"] = (stage) => [...first(stage), stage.embedded];

function workerDies(name: string, how: "throw" | "exit"): Fault {
  const run = async ({ shared }: Stage) => {
    shared[0]?.killWorker(how);
    await pause(SHORT_MS);
  };
  return { name, strikes: first, explains: /worker|told to fail|nobody caught/, run };
}

function nodesEnd(name: string, strikes: Fault["strikes"], how: "kill" | "stop"): Fault {
  const run = async (stage: Stage) => {
    for (const node of strikes(stage)) {
      await node[how]();
      await node.start();
    }
  };
  return { name, strikes, explains: NOTHING, run };
}

function databaseFails(name: string, run: Fault["run"]): Fault {
  return { name, strikes: ({ shared }) => shared, explains: STATE_AWAY, run };
}

type UpstreamFault = Parameters<ViesSimulator["setFault"]>[1] & Parameters<KvkSimulator["setFault"]>[1];

function upstreamsFail(name: string, fault: UpstreamFault): Fault {
  const run = async ({ vies, kvk }: Stage) => {
    for (const upstream of [vies, kvk]) upstream.setFault("*", fault);
    await pause(2 * SHORT_MS);
    for (const upstream of [vies, kvk]) upstream.clearFaults();
  };
  return { name, strikes: all, explains: NOTHING, run };
}

async function fillDisk({ smallDisk }: Stage): Promise<void> {
  if (smallDisk === undefined) return;
  const ballast = join(smallDisk, "ballast");
  const { bavail, bsize } = statfsSync(smallDisk);
  writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - LEFT_BYTES)));
  await pause(LONG_MS);
  truncateSync(ballast);
  rmSync(ballast);
}

async function stallLogs(stage: Stage): Promise<void> {
  for (const node of firstAndEmbedded(stage)) node.stallLog(true);
  await pause(LONG_MS);
  for (const node of firstAndEmbedded(stage)) node.stallLog(false);
}

async function jumpClocks(stage: Stage): Promise<void> {
  for (const node of all(stage)) node.setClock(CLOCK_AHEAD_MS);
  await pause(2 * SHORT_MS);
  for (const node of all(stage)) node.setClock(0);
}

/** Every kind, in the order in which they come; a round of them takes as many minutes. */
export const FAULTS: readonly Fault[] = [
  workerDies("a worker process throws", "throw"),
  workerDies("a worker process ends", "exit"),
  nodesEnd("a node on PostgreSQL is killed", first, "kill"),
  nodesEnd("the node on the embedded state is killed", ({ embedded }) => [embedded], "kill"),
  nodesEnd("SIGTERM, and a start", firstAndEmbedded, "stop"),
  { name: "nobody reads the log for 20 s", strikes: firstAndEmbedded, explains: NOTHING, run: stallLogs },
  databaseFails("the database refuses", async ({ gate }) => {
    gate.shut();
    await pause(SHORT_MS);
    gate.open();
  }),
  databaseFails("the database is silent", async ({ gate }) => {
    gate.fallSilent();
    await pause(2 * SHORT_MS);
    gate.open();
  }),
  databaseFails("the database is killed", ({ database }) => database.killAndStart()),
  databaseFails("the database is frozen for 20 s", ({ database }) => database.freeze(LONG_MS)),
  {
    name: "the disk is full",
    strikes: ({ embedded }) => [embedded],
    explains:
      /the state cannot be used|a call failed|something for the account page failed|disk|ENOSPC|registry/,
    run: fillDisk,
  },
  ...(["hang", "html", "reset"] as const).map((kind) => upstreamsFail(`VIES and KVK: ${kind}`, { kind })),
  upstreamsFail("VIES and KVK are slow", { kind: "latency", ms: 1_500 }),
  {
    name: "the clock jumps two hours ahead and back",
    strikes: nobody,
    explains: NOTHING,
    run: jumpClocks,
  },
  {
    name: "a changed registry is imported under way",
    strikes: nobody,
    explains: NOTHING,
    run: (stage) => stage.importChanges(),
  },
  {
    name: "the registry is rolled back",
    strikes: nobody,
    explains: NOTHING,
    run: (stage) => stage.rollBack(),
  },
];
