import { LRUCache } from "lru-cache";
import { kvkNumberOf } from "../contract/numbers.ts";
import type { AutocompleteItem, SearchItem } from "../contract/resources.ts";
import { type Total, totalOf } from "../contract/totals.ts";
import { inOneGo, type Steps } from "../lib/steps.ts";
import { known } from "../lib/values.ts";
import { countCompanies, totalFound } from "./counting.ts";
import type { SearchCriteria } from "./criteria.ts";
import { hasWords } from "./exactNames.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { type IndexQuery, indexQueries, type Query } from "./indexQuery.ts";
import { mergeHits } from "./mergeHits.ts";
import { type IntendedNames, misspelled } from "./misspelling.ts";
import { cleanQuery, type NameQuery, queryToCorrect } from "./query.ts";
import {
  asName,
  asNumber,
  inPlace,
  type Rewrite,
  type Rewriter,
  withFewerWords,
  withPartialPlace,
} from "./queryRewrites.ts";
import { type FoundHit, isMisspelled, ranked } from "./ranking.ts";
import { restated, vocabularyOf } from "./restated.ts";

/** The number of cached totals, so that the next page of a search does not count again. */
const MAX_COUNTS = 500;
/** The number of cached suggestions, ten megabytes at most: the same first letters are typed often, and a snapshot does not change. */
const MAX_ANSWERS = 10_000;
/** Longer texts are rarely typed twice. */
const MAX_CACHED_LENGTH = 32;

/** One page of a search and how many companies there are in all. */
export interface FoundPage extends Total {
  readonly results: SearchItem[];
}

interface Corrected extends IntendedNames {
  readonly name: NameQuery | undefined;
}

const ANY_NAME: Rewrite = { name: undefined };
/** Each is tried when those before it found nothing. */
const OTHER_REWRITERS: readonly Rewriter[] = [asNumber, inPlace, withPartialPlace, withFewerWords];
/** Wordings of a misspelled query that are corrected. */
const MAX_CORRECTED = 3;

/** Finds companies by the indexes of their names: that of a base, and those of the segments above it. */
export class Finder {
  readonly #indexes: readonly NameIndex[];
  readonly #counts = new LRUCache<string, Total>({ max: MAX_COUNTS });
  readonly #answers = new LRUCache<string, readonly AutocompleteItem[]>({ max: MAX_ANSWERS });

  /** @param indexes the base first; no company is shown by two of them */
  constructor(indexes: readonly NameIndex[]) {
    this.#indexes = indexes;
  }

  /** The best companies for a partly typed name; empty when none has all of the words. */
  autocomplete(q: string, limit: number): AutocompleteItem[] {
    return inOneGo(this.completing(q, limit));
  }

  /** The same in steps: one for what was typed, a second where several words must be corrected, which takes longest. */
  *completing(q: string, limit: number): Steps<AutocompleteItem[]> {
    if (q.length > MAX_CACHED_LENGTH) return yield* this.#completed(q, limit);
    const key = `${limit} ${q}`;
    const kept = this.#answers.get(key);
    if (kept !== undefined) return [...kept];
    const items = yield* this.#completed(q, limit);
    this.#answers.set(key, items);
    return [...items];
  }

