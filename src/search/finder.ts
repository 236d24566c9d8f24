import { kvkNumberOf } from "../contract/numbers.ts";
import type { AutocompleteItem, SearchItem } from "../contract/resources.ts";
import { type Total, totalOf } from "../contract/totals.ts";
import { boundedCache } from "../lib/boundedCache.ts";
import { inOneGo, type Steps } from "../lib/steps.ts";
import { known } from "../lib/values.ts";
import { countCompanies, totalFound } from "./counting.ts";
import type { SearchCriteria } from "./criteria.ts";
import { hasWords } from "./exactNames.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { type IndexQuery, indexQueries, type SearchQuery } from "./indexQuery.ts";
import {
  asName,
  asNumber,
  type Interpretation,
  type Interpreter,
  withFewerWords,
  withPartialPlace,
  withPlace,
} from "./interpretations.ts";
import { mergeHits } from "./mergeHits.ts";
import { findMisspelled, type MisspelledHits } from "./misspelling.ts";
import { cleanQuery, type NameQuery, queryToCorrect } from "./query.ts";
import { type FoundHit, isMisspelled, ranked } from "./ranking.ts";
import { rewrittenQueries, vocabularyOf } from "./rewrittenQueries.ts";

/** The next page of a search reuses the cached total. */
const MAX_CACHED_TOTALS = 500;
/** At most ten megabytes. The same first letters are typed often, and a snapshot does not change. */
const MAX_CACHED_SUGGESTIONS = 10_000;
/** Longer queries are rarely typed twice. */
const MAX_CACHED_LENGTH = 32;

export interface FoundPage extends Total {
  readonly results: SearchItem[];
}

interface MisspelledResult extends MisspelledHits {
  readonly name: NameQuery | undefined;
}

const ANY_NAME: Interpretation = { name: undefined };
/** Tried in order while nothing was found. */
const OTHER_INTERPRETERS: readonly Interpreter[] = [asNumber, withPlace, withPartialPlace, withFewerWords];
/** The query itself and rewritten ones. */
const MAX_CORRECTED_QUERIES = 3;

/** Searches the name indexes of a snapshot's layers. */
export class Finder {
  readonly #indexes: readonly NameIndex[];
  readonly #totals = boundedCache<string, Total>(MAX_CACHED_TOTALS);
  readonly #suggestions = boundedCache<string, readonly AutocompleteItem[]>(MAX_CACHED_SUGGESTIONS);

  /** @param indexes the base's first; each company is visible in at most one */
  constructor(indexes: readonly NameIndex[]) {
    this.#indexes = indexes;
  }

  /** Returns the best companies for a partly typed name; empty when no name matches. */
  autocomplete(q: string, limit: number): AutocompleteItem[] {
    return inOneGo(this.autocompleteInSteps(q, limit));
  }

  /**
   * Does the same in steps. The caller charges for everything after the first `yield`: corrections of several words
   * take longest.
   */
  *autocompleteInSteps(q: string, limit: number): Steps<AutocompleteItem[]> {
    if (q.length > MAX_CACHED_LENGTH) return yield* this.#autocomplete(q, limit);
    const key = `${limit} ${q}`;
    const cached = this.#suggestions.get(key);
    if (cached !== undefined) return [...cached];
    const items = yield* this.#autocomplete(q, limit);
    this.#suggestions.set(key, items);
    return [...items];
  }

  *#autocomplete(text: string, limit: number): Steps<AutocompleteItem[]> {
    const q = cleanQuery(text);
    const noFilters = { filters: {}, isActive: undefined };
    const items = new Map<string, AutocompleteItem>();
    const addFrom = (interpreter: Interpreter, triesAll: boolean) => {
      const hadSome = items.size > 0;
      for (const interpretation of interpreter(q, this.#indexes)) {
        // Names that contain these four digits were found, so the digits are rarely a postal code.
        if (hadSome && interpretation.place?.postalCode?.length === 4) continue;
        const queries = this.#indexQueries({ ...noFilters, ...interpretation });
        for (const hit of literalFirst(page(queries, 0, limit).hits, q)) {
          if (items.size < limit) addItem(items, hit, interpretation.name);
        }
        if (items.size === limit || (items.size > 0 && !triesAll)) break;
      }
    };
    addFrom(asName, false);
    for (const interpreter of OTHER_INTERPRETERS) {
      // The query may contain a place even if some names match all words.
      const isPlace = interpreter === withPlace;
      if (items.size === 0 || (isPlace && items.size < limit)) addFrom(interpreter, isPlace);
    }
    if (items.size === 0) {
      const { lists, name } = yield* this.#findMisspelled(q, noFilters);
      for (const hit of uniqueCompanies(lists)) {
        addItem(items, hit, name);
        if (items.size === limit) break;
      }
    }
    return [...items.values()];
  }

