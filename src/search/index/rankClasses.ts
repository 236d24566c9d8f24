import type { SectionList, Sections } from "./sections.ts";

const MAX_SCORE = 1_000;
/** Short names of large companies have negative scores. */
const MIN_SCORE = -8;

/**
 * Computes the sort key of a name: whether its company is active, its score, and whether it is the company's main name.
 * Names are ranked by class, then by KVK number. Classes can be compared between indexes.
 */
export function rankClass(isActive: boolean, score: number, isMain: boolean): number {
  const bounded = Math.max(0, Math.min(MAX_SCORE, score - MIN_SCORE));
  return ((isActive ? 0 : MAX_SCORE + 1) + bounded) * 2 + (isMain ? 0 : 1);
}

export const RANK_CLASSES = (MAX_SCORE + 1) * 4;

/** @param counts the number of names in each class */
export function rankClassesSections(counts: Uint32Array): SectionList {
  const starts = new Uint32Array(RANK_CLASSES + 1);
  for (let each = 0; each < RANK_CLASSES; each++) {
    starts[each + 1] = (starts[each] ?? 0) + (counts[each] ?? 0);
  }
  return [["classes.starts", starts]];
}

export class RankClasses {
  readonly #starts: Uint32Array;

  constructor(sections: Sections) {
    this.#starts = sections.u32("classes.starts");
  }

  get names(): number {
    return this.#starts[RANK_CLASSES] ?? 0;
  }

  /** The number of names of active companies, which have the lowest ranks. */
  get activeNames(): number {
    return this.#starts[RANK_CLASSES / 2] ?? 0;
  }

  classOf(rank: number): number {
    let [low, high] = [0, RANK_CLASSES];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= rank) low = middle;
      else high = middle;
    }
    return low;
  }
}
