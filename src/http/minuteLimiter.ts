import { type CountsMemory, newCountsMemory, SharedCounts } from "../lib/sharedCounts.ts";

const WINDOW_MS = 60_000;
const MOST_SUBJECTS = 20_000;

/** Memory that the limiters of one kind on several threads share; each kind has its own. */
export function newLimiterMemory(mostSubjects: number = MOST_SUBJECTS): CountsMemory {
  return newCountsMemory(mostSubjects);
}

/**
 * Limits calls per subject and clock minute, exactly and for all threads whose limiters share memory. That is bounded: of more
 * subjects than it holds in a minute those with the fewest calls are forgotten, so that a flood of them can neither fill the memory nor
 * take from anybody's count.
 */
export class MinuteLimiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #counts: SharedCounts;

  /** @param memory shared with other threads; its own when left out */
  constructor(perMinute: number, now: () => number = Date.now, memory: CountsMemory = newLimiterMemory()) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#counts = new SharedCounts(memory);
  }

  /**
   * Counts a call; the seconds to wait when it is one too many.
   * @param subject such as a client's address, as {@link limiterSubject} gives it, or a session
   */
  refuse(subject: string): number | undefined {
    let nowMs = 0;
    const minuteNow = () => {
      nowMs = this.#now();
      return Math.floor(nowMs / WINDOW_MS);
    };
    if (this.#counts.add(subject, this.#perMinute, minuteNow)) return undefined;
    return Math.ceil((WINDOW_MS - (nowMs % WINDOW_MS)) / 1_000);
  }
}

/** What clients are counted as that were gone before their address could be read. */
const GONE = "gone";

/**
 * What a client is counted as. An IPv6 address stands for its /64: that is what one customer is given, and can vary at
 * will.
 * @param address undefined for a connection that was reset before it was looked at
 */
export function limiterSubject(address: string | undefined): string {
  if (address === undefined) return GONE;
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((part) => part.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
