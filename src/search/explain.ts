import { scoreOf } from "./index/rankClasses.ts";
import type { Rewrite } from "./queryRewrites.ts";
import type { FoundHit, Match } from "./ranking.ts";

/** The reason that each kind of match gives, from the best to the least. */
const SAYS: Readonly<Record<Match, string>> = {
  number: "its KVK number begins with the digits",
  exact: "its name is the query, legal form aside",
  begins: "its name begins with the query",
  "in-order": "its name has the words in order, the last one begun",
  words: "its name has the words, the last one begun, in another order",
  "starts-in-order": "its first words begin as those of the query do, in order",
  starts: "words of its name begin as those of the query do",
  criteria: "it satisfies what was asked beside the name",
  "one-edit": "no name fits as typed, and its name is one slip away",
  "two-edits": "no name fits as typed or with one slip, and its name is two slips away",
};

/** The reasons for the position of a company, the most important first. */
export function reasonsFor({ index, rank, match, name }: FoundHit, rewrite: Rewrite | undefined): string[] {
  const { records } = index;
  const isOwn = records.isOwn(rank);
  const query = name ?? rewrite?.name;
  const city = rewrite?.place?.cities === undefined ? undefined : records.cities.text(rank);
  const postalCode = rewrite?.place?.postalCode === undefined ? undefined : records.postalCodes.text(rank);
  return [
    SAYS[match],
    ...(query === undefined ? [] : [`the query was read as ${JSON.stringify(query.normal)}`]),
    ...(city === undefined ? [] : [`it is in ${city}, which the other words name`]),
    ...(postalCode === undefined ? [] : [`its postal code is ${postalCode}, which was typed with it`]),
    records.isActive(rank) ? "it is active" : "it has ended, and comes behind those that are active",
    ...(isOwn ? [] : [`it was found by its trading name ${JSON.stringify(records.text(rank))}`]),
    `its score is ${scoreOf(records.classes.classOf(rank))}: the letters of the name without legal form, less up to 8 for its size`,
    `its KVK number is ${String(records.kvk(rank)).padStart(8, "0")}: of names that are alike in all of this the lower one is first`,
  ];
}
