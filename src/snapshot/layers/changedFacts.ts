import type { SourcedFacts } from "../../company/facts.ts";
import { cleanFacts } from "../../company/merge.ts";
import { type KvkNumber, kvkNumberOf } from "../../contract/numbers.ts";
import { type CompanyRow, encodeFacts, FLAGS, sourcedFactsOf } from "../codec.ts";
import { kvkNumbersOf, PackedRows } from "../incoming/packedFacts.ts";
import type { Interner } from "../interning.ts";
import type { SnapshotFile } from "../snapshotFile.ts";
import type { FactsSource, IncomingFacts } from "../types.ts";

/** One bit for each number of eight digits. */
const KVK_BITMAP_BYTES = 100_000_000 / 8;

/** Facts of one company that came, packed or not. */
interface Arrived {
  readonly kvkNumber: KvkNumber;
  readonly row: () => CompanyRow;
  readonly sourced: () => SourcedFacts;
}

/** Facts on their way into a snapshot: what it holds already, to the letter and the date, is passed over and counted. */
export class ChangedFacts {
  readonly #snapshot: SnapshotFile;
  readonly #interner: Interner;
  readonly #omit: ReadonlySet<string>;
  readonly #facts: AsyncIterator<IncomingFacts> | Iterator<IncomingFacts>;
  readonly #passed = new Uint8Array(KVK_BITMAP_BYTES);
  /** The companies of facts that were given on. */
  readonly #given = new Set<string>();
  #next: Arrived | undefined;
  /** What else came together with it. */
  #rest: Iterable<Arrived> = [];
  /** How many facts came, those that are omitted aside. */
  received = 0;
  /** Companies of which nothing came but what is held. */
  unchanged = 0;
  /** Facts of a company whose held facts had come before. */
  repeated = 0;
  /** Whether {@link first} gave all that there was. */
  isAll = false;

  constructor(
    facts: FactsSource,
    options: { snapshot: SnapshotFile; interner: Interner; omit: ReadonlySet<string> },
  ) {
    this.#facts = Symbol.asyncIterator in facts ? facts[Symbol.asyncIterator]() : facts[Symbol.iterator]();
    this.#snapshot = options.snapshot;
    this.#interner = options.interner;
    this.#omit = options.omit;
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
        const came = this.#cameWith(value);
        // Not by `for of`, which would end what has to go on.
        for (let one = came.next().value; one !== undefined; one = came.next().value) {
          if (!this.#isNews(one)) continue;
          if (given++ === most) {
            this.#next = one;
            this.#rest = came;
            break;
          }
          this.#given.add(one.kvkNumber);
          yield one.sourced();
        }
      }
      isEnded = true;
    } finally {
      if (!isEnded) await this.#facts.return?.();
    }
  }

  /** The facts behind those that were given, whatever they say. */
  async *rest(): AsyncGenerator<IncomingFacts> {
    try {
      if (this.#next !== undefined) yield this.#next.sourced();
      for (const one of this.#rest) {
        this.#countAgain(one.kvkNumber);
        yield one.sourced();
      }
      for (;;) {
        const { done, value } = await this.#facts.next();
        if (done === true) return;
        const kvkNumbers = "rows" in value ? kvkNumbersOf(value) : [value.facts.kvkNumber];
        for (const kvkNumber of kvkNumbers) if (!this.#omit.has(kvkNumber)) this.#countAgain(kvkNumber);
        yield value;
      }
    } finally {
      await this.#facts.return?.();
    }
  }

  /** Those that are omitted aside. */
  *#cameWith(value: IncomingFacts): Generator<Arrived, undefined> {
    if ("rows" in value) {
      const rows = new PackedRows(value, this.#interner);
      for (let kvk = rows.nextKvk; kvk !== undefined; kvk = rows.nextKvk) {
        const kvkNumber = kvkNumberOf(kvk);
        if (this.#omit.has(kvkNumber)) rows.skip();
        else {
          const row = rows.next();
          yield { kvkNumber, row: () => row, sourced: () => sourcedFactsOf(row, this.#interner) };
        }
      }
      return;
    }
    const { kvkNumber } = value.facts;
    if (this.#omit.has(kvkNumber)) return;
    const row = () => encodeFacts(cleanFacts(value.facts), value, this.#interner);
    yield { kvkNumber, row, sourced: () => value };
  }

  /** Whether facts say something else than what is held; counts them. */
  #isNews(one: Arrived): boolean {
    this.received++;
    if (!this.#given.has(one.kvkNumber) && this.#isHeld(one)) {
      this.#passOver(one.kvkNumber);
      return false;
    }
    this.#countAgain(one.kvkNumber);
    return true;
  }

  #isHeld(one: Arrived): boolean {
    const held = this.#snapshot.rows(Number(one.kvkNumber));
    if (held === undefined) return false;
    const row = one.row();
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
