import { type KvkNumber, kvkNumberOf } from "../../contract/numbers.ts";
import type { Activity } from "../../contract/resources.ts";
import type { NameBatch } from "../../search/index/nameBatch.ts";
import { type CompanyRow, joinRest, type PackedActivity, packActivity } from "../codec.ts";
import type { Interner } from "../interning.ts";

/** Facts of many companies on their way from a thread that read them, as far as rows as nothing but the snapshot's own numbers lacks. */
export interface PackedFacts {
  readonly rows: number;
  /** Origins and activities that the rows name by their places here, in the order in which they came. */
  readonly origins: readonly string[];
  readonly kinds: readonly Omit<Activity, "isMain">[];
  /** The dates of the data, in Unix milliseconds. */
  readonly asOf: Float64Array<ArrayBuffer>;
  /** The texts of all columns of all rows, one behind the other. */
  readonly texts: string;
  /**
   * Of each row: KVK number, flags, origin, how many branches, the length of each text from 1 (0 where there is none), how many activities from 1, and
   * these, twice the place of each, and one more for a main one.
   */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** The names of the companies, where an index is to be made of them: row by row. */
  readonly names?: NameBatch;
}

/** The numbers of a row before the lengths of its texts. */
const NUMBERS_BEFORE = 4;
/** The columns of a row that are texts, in the order in which they stand in it. */
const TEXTS_OF_ROW = 10;

/** The KVK number of each row. */
export function* kvkNumbersOf({ rows, numbers }: PackedFacts): Generator<KvkNumber> {
  for (let [row, at] = [0, 0]; row < rows; row++) {
    yield kvkNumberOf(numbers[at] ?? 0);
    at += NUMBERS_BEFORE + TEXTS_OF_ROW;
    at += Math.max(1, numbers[at] ?? 0);
  }
}

/** Rows out of packed facts, one after the other. */
export class PackedRows {
  readonly #packed: PackedFacts;
  readonly #interner: Interner;
  readonly #origins: number[] = [];
  readonly #kinds: (number | undefined)[] = [];
  readonly #texts: (string | null)[] = Array.from({ length: TEXTS_OF_ROW }, () => null);
  #nth = 0;
  #at = 0;
  #textAt = 0;
  /** How many branches the row has that was given last. */
  branches = 0;

  /** @param interner that of the snapshot in which the rows will be: what it does not know it is told as rows come to it */
  constructor(packed: PackedFacts, interner: Interner) {
    this.#packed = packed;
    this.#interner = interner;
  }

  /** The KVK number of the next row; undefined behind the last. */
  get nextKvk(): number | undefined {
    return this.#nth < this.#packed.rows ? this.#packed.numbers[this.#at] : undefined;
  }

  /** The place of the next row. */
  get place(): number {
    return this.#nth;
  }

  /** The next row. */
  next(): CompanyRow {
    const { numbers, asOf } = this.#packed;
    const kvk = numbers[this.#at] ?? 0;
    const flags = numbers[this.#at + 1] ?? 0;
    const origin = this.#originOf(numbers[this.#at + 2] ?? 0);
    this.branches = numbers[this.#at + 3] ?? 0;
    this.#at += NUMBERS_BEFORE;
    this.#readTexts();
    const [name, street, house, postal, city, country, registered, form, rest, branches] = this.#texts;
    const activities = this.#readActivities();
    const instant = asOf[this.#nth++] ?? 0;
    return [
      kvk,
      name ?? "",
      flags,
      street ?? null,
      house ?? null,
      postal ?? null,
      city ?? null,
      country ?? null,
      registered ?? null,
      form ?? null,
      origin,
      instant,
      joinRest(rest ?? "{}", activities),
      branches ?? null,
    ];
  }

  /** Passes over the next row: the interner learns nothing of it. */
  skip(): void {
    const { numbers } = this.#packed;
    this.#at += NUMBERS_BEFORE;
    for (let nth = 0; nth < TEXTS_OF_ROW; nth++) {
      this.#textAt += Math.max(0, (numbers[this.#at++] ?? 0) - 1);
    }
    this.#at += Math.max(1, numbers[this.#at] ?? 0);
    this.#nth++;
  }

  #readTexts(): void {
    const { numbers, texts } = this.#packed;
    for (let nth = 0; nth < TEXTS_OF_ROW; nth++) {
      const length = numbers[this.#at++] ?? 0;
      if (length === 0) this.#texts[nth] = null;
      else {
        const end = this.#textAt + length - 1;
        this.#texts[nth] = texts.slice(this.#textAt, end);
        this.#textAt = end;
      }
    }
  }

  #readActivities(): PackedActivity[] | undefined {
    const { numbers } = this.#packed;
    const count = numbers[this.#at++] ?? 0;
    if (count === 0) return undefined;
    const activities: PackedActivity[] = [];
    for (let nth = 1; nth < count; nth++) activities.push(this.#activityOf(numbers[this.#at++] ?? 0));
    return activities;
  }

  #originOf(place: number): number {
    const known = this.#origins[place];
    if (known !== undefined) return known;
    const number = this.#interner.origin(this.#packed.origins[place] ?? "");
    this.#origins[place] = number;
    return number;
  }

  #activityOf(packed: number): PackedActivity {
    const place = packed >>> 1;
    const isMain = (packed & 1) === 1;
    const number = this.#kinds[place];
    if (number !== undefined) return number * 2 + (packed & 1);
    const kind = this.#packed.kinds[place];
    if (kind === undefined) throw new RangeError("packed facts name an activity that they do not hold");
    this.#kinds[place] = this.#interner.kind(kind);
    return packActivity(kind, isMain, this.#kinds[place]);
  }
}
