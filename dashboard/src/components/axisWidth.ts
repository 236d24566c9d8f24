const MIN_PX = 44;
const CHARACTER_PX = 8;
const MARGIN_PX = 16;

/** The width in pixels of a chart's axis, just enough for its largest figure. */
export function axisWidth(largest: string): number {
  return Math.max(MIN_PX, MARGIN_PX + largest.length * CHARACTER_PX);
}
