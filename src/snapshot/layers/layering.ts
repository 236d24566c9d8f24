/** When layers are merged. */
export interface Layering {
  /** Segments that hold this share of the companies of their base are merged with it into a new one. */
  readonly mostShare: number;
  readonly mostSegments: number;
  /** So many segments of one tier are merged into one of the next. */
  readonly segmentsOfTier: number;
  /** Companies of the largest segment of the lowest tier; of each higher tier as many times more as it has segments. */
  readonly lowestTier: number;
}

/** Each segment costs each query some microseconds; a company is written again four or five times before it is in a base. */
export const LAYERING: Layering = { mostShare: 0.1, mostSegments: 8, segmentsOfTier: 4, lowestTier: 1_000 };

/**
 * How many of the newest segments are to be merged into one, by size tiers as in a log-structured merge-tree (O'Neil, Cheng, Gawlick and O'Neil,
 * "The log-structured merge-tree", 1996; tiers as in Apache Cassandra's size-tiered compaction). 1: none.
 * @param sizes companies of each segment, the oldest first
 */
export function newestToMerge(sizes: readonly number[], layering: Layering): number {
  const { mostSegments, segmentsOfTier } = layering;
  const tierOf = (size: number) =>
    Math.max(0, Math.ceil(Math.log(size / layering.lowestTier) / Math.log(segmentsOfTier)));
  let count = 1;
  let merged = sizes.at(-1) ?? 0;
  for (;;) {
    let alike = 0;
    let sum = merged;
    for (let at = sizes.length - count - 1; at >= 0; at--) {
      const size = sizes[at] ?? 0;
      if (tierOf(size) > tierOf(merged)) break;
      alike++;
      sum += size;
    }
    if (alike + 1 < segmentsOfTier) break;
    count += alike;
    merged = sum;
  }
  return Math.max(count, sizes.length - mostSegments + 1);
}
