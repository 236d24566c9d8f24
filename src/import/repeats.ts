import type { SourcedFacts } from "../company/facts.ts";
import type { Rejection } from "../company/rejection.ts";
import { quoted } from "../contract/quoting.ts";
import { formatFacts } from "./jsonl.ts";

/** For further companies the line of an earlier record is not known. */
const MAX_LINES = 500_000;
/** Larger than any number of a line. */
const LINES_PER_FILE = 2 ** 40;
const MAX_REPEATED = 10_000;
const REASON = "repeated with another name: the newer record counts, or the later one of the same date";

interface Place {
  readonly file: string;
  readonly line: number;
}

/** A record that does not count, as a later one gives its company another name. */
interface Lost extends Place {
  readonly rejection: Rejection;
  /** As a line of the format jsonl. */
  readonly record: string;
}

/** Finds the records of an import that are repeated with another name. */
export class Repeats {
  readonly #files: string[] = [];
  /** The line of the counting record by KVK number, plus LINES_PER_FILE times the number of its file. */
  readonly #lines = new Map<number, number>();
  /** The winning record of each company with several. */
  readonly #winners = new Map<string, SourcedFacts>();
  #last: { readonly sourced: SourcedFacts; readonly place: Place } | undefined;
  #earlier: SourcedFacts | undefined;

  /** Takes a record before it is written. */
  begin(sourced: SourcedFacts, place: Place): void {
    this.#last = { sourced, place };
    this.#earlier = undefined;
  }

  /** @param earlier the first facts of the same origin about the company of the last record */
  repeatLast(earlier: SourcedFacts): void {
    this.#earlier = earlier;
  }

  /** Takes the last record after it is written; returns the one that no longer counts because of another name. */
  end(): Lost | undefined {
    if (this.#last === undefined) return undefined;
    const { sourced: later, place } = this.#last;
    const { kvkNumber } = later.facts;
    const earlierPlace = this.#placeOf(Number(kvkNumber));
    const earlier = this.#earlier && (this.#winners.get(kvkNumber) ?? this.#earlier);
    const isLaterLost = earlier !== undefined && later.asOf < earlier.asOf;
    if (!isLaterLost) {
      this.#setPlace(Number(kvkNumber), place);
      if (earlier !== undefined && this.#winners.size < MAX_REPEATED) this.#winners.set(kvkNumber, later);
    }
    if (earlier === undefined || plainName(earlier) === plainName(later)) return undefined;
    // The number of a fund may be that of its manager.
    if (earlier.isFund === true || later.isFund === true) return undefined;
    const [lost, winner] = isLaterLost ? [later, earlier] : [earlier, later];
    const [lostPlace = place, winnerPlace] = isLaterLost ? [place, earlierPlace] : [earlierPlace, place];
    const where = winnerPlace === undefined ? "" : ` in ${winnerPlace.file}:${winnerPlace.line}`;
    const detail = `${kvkNumber} is ${quoted(lost.facts.name)}, and ${quoted(winner.facts.name)}${where}`;
    return { ...lostPlace, rejection: { reason: REASON, detail }, record: formatFacts(lost) };
  }

  #placeOf(kvk: number): Place | undefined {
    const position = this.#lines.get(kvk);
    if (position === undefined) return undefined;
    return {
      file: this.#files[Math.floor(position / LINES_PER_FILE)] ?? "",
      line: position % LINES_PER_FILE,
    };
  }

  #setPlace(kvk: number, { file, line }: Place): void {
    if (this.#files.at(-1) !== file) this.#files.push(file);
    if (this.#lines.size < MAX_LINES || this.#lines.has(kvk)) {
      this.#lines.set(kvk, (this.#files.length - 1) * LINES_PER_FILE + line);
    }
  }
}

function plainName({ facts }: SourcedFacts): string {
  return facts.name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
