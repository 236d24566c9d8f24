import { isDeepStrictEqual } from "node:util";
import type { SourcedFacts } from "../../company/facts.ts";
import { isLearned, toldOrigin } from "../../company/learned.ts";
import { cleanFacts } from "../../company/merge.ts";
import { readPointer } from "../directory.ts";
import { importFacts } from "../importFacts.ts";
import { layersOf, type Pointer } from "../info.ts";
import { RegistryBusy } from "../lock.ts";
import { openCurrentSnapshot } from "../openSnapshot.ts";
import type { Snapshot, Written } from "../types.ts";

export interface Learning {
  readonly directory: string;
  /** Of learned origins. */
  readonly facts: readonly SourcedFacts[];
  /** KVK numbers that are not learned. */
  readonly forgotten: ReadonlySet<string>;
  /** What says what is held already is not written again for that alone until it is so much younger, milliseconds. */
  readonly renewAfterMs: number;
}

/** Where a registry is in its life, for whoever notes how far it has learned. */
export interface RegistryMoment {
  /** The highest number of its files. */
  readonly number: number;
  /** Companies of which something was learned. */
  readonly learned: number;
}

export interface Learned {
  /** Companies that are new or say something else. */
  readonly companies: number;
  readonly wrote: Written;
  readonly moment: RegistryMoment;
}

/**
 * Adds to the registry what was learned and is not held yet, as a segment, or as a base where there is nothing yet. The snapshot that one may go back to stays: that is
 * the operator's.
 * @throws {RegistryBusy} while an import is at work
 * @throws {DamagedSnapshot} and what else {@link importFacts} throws
 */
export async function learnFacts({ directory, facts, forgotten, renewAfterMs }: Learning): Promise<Learned> {
  const allowed = facts.filter(({ facts: { kvkNumber } }) => !forgotten.has(kvkNumber));
  const snapshot = openStill(directory);
  let news: readonly SourcedFacts[];
  try {
    news = newsOf(allowed, snapshot, renewAfterMs);
  } finally {
    snapshot?.close();
  }
  if (news.length === 0) return { companies: 0, wrote: "nothing", moment: momentOf(readPointer(directory)) };
  const { counts, wrote } = await importFacts(directory, news, { replace: false, keepsPrevious: true });
  return { companies: counts.new + counts.changed, wrote, moment: momentOf(readPointer(directory)) };
}

/** The current snapshot, without its index of names. @throws {RegistryBusy} when another one takes its place just now, and it cannot be opened any more */
function openStill(directory: string): (Snapshot & { close(): void }) | undefined {
  const before = readPointer(directory)?.current.sha256;
  try {
    return openCurrentSnapshot(directory);
  } catch (error) {
    if (readPointer(directory)?.current.sha256 === before) throw error;
    throw new RegistryBusy(directory);
  }
}

export function momentOf(pointer: Pointer | undefined): RegistryMoment {
  if (pointer === undefined) return { number: 0, learned: 0 };
  const learned = pointer.current.origins.filter(({ origin }) => isLearned(origin));
  return {
    number: Math.max(...layersOf(pointer.current).map(({ number }) => number)),
    learned: learned.reduce((sum, { companies }) => sum + companies, 0),
  };
}

/** What of it a snapshot does not hold yet: of each company the facts that say most, the newest of them. */
function newsOf(
  facts: readonly SourcedFacts[],
  snapshot: Snapshot | undefined,
  renewAfterMs: number,
): readonly SourcedFacts[] {
  const best = new Map<string, SourcedFacts>();
  for (const one of facts) {
    const held = best.get(one.facts.kvkNumber);
    if (held === undefined || !isCovered(one, held, 0)) best.set(one.facts.kvkNumber, one);
  }
  return [...best.values()].filter((one) => {
    const held = snapshot?.factsOfEach(one.facts.kvkNumber) ?? [];
    // A row of a search counts only where nothing else is said.
    if (one.isPartial === true && held.some(({ isPartial }) => isPartial !== true)) return false;
    const same = held.filter(({ origin }) => toldOrigin(origin) === toldOrigin(one.origin));
    return !same.some((known) => isCovered(one, known, renewAfterMs));
  });
}

/** Whether facts of the same registry add nothing to others that are known: they are older, less, or the same and hardly younger. */
function isCovered(one: SourcedFacts, known: SourcedFacts, renewAfterMs: number): boolean {
  const weakness = Number(one.isPartial === true) - Number(known.isPartial === true);
  if (weakness !== 0) return weakness > 0;
  const youngerMs = Date.parse(one.asOf) - Date.parse(known.asOf);
  if (youngerMs < 0) return true;
  return youngerMs <= renewAfterMs && isDeepStrictEqual(cleanFacts(one.facts), known.facts);
}
