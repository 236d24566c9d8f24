/** A plan's name as a title: those of an operator's own table are shown as they are written there, with a capital. */
export function planName(tier: string): string {
  return tier.slice(0, 1).toUpperCase() + tier.slice(1);
}