  /** The same, without the cache. */
  complete(q: string, limit: number): AutocompleteItem[] {
    return inOneGo(this.#completed(q, limit));
  }

  *#completed(given: string, limit: number): Steps<AutocompleteItem[]> {
    const q = cleanQuery(given);
    const anything = { filters: {}, isActive: undefined };
    const items = new Map<string, AutocompleteItem>();
    const addFrom = (rewriter: Rewriter, isEach: boolean) => {
      const hadSome = items.size > 0;
      for (const rewrite of rewriter(q, this.#indexes)) {
        // Four digits in a name are rarely a postal code.
        if (hadSome && rewrite.place?.postalCode?.length === 4) continue;
        const queries = this.#indexQueries({ ...anything, ...rewrite });
        for (const hit of literalFirst(page(queries, 0, limit).hits, q)) {
          if (items.size < limit) addItem(items, hit, rewrite.name);
        }
        if (items.size === limit || (items.size > 0 && !isEach)) break;
      }
    };
    addFrom(asName, false);
    for (const rewriter of OTHER_REWRITERS) {
      // A place in the query may be meant even if some names contain the words.
      const isPlace = rewriter === inPlace;
      if (items.size === 0 || (isPlace && items.size < limit)) addFrom(rewriter, isPlace);
    }
    if (items.size === 0) {
      const { lists, name } = yield* this.#corrected(q, anything);
      for (const hit of eachOnce(lists)) {
        addItem(items, hit, name);
        if (items.size === limit) break;
      }
    }
    return [...items.values()];
  }

  /** Possible meanings of a misspelled query, and the wording that was corrected; a step for each wording of several words. */
  *#corrected(q: string, rest: Pick<Query, "filters" | "isActive">): Steps<Corrected> {
    const name = queryToCorrect(q);
    let found: Corrected = { lists: [], areAll: true, name };
    if (name === undefined) return found;
    const wordings = [name, ...restated(name, vocabularyOf(this.#indexes))].slice(0, MAX_CORRECTED);
    for (const one of wordings) {
      if (one.words.length > 1) yield;
      found = { ...misspelled(this.#indexes, { ...rest, name: one }, one), name: one };
      if (found.lists.length > 0) break;
    }
    return found;
  }

  /** A page of the companies that satisfy every criterion, best first, and how many there are. */
  *search(criteria: SearchCriteria): Steps<FoundPage> {
    const { q: given, isActive, page: pageNumber, pageSize, fuzzy = true, ...filters } = criteria;
    const q = given === undefined ? undefined : cleanQuery(given);
    const skipped = (pageNumber - 1) * pageSize;
    for (const rewrite of q === undefined ? [ANY_NAME] : this.#rewrites(q)) {
      const query: Query = { ...rewrite, filters, isActive };
      const queries = this.#indexQueries(query);
      const { hits, seen } = page(queries, skipped, pageSize);
      if (seen === 0) continue;
      // A partly filled page is the last one: then all hits were seen.
      if (hits.length < pageSize) return pageOf(hits, totalFound(queries, seen));
      yield;
      return pageOf(hits, yield* this.#count(query, queries));
    }
    yield;
    if (!fuzzy || q === undefined) return pageOf([], { total: 0 });
    const { lists, areAll } = yield* this.#corrected(q, { filters, isActive });
    const hits = [...eachOnce(lists)];
    const total: Total = areAll ? totalOf(hits.length) : { total: hits.length, totalIsExact: false };
    return pageOf(hits.slice(skipped, skipped + pageSize), total);
  }

  *#rewrites(q: string): Generator<Rewrite> {
    for (const rewriter of [asName, ...OTHER_REWRITERS]) yield* rewriter(q, this.#indexes);
  }

  /** The query in each index. */
  #indexQueries(query: Query): IndexQuery[][] {
    return this.#indexes.map((index) => indexQueries(index, query));
  }

  *#count({ name, filters, place, isActive }: Query, queries: readonly IndexQuery[][]): Steps<Total> {
    const key = JSON.stringify([name?.normal, name?.areWhole, filters, place, isActive]);
    const kept = this.#counts.get(key);
    if (kept !== undefined) return kept;
    const counted = yield* countCompanies(queries);
    this.#counts.set(key, counted);
    return counted;
  }
}

/** At most `count` hits after the first `skipped`, and how many were seen in all. */
function page(
  queries: readonly IndexQuery[][],
  skipped: number,
  count: number,
): { hits: FoundHit[]; seen: number } {
  const lists = queries.flat().map((query) => ranked(query));
  const hits: FoundHit[] = [];
  let seen = 0;
  for (const hit of queries.some(({ length }) => length > 1) ? eachOnce(lists) : mergeHits(lists)) {
    seen++;
    if (seen > skipped) hits.push(hit);
    if (hits.length === count) break;
  }
  return { hits, seen };
}

function addItem(items: Map<string, AutocompleteItem>, hit: FoundHit, name: NameQuery | undefined): void {
  const item = itemOf(hit, hit.name ?? name);
  if (!items.has(item.kvkNumber)) items.set(item.kvkNumber, item);
}

function itemOf({ index, rank, match }: FoundHit, name: NameQuery | undefined): AutocompleteItem {
  const { records } = index;
  const own = index.ownRank(rank);
  const item: AutocompleteItem = { kvkNumber: kvkNumberOf(records.kvk(rank)), name: records.text(own) };
  const city = records.cities.text(rank);
  if (city !== undefined) item.city = city;
  if (own !== rank && !hasWords(item.name, name?.words ?? [])) item.matchedName = records.text(rank);
  if (isMisspelled(match)) item.isFuzzy = true;
  return item;
}

function searchItemOf({ index, rank, match }: FoundHit): SearchItem {
  const { records } = index;
  return {
    kvkNumber: kvkNumberOf(records.kvk(rank)),
    name: records.text(index.ownRank(rank)),
    isActive: records.isActive(rank),
    ...known("city", records.cities.text(rank)),
    ...known("postalCode", records.postalCodes.text(rank)),
    ...known("legalForm", records.form(rank)),
    ...(isMisspelled(match) && { isFuzzy: true }),
  };
}

/** The best hit of each company. */
function* eachOnce(lists: readonly Iterable<FoundHit>[]): Generator<FoundHit> {
  const seen = new Set<number>();
  for (const hit of mergeHits(lists)) {
    const kvk = hit.index.records.kvk(hit.rank);
    if (seen.has(kvk)) continue;
    seen.add(kvk);
    yield hit;
  }
}

/**
 * The same hits; of those that fit equally, names with the query letter by letter come first (`Maersk` before `M.A.E. Jansen` for
 * `mae`). Initials typed together stay where they are.
 */
function literalFirst(hits: readonly FoundHit[], q: string): FoundHit[] {
  const typed = ` ${q.trimStart().toLowerCase()}`;
  const isLiteral = ({ index: { records }, rank, name }: FoundHit) =>
    name?.rewriteRank === "equal" || ` ${records.text(rank)}`.toLowerCase().includes(typed);
  return hits
    .map((hit) => ({ hit, order: isLiteral(hit) ? 0 : 1 }))
    .sort((one, other) => one.hit.group - other.hit.group || one.order - other.order)
    .map(({ hit }) => hit);
}

function pageOf(hits: readonly FoundHit[], total: Total): FoundPage {
  return { results: hits.map(searchItemOf), ...total };
}
