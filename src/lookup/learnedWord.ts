import type { SourcedFacts } from "../company/facts.ts";
import { isLearned } from "../company/learned.ts";
import { type MergedCompany, mergeFacts } from "../company/merge.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Snapshot } from "../snapshot/types.ts";

/** What a snapshot says of a company beside what was learned of the live source; undefined when that is nothing. */
export interface OwnWord {
  readonly merged: MergedCompany | undefined;
}

/**
 * Where something was learned of a company: what the snapshot says without it. What was learned is there to be found by name; where the live source can be asked, a lookup goes by
 * its own word, fresh and whole, as it would if nothing had been learned. Undefined where nothing was learned: then all that the snapshot says counts.
 */
export function ownWord(snapshot: Snapshot, kvkNumber: KvkNumber): OwnWord | undefined {
  if (!snapshot.hasLearned) return undefined;
  const each = snapshot.factsOfEach(kvkNumber);
  const own = each.filter(({ origin }) => !isLearned(origin));
  if (own.length === each.length) return undefined;
  return { merged: own.length === 0 ? undefined : mergeFacts(own) };
}

/** The same as the facts of one origin, to be merged with others. */
export function asSourced({ merged }: OwnWord): SourcedFacts | undefined {
  return merged && { origin: merged.source.kvk, asOf: merged.source.cachedAt, facts: merged.facts };
}