  /**
   * Finds names for a misspelled query and returns them with that query. Yields before each correction of several
   * words.
   */
  *#findMisspelled(q: string, rest: Pick<SearchQuery, "filters" | "isActive">): Steps<MisspelledResult> {
    const name = queryToCorrect(q);
    let found: MisspelledResult = { lists: [], isComplete: true, name };
    if (name === undefined) return found;
    const queries = [name, ...rewrittenQueries(name, vocabularyOf(this.#indexes))].slice(
      0,
      MAX_CORRECTED_QUERIES,
    );
    for (const query of queries) {
      if (query.words.length > 1) yield;
      found = { ...findMisspelled(this.#indexes, { ...rest, name: query }, query), name: query };
      if (found.lists.length > 0) break;
    }
    return found;
  }

  /** Returns a page of the companies that match all criteria, best first, and the total. */
  *search(criteria: SearchCriteria): Steps<FoundPage> {
    const { q: text, isActive, page: pageNumber, pageSize, fuzzy = true, ...filters } = criteria;
    const q = text === undefined ? undefined : cleanQuery(text);
    const skipped = (pageNumber - 1) * pageSize;
    for (const interpretation of q === undefined ? [ANY_NAME] : this.#interpretations(q)) {
      const query: SearchQuery = { ...interpretation, filters, isActive };
      const queries = this.#indexQueries(query);
      const { hits, seen } = page(queries, skipped, pageSize);
      if (seen === 0) continue;
      // A page that is not full is the last one, so all hits were seen.
      if (hits.length < pageSize) return pageOf(hits, totalFound(queries, seen));
      yield;
      return pageOf(hits, yield* this.#count(query, queries));
    }
    yield;
    if (!fuzzy || q === undefined) return pageOf([], { total: 0 });
    const { lists, isComplete } = yield* this.#findMisspelled(q, { filters, isActive });
    const hits = [...uniqueCompanies(lists)];
    const total: Total = isComplete ? totalOf(hits.length) : { total: hits.length, totalIsExact: false };
    return pageOf(hits.slice(skipped, skipped + pageSize), total);
  }

  *#interpretations(q: string): Generator<Interpretation> {
    for (const interpreter of [asName, ...OTHER_INTERPRETERS]) yield* interpreter(q, this.#indexes);
  }

  /**
   * Returns the queries by index. An index has several when the query is also rewritten, none when nothing can match.
   */
  #indexQueries(query: SearchQuery): IndexQuery[][] {
    return this.#indexes.map((index) => indexQueries(index, query));
  }

  *#count({ name, filters, place, isActive }: SearchQuery, queries: readonly IndexQuery[][]): Steps<Total> {
    const key = JSON.stringify([name?.normal, name?.isWholeWord, filters, place, isActive]);
    const cached = this.#totals.get(key);
    if (cached !== undefined) return cached;
    const counted = yield* countCompanies(queries);
    this.#totals.set(key, counted);
    return counted;
  }
}

/** Returns up to `count` hits after the first `skipped`, and the number of hits seen. @param queries by index */
function page(
  queries: readonly IndexQuery[][],
  skipped: number,
  count: number,
): { hits: FoundHit[]; seen: number } {
  const lists = queries.flat().map((query) => ranked(query));
  const hits: FoundHit[] = [];
  let seen = 0;
  // Several queries of one index may find the same company.
  for (const hit of queries.some(({ length }) => length > 1) ? uniqueCompanies(lists) : mergeHits(lists)) {
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
  const own = index.mainRank(rank);
  const item: AutocompleteItem = { kvkNumber: kvkNumberOf(records.kvk(rank)), name: records.text(own) };
  const city = records.cities.text(rank);
  if (city !== undefined) item.city = city;
  // Shows why the company was found, unless its own name contains the words as well.
  if (own !== rank && !hasWords(item.name, name?.words ?? [])) item.matchedName = records.text(rank);
  if (!records.isActive(rank)) item.isActive = false;
  if (isMisspelled(match)) item.isFuzzy = true;
  return item;
}

function searchItemOf({ index, rank, match }: FoundHit): SearchItem {
  const { records } = index;
  return {
    kvkNumber: kvkNumberOf(records.kvk(rank)),
    name: records.text(index.mainRank(rank)),
    isActive: records.isActive(rank),
    ...known("city", records.cities.text(rank)),
    ...known("postalCode", records.postalCodes.text(rank)),
    ...known("legalForm", records.legalForm(rank)),
    ...(isMisspelled(match) && { isFuzzy: true }),
  };
}

/** Yields the best hit of each company. */
function* uniqueCompanies(lists: readonly Iterable<FoundHit>[]): Generator<FoundHit> {
  const seen = new Set<number>();
  for (const hit of mergeHits(lists)) {
    const kvk = hit.index.records.kvk(hit.rank);
    if (seen.has(kvk)) continue;
    seen.add(kvk);
    yield hit;
  }
}

/**
 * Sorts names that contain the query as typed before others of the same group: for `mae`, `Maersk` before
 * `M.A.E. Jansen`. Names that begin with its letters as separate initials, such as `M A E Jansen`, count as containing
 * it.
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
