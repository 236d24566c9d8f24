import type { SectionList, Sections } from "./sections.ts";

const MAX_SCORE = 1_000;
/** Scores below 0 are those of short names of large companies. */
const MIN_SCORE = -8;

/**
 * What the rank of a name is made of, beside the KVK number: whether its company is active, its score, and whether it is the
 * company's own name. Comparable between indexes: of two names the one of the lower class, then of the lower KVK number,
 * comes first.
 */
export function rankClass(isActive: boolean, score: number, isOwn: boolean): number {
  const bounded = Math.max(0, Math.min(MAX_SCORE, score - MIN_SCORE));
  return ((isActive ? 0 : MAX_SCORE + 1) + bounded) * 2 + (isOwn ? 0 : 1);
}

export const RANK_CLASSES = (MAX_SCORE + 1) * 4;

/** @param counts how many names each class has */
export function rankClassesSections(counts: Uint32Array): SectionList {
  const starts = new Uint32Array(RANK_CLASSES + 1);
  for (let each = 0; each < RANK_CLASSES; each++) {
    starts[each + 1] = (starts[each] ?? 0) + (counts[each] ?? 0);
  }
  return [["classes.starts", starts]];
}

/** The classes of names by their ranks. */
export class RankClasses {
  readonly #starts: Uint32Array;

  constructor(sections: Sections) {
    this.#starts = sections.u32("classes.starts");
  }

  get names(): number {
    return this.#starts[RANK_CLASSES] ?? 0;
  }

  /** How many names are of active companies: those with the lowest ranks. */
  get activeNames(): number {
    return this.#starts[RANK_CLASSES / 2] ?? 0;
  }

  /** The class of a name. */
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
