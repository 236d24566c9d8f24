const MIN_PX = 44;
const CHARACTER_PX = 8;
const MARGIN_PX = 16;

/** Room at a chart's side for figures as long as that of the largest value, in pixels: more than they need is lost to the bars. */
export function axisWidth(largest: string): number {
  return Math.max(MIN_PX, MARGIN_PX + largest.length * CHARACTER_PX);
}
