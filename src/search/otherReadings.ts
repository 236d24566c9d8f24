import { cityWord } from "./facets.ts";
import { otherWays } from "./habits.ts";
import type { Term } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { normalise } from "./normalise.ts";
import { type NameQuery, queryOf } from "./query.ts";

/** A way to understand what was typed: a query for names, and what is asked beside it. */
export interface Way {
  readonly query: NameQuery | undefined;
  readonly facets: readonly Term[];
}

/** The name of a city has so many words at most: `Bergen op Zoom`. */
const MOST_CITY_WORDS = 4;

/** With a city as the last words, or the first: `jansen utrecht` is Jansen in Utrecht. */
export function* inCity(index: NameIndex, q: string): Generator<Way> {
  const words = normalise(q).split(" ");
  for (let count = Math.min(MOST_CITY_WORDS, words.length - 1); count > 0; count--) {
    yield* cityWay(index, words.slice(0, -count), words.slice(-count));
    yield* cityWay(index, words.slice(count), words.slice(0, count));
  }
}

function* cityWay(index: NameIndex, name: readonly string[], city: readonly string[]): Generator<Way> {
  const word = cityWord(city.join(" "));
  const term = word === undefined ? undefined : index.cityTerm(word);
  if (term === undefined || term.names === 0) return;
  const normal = name.join(" ");
  yield { query: queryOf(normal, normal), facets: [term] };
}

/** Written otherwise by a Dutch habit; see habits.ts. */
export function* writtenOtherwise(_index: NameIndex, q: string): Generator<Way> {
  const normal = normalise(q);
  for (const way of normal === "" ? [] : otherWays(normal)) yield { query: queryOf(way, way), facets: [] };
}
