import { PLACES } from "../metrics.ts";
import type { Entry, Hit } from "./engine.ts";

/** Entries of one company may all be hits, and so many can there be for each place of a dropdown. */
export const ENTRIES_ASKED = 2 * PLACES;

/** The hits of a dropdown: each company once, by the best of its names. */
export function onePerCompany(found: readonly Entry[]): Hit[] {
  const hits = new Map<string, Hit>();
  for (const { kvkNumber, name } of found) {
    if (!hits.has(kvkNumber)) hits.set(kvkNumber, { kvkNumber, names: [name] });
  }
  return [...hits.values()].slice(0, PLACES);
}
