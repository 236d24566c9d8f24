/** A larger total is not counted to its end: nobody pages that far, and counting it would hold everybody else up. */
export const MOST_COUNTED = 10_000;

/** A search is paged to this row: `page` × `pageSize` is at most as much. */
export const MOST_ROWS = 1_000;

/** How many there are in all; `totalIsExact` is false where there are more than were counted. */
export interface Total {
  readonly total: number;
  readonly totalIsExact?: false;
}

/** What is told of a count. */
export function totalOf(count: number): Total {
  return count > MOST_COUNTED ? { total: MOST_COUNTED, totalIsExact: false } : { total: count };
}

/** The most characters of a query for names: the longest registered names have some 600. */
export const MAX_QUERY_LENGTH = 700;
