/** Suggestions in this process, without HTTP and without cached answers. */
import { openCurrentSnapshot } from "../src/snapshot/openSnapshot.ts";
import { registryDirectory } from "../src/snapshot/places.ts";
import { type QueryClass, queryClasses } from "./queries.ts";
import { askEach, findIn } from "./relevance/ours.ts";
import type { World } from "./world.ts";

const EACH = 1_000;
const [SEED, WARM_UP_SEED] = [1, 2];

export interface SuggestionTimes {
  readonly name: string;
  readonly queries: number;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly maxUs: number;
}

/** Times each query once, after others that warm up the compiler. */
export function measureSuggestions({ environment, sample }: World): SuggestionTimes[] {
  const snapshot = openCurrentSnapshot(registryDirectory(environment["DATA_DIR"] ?? ""));
  if (snapshot === undefined) throw new Error("the run has no registry");
  const names = sample.map(({ name }) => name);
  const textsOf = ({ queries }: QueryClass) => queries.map(({ q }) => q);
  try {
    const find = findIn(snapshot);
    const warmUp = queryClasses(names, { each: EACH, seed: WARM_UP_SEED }).slice(0, -1).flatMap(textsOf);
    askEach(find, warmUp, new Map());
    const asked = new Set(warmUp);
    return queryClasses(names, { each: EACH, seed: SEED }).map((one) => {
      const queries = [...new Set(textsOf(one))].filter((q) => !asked.has(q));
      for (const q of queries) asked.add(q);
      const times = askEach(find, queries, new Map())
        .map(({ us }) => us)
        .sort((a, b) => a - b);
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
      return { name: one.name, queries: times.length, medianUs: at(0.5), p99Us: at(0.99), maxUs: at(1) };
    });
  } finally {
    snapshot.close();
  }
}
