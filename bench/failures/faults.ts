/** What goes wrong on purpose, one thing after the other. */
import { rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { KvkSimulator } from "../../src/simulators/kvk/server.ts";
import type { ViesSimulator } from "../../src/simulators/vies/server.ts";
import type { Gate } from "./gate.ts";
import type { SoakNode } from "./node.ts";

/** What faults work on. */
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
  /** It ends a node's process, whose memory is followed from its start on. */
  readonly endsProcess?: true;
}

/** A fault as it happened. */
export interface Happened {
  readonly fault: Fault;
  readonly nodes: readonly SoakNode[];
  readonly beganMs: number;
  /** Undefined while it lasts. */
  endedMs: number | undefined;
  /** What callers of these nodes, or of all where it strikes none, got from its begin to that of the next fault. */
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
const FROZEN_MS = 20_000;
const CLOCK_AHEAD_MS = 2 * 3_600_000;
const STATE_AWAY = /the state cannot be used|a call failed|something for the account page failed|PostgreSQL/;
const NOTHING = /(?!)/;
/** Left over where a disk is filled: less than a commit needs. */
const LEFT_BYTES = 4_096;

const none = (): readonly SoakNode[] => [];

/** Every kind, in the order in which they come; a round of them takes as many minutes. */
export const FAULTS: readonly Fault[] = [
  {
    name: "a worker process throws",
    strikes: ({ shared }) => shared.slice(0, 1),
    explains: /worker|told to fail|nobody caught/,
    async run({ shared }) {
      shared[0]?.killWorker("throw");
      await pause(SHORT_MS);
    },
  },
  {
    name: "a worker process ends",
    strikes: ({ shared }) => shared.slice(0, 1),
    explains: /worker/,
    async run({ shared }) {
      shared[0]?.killWorker("exit");
      await pause(SHORT_MS);
    },
  },
  {
    name: "a node on PostgreSQL is killed",
    endsProcess: true,
    strikes: ({ shared }) => shared.slice(0, 1),
    explains: NOTHING,
    async run({ shared }) {
      await shared[0]?.kill();
      await shared[0]?.start();
    },
  },
  {
    name: "the node on the embedded state is killed",
    endsProcess: true,
    strikes: ({ embedded }) => [embedded],
    explains: NOTHING,
    async run({ embedded }) {
      await embedded.kill();
      await embedded.start();
    },
  },
  {
    name: "SIGTERM, and a start",
    endsProcess: true,
    strikes: ({ shared, embedded }) => [...shared.slice(0, 1), embedded],
    explains: NOTHING,
    async run({ shared: [node], embedded }) {
      for (const one of [node, embedded]) {
        await one?.stop();
        await one?.start();
      }
    },
  },
  {
    name: "nobody reads the log for 20 s",
    strikes: ({ shared, embedded }) => [...shared.slice(0, 1), embedded],
    explains: NOTHING,
    async run({ shared: [node], embedded }) {
      for (const one of [node, embedded]) one?.stallLog(true);
      await pause(FROZEN_MS);
      for (const one of [node, embedded]) one?.stallLog(false);
    },
  },
  {
    name: "the database refuses",
    strikes: ({ shared }) => shared,
    explains: STATE_AWAY,
    async run({ gate }) {
      gate.shut();
      await pause(SHORT_MS);
      gate.open();
    },
  },
  {
    name: "the database is silent",
    strikes: ({ shared }) => shared,
    explains: STATE_AWAY,
    async run({ gate }) {
      gate.fallSilent();
      await pause(2 * SHORT_MS);
      gate.open();
    },
  },
  {
    name: "the database is killed",
    strikes: ({ shared }) => shared,
    explains: STATE_AWAY,
    run: ({ database }) => database.killAndStart(),
  },
  {
    name: "the database is frozen for 20 s",
    strikes: ({ shared }) => shared,
    explains: STATE_AWAY,
    run: ({ database }) => database.freeze(FROZEN_MS),
  },
  {
    name: "the disk is full",
    strikes: ({ embedded }) => [embedded],
    explains:
      /the state cannot be used|a call failed|something for the account page failed|disk|ENOSPC|registry/,
    async run({ smallDisk }) {
      if (smallDisk === undefined) return;
      const ballast = join(smallDisk, "ballast");
      const { bavail, bsize } = statfsSync(smallDisk);
      writeFileSync(ballast, new Uint8Array(Math.max(0, bavail * bsize - LEFT_BYTES)));
      await pause(SHORT_MS);
      truncateSync(ballast);
      rmSync(ballast);
    },
  },
  ...(["hang", "html", "reset"] as const).map(
    (kind): Fault => ({
      name: `VIES and KVK: ${kind}`,
      strikes: ({ shared, embedded }) => [...shared, embedded],
      explains: NOTHING,
      async run({ vies, kvk }) {
        vies.setFault("*", { kind });
        kvk.setFault("*", { kind });
        await pause(2 * SHORT_MS);
        vies.clearFaults();
        kvk.clearFaults();
      },
    }),
  ),
  {
    name: "VIES and KVK are slow",
    strikes: ({ shared, embedded }) => [...shared, embedded],
    explains: NOTHING,
    async run({ vies, kvk }) {
      vies.setFault("*", { kind: "latency", ms: 1_500 });
      kvk.setFault("*", { kind: "latency", ms: 1_500 });
      await pause(2 * SHORT_MS);
      vies.clearFaults();
      kvk.clearFaults();
    },
  },
  {
    name: "the clock jumps two hours ahead and back",
    strikes: none,
    explains: NOTHING,
    async run({ shared, embedded }) {
      const all = [...shared, embedded];
      for (const node of all) node.setClock(CLOCK_AHEAD_MS);
      await pause(2 * SHORT_MS);
      for (const node of all) node.setClock(0);
    },
  },
  {
    name: "a changed registry is imported under way",
    strikes: none,
    explains: NOTHING,
    run: (stage) => stage.importChanges(),
  },
  {
    name: "the registry is rolled back",
    strikes: none,
    explains: NOTHING,
    run: (stage) => stage.rollBack(),
  },
];
