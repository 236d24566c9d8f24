import { normalCityWord } from "./facets.ts";
import { otherWays } from "./habits.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { type NameQuery, normaliseTyped, queryOf } from "./query.ts";

/** A way to understand what was typed: a query for names, and what is asked beside it. */
export interface Way {
  readonly query: NameQuery | undefined;
  /** A city by its word; see facets.ts. */
  readonly city?: string;
}

/** The name of a city has so many words at most: `Bergen op Zoom`. */
const MOST_CITY_WORDS = 4;

/** With a city as the last words, or the first: `jansen utrecht` is Jansen in Utrecht. */
export function* inCity(indexes: readonly NameIndex[], q: string): Generator<Way> {
  const words = normaliseTyped(q).split(" ");
  for (let count = Math.min(MOST_CITY_WORDS, words.length - 1); count > 0; count--) {
    yield* cityWay(indexes, words.slice(0, -count), words.slice(-count));
    yield* cityWay(indexes, words.slice(count), words.slice(0, count));
  }
}

function* cityWay(
  indexes: readonly NameIndex[],
  name: readonly string[],
  city: readonly string[],
): Generator<Way> {
  const word = normalCityWord(city.join(" "));
  if (word === undefined || !indexes.some((index) => index.cityTerm(word).names > 0)) return;
  const normal = name.join(" ");
  yield { query: queryOf(normal, normal), city: word };
}

/** Written otherwise by a Dutch habit; see habits.ts. */
export function* writtenOtherwise(_indexes: readonly NameIndex[], q: string): Generator<Way> {
  const normal = normaliseTyped(q);
  for (const way of normal === "" ? [] : otherWays(normal)) yield { query: queryOf(way, way) };
}
