import type { SourcedFacts } from "../../company/facts.ts";
import { cleanFacts } from "../../company/merge.ts";
import { encodeFacts, FLAGS } from "../codec.ts";
import type { Interner } from "../interning.ts";
import type { SnapshotFile } from "../snapshotFile.ts";
import type { FactsSource } from "../types.ts";

/** One bit for each number of eight digits. */
const KVK_BITMAP_BYTES = 100_000_000 / 8;

/** Facts on their way into a snapshot: what it holds already, to the letter and the date, is passed over and counted. */
export class ChangedFacts {
  readonly #snapshot: SnapshotFile;
  readonly #interner: Interner;
  readonly #facts: AsyncIterator<SourcedFacts> | Iterator<SourcedFacts>;
  readonly #passed = new Uint8Array(KVK_BITMAP_BYTES);
  /** The companies of facts that were given on. */
  readonly #given = new Set<string>();
  #next: SourcedFacts | undefined;
  /** How many facts came. */
  received = 0;
  /** Companies of which nothing came but what is held. */
  unchanged = 0;
  /** Facts of a company whose held facts had come before. */
  repeated = 0;
  /** Whether {@link first} gave all that there was. */
  isAll = false;

  constructor(facts: FactsSource, options: { snapshot: SnapshotFile; interner: Interner }) {
    this.#facts = Symbol.asyncIterator in facts ? facts[Symbol.asyncIterator]() : facts[Symbol.iterator]();
    this.#snapshot = options.snapshot;
    this.#interner = options.interner;
  }

  /** So many facts that say something else than what is held. */
  async *first(most: number): AsyncGenerator<SourcedFacts> {
    let isEnded = false;
    let given = 0;
    try {
      while (this.#next === undefined) {
        const { done, value } = await this.#facts.next();
        if (done === true) {
          this.isAll = true;
          break;
        }
        if (!this.#isNews(value)) continue;
        if (given++ === most) {
          this.#next = value;
          break;
        }
        this.#given.add(value.facts.kvkNumber);
        yield value;
      }
      isEnded = true;
    } finally {
      if (!isEnded) await this.#facts.return?.();
    }
  }

  /** The facts behind those that were given, whatever they say. */
  async *rest(): AsyncGenerator<SourcedFacts> {
    try {
      if (this.#next !== undefined) yield this.#next;
      for (;;) {
        const { done, value } = await this.#facts.next();
        if (done === true) return;
        this.#countAgain(value.facts.kvkNumber);
        yield value;
      }
    } finally {
      await this.#facts.return?.();
    }
  }

  /** Whether facts say something else than what is held; counts them. */
  #isNews(one: SourcedFacts): boolean {
    const { kvkNumber } = one.facts;
    this.received++;
    if (!this.#given.has(kvkNumber) && this.#isHeld(one)) {
      this.#passOver(kvkNumber);
      return false;
    }
    this.#countAgain(kvkNumber);
    return true;
  }

  #isHeld(one: SourcedFacts): boolean {
    const held = this.#snapshot.rows(Number(one.facts.kvkNumber));
    if (held === undefined) return false;
    const row = encodeFacts(cleanFacts(one.facts), one, this.#interner);
    const own = (held.company[2] & FLAGS.merged) === 0 ? [held.company] : held.byOrigin;
    return own.some((other) => other.every((cell, column) => cell === row[column]));
  }

  #passOver(kvkNumber: string): void {
    const [byte, bit] = placeOf(kvkNumber);
    const held = this.#passed[byte] ?? 0;
    if (held & bit) this.repeated++;
    else this.unchanged++;
    this.#passed[byte] = held | bit;
  }

  /** A company whose held facts came, and now others: it is counted by those. */
  #countAgain(kvkNumber: string): void {
    const [byte, bit] = placeOf(kvkNumber);
    const held = this.#passed[byte] ?? 0;
    if ((held & bit) === 0) return;
    this.#passed[byte] = held & ~bit;
    this.unchanged--;
    this.repeated++;
  }
}

function placeOf(kvkNumber: string): readonly [byte: number, bit: number] {
  const number = Number(kvkNumber);
  return [number >>> 3, 1 << (number & 7)];
}
