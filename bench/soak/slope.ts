/** A line fitted to points by least squares. */
export interface Fitted {
  readonly slope: number;
  readonly mean: number;
}

/** @param points of `x` and `y`; the slope is in units of `y` for one of `x`, 0 for fewer than two points */
export function fitted(points: readonly (readonly [x: number, y: number])[]): Fitted {
  const count = Math.max(1, points.length);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const common = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0);
  return { slope: spread === 0 ? 0 : common / spread, mean };
}
