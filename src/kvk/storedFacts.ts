import type { SourcedFacts } from "../company/facts.ts";
import type { Snapshot } from "../registry/types.ts";
import { cachedCompany, sourcedFrom } from "./cache/companyCache.ts";
import type { LiveQueries } from "./queries/live.ts";

const READ_AT_ONCE = 200;

/**
 * Companies that a live source returned at a moment (Unix milliseconds) or later, by KVK number, as facts to import.
 */
export async function* storedFacts(
  store: LiveQueries,
  origin: string,
  sinceMs: number,
): AsyncGenerator<SourcedFacts> {
  for (let after = ""; ; ) {
    const page = await store.answeredSince(sinceMs, after, READ_AT_ONCE);
    for (const stored of page) {
      const sourced = sourcedFrom(cachedCompany(stored), origin);
      if (sourced !== undefined) yield sourced;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.kvkNumber;
  }
}

/**
 * Whether importing facts would delete branches of the same origin, because newer facts of an origin replace older ones
 * as a whole.
 */
export function losesBranches(snapshot: Snapshot, { origin, facts }: SourcedFacts): boolean {
  if (facts.branches !== undefined) return false;
  return (snapshot.factsOf(facts.kvkNumber, origin)?.facts.branches?.length ?? 0) > 0;
}
