import { setTimeout as wait } from "node:timers/promises";
import { FetchFailure } from "./failure.ts";
import type { Taken } from "./fetchPublished.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";
import type { FetchOptions } from "./source.ts";

/** After a failure it is tried again so soon, then after twice as long, up to the time between polls. */
const FIRST_RETRY_MS = 5_000;
/** Nodes that were started together shall not all ask together: each wait is up to a tenth longer or shorter. */
const JITTER = 0.1;

export interface FollowOptions extends FetchOptions {
  readonly pollMs: number;
  /** A published snapshot is in place; whoever follows the folder serves it within a moment. */
  readonly onTaken: (taken: Taken, serial: number) => void;
  /** How long ago the manifest may be signed; without it that counts for nothing. */
  readonly warnAfterMs?: number;
  /** The manifest was signed longer ago than that: told once, until it is signed anew. */
  readonly onStale?: (signedAt: string) => void;
  readonly onSignOfLife?: (signedAt: string) => void;
  /** Told of each kind of failure once, until a round succeeds again. */
  readonly onProblem: (error: unknown) => void;
  /** The first round that succeeded after failures. */
  readonly onRecovered: () => void;
  /** At least 0, below 1. */
  readonly random?: () => number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

export interface Follower {
  /** Whether the last round failed: what is served may be out of date. */
  readonly isFailing: boolean;
  /** Whether the manifest was signed too long ago: nobody may be publishing any more. */
  readonly isStale: boolean;
  /** Ends what is under way, at once; resolves when nothing of it is left running. */
  stop(): Promise<void>;
}

/** Looks at a published registry now and then from now on, and takes what is new. Never throws; failures are told. */
export function followPublished(options: FollowOptions): Follower {
  const { pollMs, onTaken, onProblem, onRecovered, random = Math.random, now = Date.now } = options;
  const { warnAfterMs = Number.POSITIVE_INFINITY, onStale = () => {}, onSignOfLife = () => {} } = options;
  const published = new PublishedRegistry(options, pollMs);
  const stopping = new AbortController();
  const { signal } = stopping;
  const told = new Set<string>();
  let failures = 0;
  let isToldStale = false;

  const isStale = () =>
    published.signedAt !== undefined && now() - Date.parse(published.signedAt) > warnAfterMs;

  function tellAge(): void {
    if (published.signedAt === undefined || isStale() === isToldStale) return;
    isToldStale = !isToldStale;
    (isToldStale ? onStale : onSignOfLife)(published.signedAt);
  }

  async function round(): Promise<void> {
    try {
      const done = await published.round(signal);
      if (done.did === "busy") return;
      if (done.did === "took") onTaken(done, done.manifest.serial);
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
      tellAge();
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
    get isStale() {
      return isStale();
    },
    async stop() {
      stopping.abort();
      await running;
      await options.source.close();
    },
  };
}
