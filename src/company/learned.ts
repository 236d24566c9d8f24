/**
 * What a service learns of a live registry while it runs has an origin of its own in the snapshot, beside what the operator imported of the same
 * registry: it is kept for some time only, and goes without taking anything along.
 */

const LEARNED = "learned:";

/** The origin of what is learned of a live registry, such as `learned:kvk-api`. @param origin that of the registry, such as `kvk-api` */
export function learnedOrigin(origin: string): string {
  return LEARNED + origin;
}

export function isLearned(origin: string): boolean {
  return origin.startsWith(LEARNED);
}

/** The origin as a caller is told it: who said it, however it got here. */
export function toldOrigin(origin: string): string {
  return isLearned(origin) ? origin.slice(LEARNED.length) : origin;
}
