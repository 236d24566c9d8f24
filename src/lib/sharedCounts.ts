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
 * Only who enters a subject takes the lock of its set, for about a microsecond; a thread that ended or stands still within that time holds the
 * others up for a few milliseconds, once. Then the lock is another's, and what the first one still does under it comes to nothing (fencing): the
 * state of a lock numbers its holders, and an entry is filled by way of a claim with that number, which the next holder takes away.
 */
export class SharedCounts {
  readonly #secret: string;
  readonly #sets: number;
  /** Of each entry: check, window, count. 0: it is free. */
  readonly #counts: BigUint64Array;
  readonly #tags: Int32Array;
  /** The same memory, an entry at a time. */
  readonly #wholeTags: BigUint64Array;
  /** Of each set, counted up when it is taken and when it is given back: an odd number is its holder's. */
  readonly #locks: Int32Array;

  constructor({ memory, secret }: CountsMemory) {
    this.#secret = secret;
    this.#sets = memory.byteLength / (WAYS * BYTES_PER_ENTRY + Int32Array.BYTES_PER_ELEMENT);
    const entries = this.#sets * WAYS;
    this.#counts = new BigUint64Array(memory, 0, entries);
    this.#tags = new Int32Array(memory, this.#counts.byteLength, entries * TAG_WORDS);
    this.#wholeTags = new BigUint64Array(memory, this.#counts.byteLength, entries);
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

  #find(place: Place): number | undefined {
    const { set, low, high } = place;
    for (let entry = set * WAYS; entry < (set + 1) * WAYS; entry++) {
      if (Atomics.load(this.#tags, entry * TAG_WORDS) !== low) continue;
      if (Atomics.load(this.#tags, entry * TAG_WORDS + 1) !== high) continue;
      if (isOf(Atomics.load(this.#counts, entry), place)) return entry;
    }
    return undefined;
  }

  /** Enters a subject with its first count. @returns false when somebody was before it, or took its place */
  #enter(place: Place, windowNow: () => number): boolean {
    const { set, low, high } = place;
    const held = this.#lock(set);
    try {
      this.#voidClaims(set);
      if (this.#find(place) !== undefined) return false;
      const { entry, word } = this.#leastOf(set, windowNow);
      const claim = claimOf(held);
      // Whoever counts it up just now finds it gone.
      if (Atomics.compareExchange(this.#counts, entry, word, claim) !== word) return false;
      const oldTag = Atomics.load(this.#wholeTags, entry);
      // From here on the next holder of the lock sees the claim: one that was there before has not looked for it.
      if (Atomics.load(this.#locks, set) !== held) {
        Atomics.compareExchange(this.#counts, entry, claim, 0n);
        return false;
      }
      const [tag = 0n] = new BigUint64Array(Int32Array.of(low, high).buffer);
      if (Atomics.compareExchange(this.#wholeTags, entry, oldTag, tag) !== oldTag) return false;
      const counted = wordOf(place, windowOf(windowNow()), 1n);
      return Atomics.compareExchange(this.#counts, entry, claim, counted) === claim;
    } finally {
      Atomics.compareExchange(this.#locks, set, held, (held + 1) | 0);
      Atomics.notify(this.#locks, set);
    }
  }

  /** Takes away the claims of holders of the lock before this one, so that none of them can enter anything any more. */
  #voidClaims(set: number): void {
    for (let entry = set * WAYS; entry < (set + 1) * WAYS; entry++) {
      const word = Atomics.load(this.#counts, entry);
      if (word !== 0n && !isCount(word)) Atomics.compareExchange(this.#counts, entry, word, 0n);
    }
  }

  /** The entry of a set that gives way to another. The clock is asked after all were read, as for {@link add}. */
  #leastOf(set: number, windowNow: () => number): { readonly entry: number; readonly word: bigint } {
    const words = Array.from({ length: WAYS }, (_, way) => Atomics.load(this.#counts, set * WAYS + way));
    const window = windowOf(windowNow());
    let least = { entry: set * WAYS, word: 0n, weight: MOST_COUNT + 1n };
    for (const [way, word] of words.entries()) {
      const weight = word !== 0n && windowIn(word) === window ? word & MOST_COUNT : 0n;
      if (weight < least.weight) least = { entry: set * WAYS + way, word, weight };
    }
    return least;
  }

  /**
   * Takes the lock of a set, at the latest when a thread that is alive would long have given it back.
   * @returns what its state is while it is held
   */
  #lock(set: number): number {
    let [waitedFor, waits] = [0, 0];
    for (let tries = 0; ; tries++) {
      const state = Atomics.load(this.#locks, set);
      const isHeld = (state & 1) === 1;
      if (isHeld && tries < TRIES_BEFORE_WAITING) continue;
      if (isHeld && state !== waitedFor) [waitedFor, waits] = [state, 0];
      if (isHeld && waits < WAITS) {
        Atomics.wait(this.#locks, set, state, WAIT_MS);
        waits += 1;
        continue;
      }
      const held = (state + (isHeld ? 2 : 1)) | 0;
      if (Atomics.compareExchange(this.#locks, set, state, held) === state) return held;
    }
  }
}

function wordOf({ check }: Place, window: bigint, count: bigint): bigint {
  return (check << CHECK_SHIFT) | (window << COUNT_BITS) | count;
}

/** What stands in an entry while the holder of a lock fills it: its number and, other than in any count that is held, no count. */
function claimOf(held: number): bigint {
  return BigInt(held >>> 0) << COUNT_BITS;
}

function isCount(word: bigint): boolean {
  return (word & MOST_COUNT) !== 0n;
}

function isOf(word: bigint, { check }: Place): boolean {
  return isCount(word) && word >> CHECK_SHIFT === check;
}

function windowOf(window: number): bigint {
  return BigInt(window) % WINDOWS;
}

function windowIn(word: bigint): bigint {
  return (word >> COUNT_BITS) % WINDOWS;
}
