import type { Snapshot } from "../registry/types.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import { Matcher } from "./matcher.ts";

/** One for each set of indexes, because a matcher remembers the words of their names. */
const matchers = new WeakMap<readonly NameIndex[], Matcher>();

/** Returns the matcher of a snapshot whose names can be searched. A match takes at most 20 ms. */
export function matcherOf(snapshot: Pick<Snapshot, "indexes" | "facts">): Matcher {
  const { indexes } = snapshot;
  const present = matchers.get(indexes);
  if (present !== undefined) return present;
  const matcher = new Matcher(indexes, (kvkNumber) => snapshot.facts(kvkNumber)?.facts);
  matchers.set(indexes, matcher);
  return matcher;
}
