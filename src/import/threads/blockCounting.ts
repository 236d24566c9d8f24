import { kvkNumbersOf, type PackedFacts } from "../../snapshot/incoming/packedFacts.ts";
import { FORGOTTEN, LATER_THAN_TODAY, type Today } from "../admission.ts";
import type { Rejects } from "../rejects.ts";
import type { Tally } from "../report.ts";
import type { BlockRead } from "./readBlock.ts";

/** What is counted of all records. */
interface Counts {
  read: number;
  used: number;
  readonly skipped: Tally;
  readonly leftOut: Tally;
}

interface Counting {
  /** What the file is called. */
  readonly file: string;
  readonly counts: Counts;
  readonly omit: ReadonlySet<string> | undefined;
  readonly today: Today;
  readonly rejects: Rejects | undefined;
}

const NONE: ReadonlySet<number> = new Set();

/** Counts what became of the blocks of one file, in their order, as is done with records that are read one by one. */
export class BlockCounting {
  readonly #counting: Counting;
  /** How many lines there were before the next block. */
  #lines = 0;

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  /** Dates of the data that are later than today become today, in the block itself. */
  async take(block: BlockRead): Promise<void> {
    const { counts, file, rejects } = this.#counting;
    const { facts, skipped, lineFeeds } = block;
    counts.read += facts.rows + skipped.length;
    for (const { line, rejection, record } of skipped) {
      counts.skipped.add(file, this.#lines + line, rejection);
      await rejects?.add(file, this.#lines + line, rejection, record);
    }
    this.#takeUsed(block);
    this.#lines += lineFeeds;
  }

  #takeUsed({ facts, lines, leftOut }: BlockRead): void {
    const { counts, file, omit, today } = this.#counting;
    const { rows, asOf } = facts;
    const notes = new Map(leftOut.map(({ row, rejections }) => [row, rejections]));
    const forgotten = omit === undefined || omit.size === 0 ? NONE : placesOf(facts, omit);
    for (let row = 0; row < rows; row++) {
      const line = this.#lines + (lines[row] ?? 0);
      if (forgotten.has(row)) {
        counts.skipped.add(file, line, FORGOTTEN);
        continue;
      }
      counts.used += 1;
      for (const rejection of notes.get(row) ?? []) counts.leftOut.add(file, line, rejection);
      const instant = asOf[row] ?? 0;
      if (instant < today.endsMs) continue;
      // A clock that was wrong where the data was written must not make it the freshest for ever.
      counts.leftOut.add(file, line, { reason: LATER_THAN_TODAY, detail: new Date(instant).toISOString() });
      asOf[row] = today.beginsMs;
    }
  }
}

/** The rows of some companies. */
function placesOf(facts: PackedFacts, kvkNumbers: ReadonlySet<string>): ReadonlySet<number> {
  const places = new Set<number>();
  let row = 0;
  for (const kvkNumber of kvkNumbersOf(facts)) {
    if (kvkNumbers.has(kvkNumber)) places.add(row);
    row++;
  }
  return places;
}
