/** A line fitted to points by least squares. */
export interface Fitted {
  readonly slope: number;
  readonly mean: number;
  /** The standard error of the slope; infinite for fewer than three points. */
  readonly slopeError: number;
}

export type Point = readonly [x: number, y: number];

/** @param points of `x` and `y`; the slope is in units of `y` for one of `x`, 0 for fewer than two points */
export function fitted(points: readonly Point[]): Fitted {
  const count = Math.max(1, points.length);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const common = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0);
  const slope = spread === 0 ? 0 : common / spread;
  const left = points.reduce((sum, [x, y]) => sum + (y - mean - slope * (x - meanX)) ** 2, 0);
  const slopeError =
    count < 3 || spread === 0 ? Number.POSITIVE_INFINITY : Math.sqrt(left / (count - 2) / spread);
  return { slope, mean, slopeError };
}

/** The lowest point of each stretch of `width`, the first stretch beginning at the first point. @param points by rising `x` */
export function lowestOfEach(points: readonly Point[], width: number): Point[] {
  const [first] = points;
  if (first === undefined) return [];
  const lowest: Point[] = [];
  for (const point of points) {
    const nth = Math.floor((point[0] - first[0]) / width);
    const before = lowest[nth];
    if (before === undefined || point[1] < before[1]) lowest[nth] = point;
  }
  // A stretch may have no point.
  return Object.values(lowest);
}

const STANDARD_ERRORS = 3;

/** Whether a line rises by more than `atMost` for one of `x`, and by more than chance would explain. */
export function rises({ slope, slopeError }: Fitted, atMost: number): boolean {
  return slope > atMost && slope > STANDARD_ERRORS * slopeError;
}
