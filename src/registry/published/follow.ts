import { setTimeout as wait } from "node:timers/promises";
import type { SnapshotInfo } from "../snapshot/info.ts";
import { FetchFailure } from "./failure.ts";
import type { FetchOptions } from "./fetchPublished.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";

/** After a failure it is tried again so soon, then after twice as long, up to the time between polls. */
const FIRST_RETRY_MS = 5_000;
/** Nodes that were started together shall not all ask together: each wait is up to a tenth longer or shorter. */
const JITTER = 0.1;

export interface FollowOptions extends FetchOptions {
  readonly pollMs: number;
  /** A published snapshot is in place; whoever follows the folder serves it within a moment. */
  readonly onTaken: (snapshot: SnapshotInfo, serial: number) => void;
  /** Told of each kind of failure once, until a round succeeds again. */
  readonly onProblem: (error: unknown) => void;
  /** The first round that succeeded after failures. */
  readonly onRecovered: () => void;
  /** At least 0, below 1. */
  readonly random?: () => number;
}

export interface Follower {
  /** Whether the last round failed: what is served may be out of date. */
  readonly isFailing: boolean;
  /** Ends what is under way, at once; resolves when nothing of it is left running. */
  stop(): Promise<void>;
}

/** Looks at a published registry now and then from now on, and takes what is new. Never throws; failures are told. */
export function followPublished(options: FollowOptions): Follower {
  const { pollMs, onTaken, onProblem, onRecovered, random = Math.random } = options;
  const published = new PublishedRegistry(options, pollMs);
  const stopping = new AbortController();
  const { signal } = stopping;
  const told = new Set<string>();
  let failures = 0;

  async function round(): Promise<void> {
    try {
      const done = await published.round(signal);
      if (done.did === "busy") return;
      if (done.did === "took") onTaken(done.snapshot, done.manifest.serial);
      if (failures > 0) onRecovered();
      failures = 0;
      told.clear();
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const kind = error instanceof FetchFailure ? error.kind : String(error);
      if (!told.has(kind)) onProblem(error);
      told.add(kind);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await round();
      const restMs = failures === 0 ? pollMs : Math.min(pollMs, FIRST_RETRY_MS * 2 ** (failures - 1));
      const jittered = restMs * (1 - JITTER + 2 * JITTER * random());
      await wait(jittered, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return {
    get isFailing() {
      return failures > 0;
    },
    async stop() {
      stopping.abort();
      await running;
      await options.source.close();
    },
  };
}
