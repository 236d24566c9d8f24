const MIN_PX = 44;
const CHARACTER_PX = 8;
const MARGIN_PX = 16;

/** Returns the width of a chart's axis in pixels, just enough for its largest figure. */
export function axisWidth(largest: string): number {
  return Math.max(MIN_PX, MARGIN_PX + largest.length * CHARACTER_PX);
}
