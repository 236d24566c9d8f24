/** The faults of a run, one after the other. */
import { rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { KvkSimulator } from "../../src/demo/kvk/server.ts";
import type { ViesSimulator } from "../../src/demo/vies/server.ts";
import type { TestNode } from "./node.ts";
import type { World } from "./world.ts";

type Pick = (world: World) => readonly TestNode[];

export interface Fault {
  readonly name: string;
  /** Returns the nodes that may answer with 5xx, or not at all, while it lasts. */
  readonly affects: Pick;
  /** Starts it, waits and ends it. `nodes` are those it affects. */
  run(world: World, nodes: readonly TestNode[]): Promise<void>;
  readonly needsSmallDisk?: true;
}

const SHORT_MS = 5_000;
const MEDIUM_MS = 10_000;
const LONG_MS = 20_000;
const SLOW = { kind: "latency", ms: 1_500 } as const;
const CLOCK_AHEAD_MS = 2 * 3_600_000;
/** Left free on a full disk: less than a commit needs. */
const FREE_BYTES = 4_096;

const none: Pick = () => [];
const all: Pick = ({ nodes }) => nodes;
const shared: Pick = (world) => world.shared.nodes;
const first: Pick = (world) => shared(world).slice(0, 1);
const embedded: Pick = (world) => world.embedded.nodes;
const firstAndEmbedded: Pick = (world) => [...first(world), ...embedded(world)];

const endWorker =
  (how: "throw" | "kill"): Fault["run"] =>
  async (_, nodes) => {
    for (const node of nodes) node.endWorker(how);
    await pause(SHORT_MS);
  };

const restart =
  (signal: "SIGTERM" | "SIGKILL"): Fault["run"] =>
  async (_, nodes) => {
    for (const node of nodes) {
      await node.stop(signal);
      await node.start();
    }
  };

type UpstreamFault = Parameters<ViesSimulator["setFault"]>[1] & Parameters<KvkSimulator["setFault"]>[1];

const failUpstreams =
  (fault: UpstreamFault): Fault["run"] =>
  async ({ vies, kvk }) => {
    for (const upstream of [vies, kvk]) upstream.setFault("*", fault);
    await pause(MEDIUM_MS);
    for (const upstream of [vies, kvk]) upstream.clearFaults();
  };

async function stallLogs(_: World, nodes: readonly TestNode[]): Promise<void> {
  for (const node of nodes) node.stallLog(true);
  await pause(LONG_MS);
  for (const node of nodes) node.stallLog(false);
}

const stopDatabase =
  (signal: "SIGINT" | "SIGQUIT", forMs: number): Fault["run"] =>
  async ({ postgres: { server } }) => {
    await server.stop(signal);
    await pause(forMs);
    await server.start();
  };

async function fillDisk({ smallDisk = "" }: World): Promise<void> {
  const ballast = join(smallDisk, "ballast");
  const { bavail, bsize } = statfsSync(smallDisk);
  writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - FREE_BYTES)));
  await pause(LONG_MS);
  truncateSync(ballast);
  rmSync(ballast);
}

async function jumpClocks({ setClocks }: World): Promise<void> {
  setClocks(CLOCK_AHEAD_MS);
  await pause(MEDIUM_MS);
  setClocks(0);
}

/** Every fault, in order. */
export const FAULTS: readonly Fault[] = [
  { name: "a worker process throws", affects: first, run: endWorker("throw") },
  { name: "a worker process is killed", affects: first, run: endWorker("kill") },
  { name: "a node on PostgreSQL is killed, then started", affects: first, run: restart("SIGKILL") },
  { name: "the embedded node is killed, then started", affects: embedded, run: restart("SIGKILL") },
  { name: "SIGTERM, then a start", affects: firstAndEmbedded, run: restart("SIGTERM") },
  { name: "the log is not read for 20 s", affects: firstAndEmbedded, run: stallLogs },
  { name: "PostgreSQL refuses connections for 5 s", affects: shared, run: stopDatabase("SIGINT", SHORT_MS) },
  { name: "PostgreSQL is killed, then started", affects: shared, run: stopDatabase("SIGQUIT", 0) },
  { name: "PostgreSQL is frozen for 20 s", affects: shared, run: ({ postgres }) => postgres.freeze(LONG_MS) },
  { name: "the disk is full for 20 s", affects: embedded, run: fillDisk, needsSmallDisk: true },
  { name: "VIES and KVK hang for 10 s", affects: all, run: failUpstreams({ kind: "hang" }) },
  { name: "VIES and KVK send HTML for 10 s", affects: all, run: failUpstreams({ kind: "html" }) },
  { name: "VIES and KVK cut connections for 10 s", affects: all, run: failUpstreams({ kind: "reset" }) },
  { name: "VIES and KVK are slow for 10 s", affects: all, run: failUpstreams(SLOW) },
  { name: "the clock jumps two hours ahead and back", affects: none, run: jumpClocks },
  { name: "an import under load", affects: none, run: (world) => world.importChanges() },
  { name: "a rollback under load", affects: none, run: (world) => world.rollBack() },
];
