/** Whether everything is tried, as before a release: `THOROUGH=1 npm test`. */
export const IS_THOROUGH = process.env["THOROUGH"] === "1";

/**
 * How much is tried of what differs by its number or its moment alone. An ordinary run tries so much that what is wrong shows soon, and what
 * is wrong seldom shows to one of many runs.
 */
export function amount({ ordinary, thorough }: { ordinary: number; thorough: number }): number {
  return IS_THOROUGH ? thorough : ordinary;
}
