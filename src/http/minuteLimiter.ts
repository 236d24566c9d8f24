import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;
/** At some 150 bytes each. */
const MAX_SUBJECTS = 20_000;

/**
 * Limits calls per subject and clock minute in this process. Memory is bounded: when too many subjects call within a minute, those that called least
 * recently are forgotten. Subjects that have used up their calls are kept apart, so that a flood of others cannot reset their counts.
 */
export class MinuteLimiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  #minute = Number.NaN;
  readonly #counts = new LRUCache<string, number>({ max: MAX_SUBJECTS });
  readonly #exhausted = new LRUCache<string, true>({ max: MAX_SUBJECTS });

  constructor(perMinute: number, now: () => number = Date.now) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Counts a call; returns the seconds to wait when it exceeds the limit.
   * @param subject such as a client's address, as {@link limiterSubject} gives it, or a session
   */
  refuse(subject: string): number | undefined {
    const nowMs = this.#now();
    this.#begin(Math.floor(nowMs / WINDOW_MS));
    if (this.#count(subject)) return undefined;
    return Math.ceil((WINDOW_MS - (nowMs % WINDOW_MS)) / 1_000);
  }

  #begin(minute: number): void {
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#counts.clear();
    this.#exhausted.clear();
  }

  /** @returns whether the call is within the limit */
  #count(subject: string): boolean {
    if (this.#exhausted.get(subject) === true || this.#perMinute === 0) return false;
    const count = (this.#counts.get(subject) ?? 0) + 1;
    if (count < this.#perMinute) this.#counts.set(subject, count);
    else {
      this.#counts.delete(subject);
      this.#exhausted.set(subject, true);
    }
    return true;
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
