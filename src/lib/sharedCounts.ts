import { hash, randomBytes } from "node:crypto";

/** Counts in memory that threads share: what each of them is given, as it can be sent in a message. */
export interface CountsMemory {
  readonly memory: SharedArrayBuffer;
  /** Keys the hash of subjects, so that nobody can choose subjects that share a place. */
  readonly secret: string;
}

/** Entries of a set, among which a subject can stand; at full use a set is full with a chance of 1 in 100,000. */
const WAYS = 16;
const SUBJECTS_PER_SET = 5;
/** Of an entry: 64 bits of its subject's hash in two words, and one more word of 64 bits for its window and count. */
const TAG_WORDS = 2;

const COUNT_BITS = 30n;
const WINDOW_BITS = 18n;
const MOST_COUNT = (1n << COUNT_BITS) - 1n;
/** So many windows: of minutes half a year. */
const WINDOWS = 1n << WINDOW_BITS;
const CHECK_SHIFT = COUNT_BITS + WINDOW_BITS;

const TRIES_BEFORE_WAITING = 100;
const WAITS = 5;
const WAIT_MS = 1;

/** Memory for the counts of so many subjects, and a few more; the system gives what is used of it. */
export function newCountsMemory(mostSubjects: number): CountsMemory {
  const sets = 2 ** Math.ceil(Math.log2(Math.max(1, mostSubjects / SUBJECTS_PER_SET)));
  const bytes = sets * WAYS * BYTES_PER_ENTRY + sets * Int32Array.BYTES_PER_ELEMENT;
  return { memory: new SharedArrayBuffer(bytes), secret: randomBytes(16).toString("hex") };
}

const BYTES_PER_ENTRY = BigUint64Array.BYTES_PER_ELEMENT + TAG_WORDS * Int32Array.BYTES_PER_ELEMENT;

/** Where a subject belongs. */
interface Place {
  readonly set: number;
  readonly low: number;
  readonly high: number;
  /** Of the hash too: it tells that the words of an entry belong together. */
  readonly check: bigint;
}

/**
 * Counts of subjects in windows of time, exact over any number of threads: a set-associative table of which each entry is counted up by
 * compare-and-swap. It holds no subject, only a keyed hash of 64 bits. Where a set is full, the entry of an earlier window gives way, else the one
 * that was counted least: a flood of subjects makes the table forget others of the flood, and nobody who is near a limit.
 *
 * Only who enters a subject takes the lock of its set, for about a microsecond; a thread that ended within that time holds the others up for a
 * few milliseconds, once. Should one that merely stood still go on after that, one subject may be entered twice and be given twice its count in one window.
 */
export class SharedCounts {
  readonly #secret: string;
  readonly #sets: number;
  /** Of each entry: check, window, count. 0: it is free. */
  readonly #counts: BigUint64Array;
  readonly #tags: Int32Array;
  readonly #locks: Int32Array;

  constructor({ memory, secret }: CountsMemory) {
    this.#secret = secret;
    this.#sets = memory.byteLength / (WAYS * BYTES_PER_ENTRY + Int32Array.BYTES_PER_ELEMENT);
    const entries = this.#sets * WAYS;
    this.#counts = new BigUint64Array(memory, 0, entries);
    this.#tags = new Int32Array(memory, this.#counts.byteLength, entries * TAG_WORDS);
    this.#locks = new Int32Array(memory, this.#counts.byteLength + this.#tags.byteLength, this.#sets);
  }

