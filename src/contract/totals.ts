/** Larger totals are not counted: callers do not page that far, and counting would delay other calls. */
export const MAX_COUNTED = 10_000;

/** The last row of a search that can be paged to: the maximum of `page` × `pageSize`. */
export const MAX_ROWS = 1_000;

/** The total of a search; `totalIsExact` is false when there are more than were counted. */
export interface Total {
  readonly total: number;
  readonly totalIsExact?: false;
}

/** The total to report for a count. */
export function totalOf(count: number): Total {
  return count > MAX_COUNTED ? { total: MAX_COUNTED, totalIsExact: false } : { total: count };
}

/** The maximum length of a query for names, in characters: the longest registered names have about 600. */
export const MAX_QUERY_LENGTH = 700;
