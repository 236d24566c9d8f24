import { boundedCache } from "./boundedCache.ts";

const WINDOW_MS = 60_000;
/** About 150 bytes each. */
const MAX_SUBJECTS = 20_000;

/**
 * Limits calls per subject and minute in this process. Memory is bounded: if too many subjects call within a minute,
 * the least recent ones are forgotten. Subjects at their limit are stored separately, so that a flood of others cannot
 * reset their counts.
 */
export class MinuteLimiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  #minute = Number.NaN;
  readonly #counts = boundedCache<string, number>(MAX_SUBJECTS);
  readonly #exhausted = boundedCache<string, true>(MAX_SUBJECTS);

  constructor(perMinute: number, now: () => number = Date.now) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /**
   * Counts a call. @returns seconds to wait when it exceeds the limit
   * @param subject such as a session, or a client's address from {@link limiterSubject}
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

/** The subject of clients that disconnected before their address could be read. */
const UNKNOWN_CLIENT = "gone";

/**
 * Returns the subject of a client. An IPv6 address counts as its /64, because one customer has a whole /64.
 * @param address undefined for a connection that was reset
 */
export function limiterSubject(address: string | undefined): string {
  if (address === undefined) return UNKNOWN_CLIENT;
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