  /**
   * Counts once more, unless the subject was counted `most` times in this window.
   * @param most below 2³⁰
   * @param windowNow the number of the present window, from the clock; asked after the table was read, so that a count of a window that has just begun
   * is not taken for one of a clock that was set back
   * @returns whether it was counted
   */
  add(subject: string, most: number, windowNow: () => number): boolean {
    const place = this.#placeOf(subject);
    const limit = BigInt(Math.min(most, Number(MOST_COUNT)));
    for (;;) {
      const entry = this.#find(place);
      if (entry === undefined) {
        if (limit === 0n) return false;
        if (this.#enter(place, windowNow)) return true;
        continue;
      }
      const word = Atomics.load(this.#counts, entry);
      const window = windowOf(windowNow());
      if (!isOf(word, place)) continue;
      const count = windowIn(word) === window ? word & MOST_COUNT : 0n;
      if (count >= limit) return false;
      const counted = wordOf(place, window, count + 1n);
      if (Atomics.compareExchange(this.#counts, entry, word, counted) === word) return true;
    }
  }

  #placeOf(subject: string): Place {
    const digest = hash("sha256", this.#secret + subject, "buffer");
    const low = digest.readInt32LE(0);
    const high = digest.readInt32LE(4);
    return { set: digest.readUInt32LE(8) & (this.#sets - 1), low, high, check: BigInt(low & 0xffff) };
  }

  #find({ set, low, high, check }: Place): number | undefined {
    for (let entry = set * WAYS; entry < (set + 1) * WAYS; entry++) {
      if (Atomics.load(this.#tags, entry * TAG_WORDS) !== low) continue;
      if (Atomics.load(this.#tags, entry * TAG_WORDS + 1) !== high) continue;
      const word = Atomics.load(this.#counts, entry);
      if (word !== 0n && word >> CHECK_SHIFT === check) return entry;
    }
    return undefined;
  }

  /** Enters a subject with its first count. @returns false when somebody was before it */
  #enter(place: Place, windowNow: () => number): boolean {
    this.#lock(place.set);
    try {
      if (this.#find(place) !== undefined) return false;
      const { entry, word } = this.#leastOf(place.set, windowOf(windowNow()));
      // Whoever counts it up just now finds it gone.
      if (Atomics.compareExchange(this.#counts, entry, word, 0n) !== word) return false;
      Atomics.store(this.#tags, entry * TAG_WORDS, place.low);
      Atomics.store(this.#tags, entry * TAG_WORDS + 1, place.high);
      Atomics.store(this.#counts, entry, wordOf(place, windowOf(windowNow()), 1n));
      return true;
    } finally {
      Atomics.store(this.#locks, place.set, 0);
      Atomics.notify(this.#locks, place.set);
    }
  }

  /** The entry of a set that gives way to another. */
  #leastOf(set: number, window: bigint): { readonly entry: number; readonly word: bigint } {
    let least = { entry: set * WAYS, word: 0n, weight: MOST_COUNT + 1n };
    for (let entry = set * WAYS; entry < (set + 1) * WAYS; entry++) {
      const word = Atomics.load(this.#counts, entry);
      const weight = word !== 0n && windowIn(word) === window ? word & MOST_COUNT : 0n;
      if (weight < least.weight) least = { entry, word, weight };
    }
    return least;
  }

  /** Takes the lock of a set, at the latest when a thread that is alive would long have given it back. */
  #lock(set: number): void {
    for (let tries = 0; tries < TRIES_BEFORE_WAITING; tries++) {
      if (Atomics.compareExchange(this.#locks, set, 0, 1) === 0) return;
    }
    for (let waits = 0; waits < WAITS; waits++) {
      Atomics.wait(this.#locks, set, 1, WAIT_MS);
      if (Atomics.compareExchange(this.#locks, set, 0, 1) === 0) return;
    }
  }
}

function wordOf({ check }: Place, window: bigint, count: bigint): bigint {
  return (check << CHECK_SHIFT) | (window << COUNT_BITS) | count;
}

function isOf(word: bigint, { check }: Place): boolean {
  return word !== 0n && word >> CHECK_SHIFT === check;
}

function windowOf(window: number): bigint {
  return BigInt(window) % WINDOWS;
}

function windowIn(word: bigint): bigint {
  return (word >> COUNT_BITS) % WINDOWS;
}
