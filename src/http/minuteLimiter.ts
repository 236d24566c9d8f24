import { LeastRecentlyUsed } from "../lib/leastRecentlyUsed.ts";

const WINDOW_MS = 60_000;
const MOST_SUBJECTS = 20_000;

interface Window {
  calls: number;
  readonly endsAtMs: number;
}

/**
 * Limits calls per subject and clock minute, in this process. The table is bounded: when it is full the subject that
 * was not seen for longest is forgotten, so that a flood of them cannot fill the memory.
 */
export class MinuteLimiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #windows = new LeastRecentlyUsed<Window>(MOST_SUBJECTS);

  constructor(perMinute: number, now: () => number = Date.now) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Counts a call; the seconds to wait when it is one too many.
   * @param subject such as a client's address, as {@link limiterSubject} gives it, or a session
   */
  refuse(subject: string): number | undefined {
    const nowMs = this.#now();
    let window = this.#windows.get(subject);
    // A window that ends later than any could was begun before the clock was set back.
    if (window === undefined || window.endsAtMs <= nowMs || window.endsAtMs > nowMs + WINDOW_MS) {
      window = { calls: 0, endsAtMs: (Math.floor(nowMs / WINDOW_MS) + 1) * WINDOW_MS };
      this.#windows.set(subject, window);
    }
    if (window.calls >= this.#perMinute) return Math.ceil((window.endsAtMs - nowMs) / 1_000);
    window.calls += 1;
    return undefined;
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
