import { markNames } from "../../search/index/hiddenNames.ts";
import { NameIndex } from "../../search/index/nameIndex.ts";
import { type ReplacedNumbers, replacedNumbers } from "./replaced.ts";

/** What the layers of one snapshot say of one another. */
export interface LayerMarks {
  readonly replaced: ReplacedNumbers;
  /** For each layer a bit for each name that a newer layer replaces; undefined where it replaces none. */
  readonly hidden: readonly (Uint32Array | undefined)[];
}

/** The marks of some layers. @param indexes the index of names of each, the base first */
export function marksOf(indexes: readonly SharedArrayBuffer[]): LayerMarks {
  const opened = indexes.map((buffer) => new NameIndex(buffer));
  const numbers = opened.map((index, place) => (place === 0 ? NONE : numbersOf(index)));
  return {
    replaced: replacedNumbers(numbers.slice(1)),
    hidden: opened.map((index, place) => {
      const newer = numbers.slice(place + 1);
      return newer.length === 0 ? undefined : markNames(index, each(newer));
    }),
  };
}

const NONE = new Uint32Array(0);

function numbersOf({ numbers, records }: NameIndex): Uint32Array {
  const found = new Uint32Array(numbers.companies);
  for (let place = 0; place < found.length; place++) found[place] = records.kvk(numbers.rankAt(place));
  return found;
}

function* each(lists: readonly Uint32Array[]): Generator<number> {
  for (const list of lists) yield* list;
}
