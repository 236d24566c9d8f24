import { setTimeout as wait } from "node:timers/promises";
import { RegistryBusy } from "../errors.ts";
import type { FetchOptions, InstalledSnapshot } from "./fetchPublished.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";

/** The pause after a failure. Doubles with each failure, up to the poll interval. */
const FIRST_RETRY_MS = 5_000;
/** Jitter of the wait, so that nodes started together do not poll together. */
const JITTER = 0.1;

export interface FollowOptions extends FetchOptions {
  readonly pollMs: number;
  /** A published snapshot was installed. */
  readonly onTaken: (taken: InstalledSnapshot, serial: number) => void;
  /** The age of the signature at which the publication counts as stale; never by default. */
  readonly warnAfterMs?: number;
  /** Called once when the signature has become too old. */
  readonly onStale?: (signedAt: string) => void;
  /** The manifest was signed again after {@link onStale}. */
  readonly onSignOfLife?: (signedAt: string) => void;
  /** Called when a round fails, unless the previous one had the same cause: the last call has the present one. */
  readonly onProblem: (error: unknown) => void;
  /** Called when a round succeeds after failures. */
  readonly onRecovered: () => void;
  /** Returns a number in [0, 1). */
  readonly random?: () => number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

export interface Follower {
  /** Whether the last round failed: the served data may be out of date. */
  readonly isFailing: boolean;
  /** Whether the last signature is too old: publishing may have stopped. */
  readonly isStale: boolean;
  /** Aborts the current round; resolves when it has stopped. */
  stop(): Promise<void>;
}

/** Polls a published registry and installs new publications. Never throws; reports failures. */
export function followPublished(options: FollowOptions): Follower {
  const { pollMs, onTaken, onProblem, onRecovered, random = Math.random, now = Date.now } = options;
  const { warnAfterMs = Number.POSITIVE_INFINITY, onStale = () => {}, onSignOfLife = () => {} } = options;
  const firstRetryMs = Math.min(pollMs, FIRST_RETRY_MS);
  const published = new PublishedRegistry(options, firstRetryMs);
  const stopping = new AbortController();
  const { signal } = stopping;
  let reported: string | undefined;
  let failures = 0;
  let isReportedStale = false;

  const isStale = () =>
    published.signedAt !== undefined && now() - Date.parse(published.signedAt) > warnAfterMs;

  function reportAge(): void {
    if (published.signedAt === undefined || isStale() === isReportedStale) return;
    isReportedStale = !isReportedStale;
    (isReportedStale ? onStale : onSignOfLife)(published.signedAt);
  }

  async function round(): Promise<void> {
    try {
      const done = await published.round(signal);
      if (done.did === "took") onTaken(done, done.manifest.serial);
      if (failures > 0) onRecovered();
      failures = 0;
      reported = undefined;
    } catch (error) {
      if (signal.aborted || error instanceof RegistryBusy) return;
      failures += 1;
      const cause = String(error);
      if (cause !== reported) onProblem(error);
      reported = cause;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await round();
      reportAge();
      const restMs = failures === 0 ? pollMs : Math.min(pollMs, firstRetryMs * 2 ** (failures - 1));
      const jitteredMs = restMs * (1 - JITTER + 2 * JITTER * random());
      await wait(jitteredMs, undefined, { signal, ref: false }).catch(() => {});
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
