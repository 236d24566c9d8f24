/**
 * Shares of a core that are pinned to threads: with 0.15 of a core each, four threads on two cores get on as they would on four cores of
 * that size. Each is held by a cgroup of its own, version 1, which takes single threads (kernel.org, "CFS Bandwidth Control").
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";

const GROUPS = "/sys/fs/cgroup/cpu";
/** A tenth of what the kernel takes by itself, so that a thread that has had its share is not away for longer than callers wait anyway. */
const PERIOD_US = 10_000;
/** The least that the kernel takes. */
const LEAST_QUOTA_US = 1_000;
/** Names of the threads that answer; V8's own are left as they are. */
const ANSWERS = /^requests \d+$/;
/** The thread that owns the state. */
const DECIDES = "state";

/**
 * What a share is of each period, in microseconds.
 * @throws {Error} for a share that the kernel cannot hold
 */
export function quotaUsOf(share: number): number {
  const quotaUs = Math.round(share * PERIOD_US);
  if (quotaUs < LEAST_QUOTA_US || quotaUs > PERIOD_US) {
    throw new Error(`--thread-share must be from ${LEAST_QUOTA_US / PERIOD_US} to 1`);
  }
  return quotaUs;
}

interface Held {
  readonly group: string;
  readonly threadId: string;
}

/** What each thread that answers calls or decides them may have of a core. */
export class ThreadShares {
  readonly #pids: readonly number[];
  readonly #quotaUs: number;
  #held: Held[] = [];

  /** @param share of a core, for each thread */
  constructor(pids: readonly number[], share: number) {
    this.#pids = pids;
    this.#quotaUs = quotaUsOf(share);
  }

  /**
   * From now on no thread has more.
   * @throws {Error} where groups cannot be made
   */
  hold(): void {
    for (const threadId of this.#pids.flatMap(threadsForCalls)) {
      const group = `${GROUPS}/opzoek-bench-${process.pid}-${threadId}`;
      try {
        mkdirSync(group);
      } catch (error) {
        throw new Error(
          `shares of a core need cgroups of version 1 and the right to make them in ${GROUPS}: leave out --thread-share`,
          { cause: error },
        );
      }
      this.#held.push({ group, threadId });
      writeFileSync(`${group}/cpu.cfs_period_us`, String(PERIOD_US));
      writeFileSync(`${group}/cpu.cfs_quota_us`, String(this.#quotaUs));
      writeFileSync(`${group}/tasks`, threadId);
    }
  }

  /** Gives all threads that are still there back what there is. */
  release(): void {
    for (const { group, threadId } of this.#held) {
      if (existsSync(`/proc/${threadId}`)) writeFileSync(`${GROUPS}/tasks`, threadId);
      rmdirSync(group);
    }
    this.#held = [];
  }
}

/** Where no thread is there that answers, the process does it itself, on its first one. */
function threadsForCalls(pid: number): string[] {
  const all = readdirSync(`/proc/${pid}/task`).map((threadId) => ({
    threadId,
    name: readFileSync(`/proc/${pid}/task/${threadId}/comm`, "utf8").trimEnd(),
  }));
  const answering = all.filter(({ name }) => ANSWERS.test(name)).map(({ threadId }) => threadId);
  const deciding = all.filter(({ name }) => name === DECIDES).map(({ threadId }) => threadId);
  return [...(answering.length > 0 ? answering : [String(pid)]), ...deciding];
}
