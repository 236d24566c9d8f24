import { LRUCache } from "lru-cache";
import { kvkNumberOf } from "../contract/numbers.ts";
import type { AutocompleteItem, SearchItem } from "../contract/resources.ts";
import { type Total, totalOf } from "../contract/totals.ts";
import { inOneGo, type Steps } from "../lib/steps.ts";
import { allWantedIn, type Question } from "./asked.ts";
import { countCompanies, totalFound } from "./counting.ts";
import type { SearchCriteria } from "./criteria.ts";
import { hasWords } from "./exactNames.ts";
import { reasonsFor } from "./explain.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { mergeHits } from "./mergeHits.ts";
import { type MeantNames, misspelled } from "./misspelling.ts";
import {
  asName,
  asNumber,
  inBegunPlace,
  inPlace,
  type Way,
  type Ways,
  withFewerWords,
} from "./otherReadings.ts";
import { fuzzyReading, type NameQuery } from "./query.ts";
import { type FoundHit, isMisspelled, ranked } from "./ranking.ts";
import { restated, vocabularyOf } from "./restated.ts";
import { typedText } from "./typedText.ts";

/** Counts that are kept, so that the next page of a search does not count again. */
const MOST_COUNTS = 500;
/**
 * Answers that are kept for what is being typed: everybody begins with the same few letters. A snapshot does not
 * change, so neither do they. Ten megabytes at most.
 */
const MOST_ANSWERS = 10_000;
/** Longer texts are hardly ever typed twice. */
const LONGEST_KEPT = 32;

/** One page of a search and how many companies there are in all. */
export interface FoundPage extends Total {
  readonly results: SearchItem[];
}

/** One company of a page, and why it stands where it does. */
export interface Explained {
  readonly item: SearchItem;
  /** From what counts most to what counts least. */
  readonly reasons: readonly string[];
}

interface FoundHits {
  readonly hits: readonly FoundHit[];
  readonly total: Total;
  /** In which way what was typed was understood; undefined when nothing was found. */
  readonly way: Way | undefined;
}

interface Corrected extends MeantNames {
  readonly query: NameQuery | undefined;
}

const ANY_NAME: Way = { query: undefined };
/** Other ways to understand what was typed, each tried where those before it found nothing. */
const OTHER_WAYS: readonly Ways[] = [asNumber, inPlace, inBegunPlace, withFewerWords];
/** A misspelled query is corrected in so many wordings at most. */
const MAX_CORRECTED = 3;

/** Finds companies by the indexes of their names: that of a base, and those of the segments above it. */
export class Finder {
  readonly #indexes: readonly NameIndex[];
  readonly #counts = new LRUCache<string, Total>({ max: MOST_COUNTS });
  readonly #answers = new LRUCache<string, readonly AutocompleteItem[]>({ max: MOST_ANSWERS });

  /** @param indexes the base first; no company is shown by two of them */
  constructor(indexes: readonly NameIndex[]) {
    this.#indexes = indexes;
  }

  /** The best companies for what somebody is typing; empty when none has all of the words. */
  autocomplete(q: string, limit: number): AutocompleteItem[] {
    return inOneGo(this.completing(q, limit));
  }

  /** The same in steps: one for what was typed, a second where several words must be corrected, which takes longest. */
  *completing(q: string, limit: number): Steps<AutocompleteItem[]> {
    if (q.length > LONGEST_KEPT) return yield* this.#completed(q, limit);
    const key = `${limit} ${q}`;
    const kept = this.#answers.get(key);
    if (kept !== undefined) return [...kept];
    const items = yield* this.#completed(q, limit);
    this.#answers.set(key, items);
    return [...items];
  }

  /** The same, found anew. */
  complete(q: string, limit: number): AutocompleteItem[] {
    return inOneGo(this.#completed(q, limit));
  }

  *#completed(given: string, limit: number): Steps<AutocompleteItem[]> {
    const q = typedText(given);
    const anything = { filters: {}, isActive: undefined };
    const items = new Map<string, AutocompleteItem>();
    const addFrom = (ways: Ways, isEach: boolean) => {
      const hadSome = items.size > 0;
      for (const way of ways(this.#indexes, q)) {
        // Four digits that a name has are hardly a postal code.
        if (hadSome && way.place?.postalCode?.length === 4) continue;
        for (const hit of literalFirst(this.#take({ ...anything, ...way }, 0, limit).hits, q)) {
          if (items.size < limit) this.#addItem(items, hit, way.query);
        }
        if (items.size === limit || (items.size > 0 && !isEach)) break;
      }
    };
    addFrom(asName, false);
    for (const ways of OTHER_WAYS) {
      // A place in the query may be meant even if some names contain the words.
      if (items.size === 0 || (ways === inPlace && items.size < limit)) addFrom(ways, ways === inPlace);
    }
    if (items.size === 0) {
      const { lists, query } = yield* this.#corrected(q, anything);
      for (const hit of eachOnce(lists)) {
        this.#addItem(items, hit, query);
        if (items.size === limit) break;
      }
    }
    return [...items.values()];
  }

  /** Possible meanings of a misspelled query, and the wording that was corrected; a step for each wording of several words. */
  *#corrected(q: string, asked: Pick<Question, "filters" | "isActive">): Steps<Corrected> {
    const query = fuzzyReading(q);
    let found: Corrected = { lists: [], areAll: true, query };
    if (query === undefined) return found;
    const wordings = [query, ...restated(query, vocabularyOf(this.#indexes))].slice(0, MAX_CORRECTED);
    for (const one of wordings) {
      if (one.words.length > 1) yield;
      found = { ...misspelled(this.#indexes, { ...asked, query: one }, one), query: one };
      if (found.lists.length > 0) break;
    }
    return found;
  }

  /**
   * A page of the companies that satisfy every criterion, best first, and how many there are.
   */
  *search(criteria: SearchCriteria): Steps<FoundPage> {
    const { hits, total } = yield* this.#found(criteria);
    return { results: hits.map((hit) => this.#toSearchItem(hit)), ...total };
  }

  /** The same page, each company with why it stands where it does. */
  *explained(criteria: SearchCriteria): Steps<Explained[]> {
    const { hits, way } = yield* this.#found(criteria);
    return hits.map((hit) => ({
      item: this.#toSearchItem(hit),
      reasons: reasonsFor(hit, way),
    }));
  }

  *#found(criteria: SearchCriteria): Steps<FoundHits> {
    const nothing: FoundHits = { hits: [], total: { total: 0 }, way: undefined };
    const { q: given, isActive, page, pageSize, fuzzy = true, ...filters } = criteria;
    const q = given === undefined ? undefined : typedText(given);
    const skipped = (page - 1) * pageSize;
    for (const way of q === undefined ? [ANY_NAME] : this.#ways(q)) {
      const question: Question = { ...way, filters, isActive };
      const { hits, seen } = this.#take(question, skipped, pageSize);
      if (seen === 0) continue;
      // A page that is not full is the last one: then all hits were seen.
      if (hits.length < pageSize) return { hits, total: totalFound(this.#indexes, question, seen), way };
      yield;
      return { hits, total: yield* this.#count(question), way };
    }
    yield;
    if (!fuzzy || q === undefined) return nothing;
    const { lists, areAll, query } = yield* this.#corrected(q, { filters, isActive });
    const hits = [...eachOnce(lists)];
    return {
      hits: hits.slice(skipped, skipped + pageSize),
      total: areAll ? totalOf(hits.length) : { total: hits.length, totalIsExact: false },
      way: { query },
    };
  }

  *#ways(q: string): Generator<Way> {
    for (const ways of [asName, ...OTHER_WAYS]) yield* ways(this.#indexes, q);
  }

  /** At most `count` hits after the first `skipped`, and how many were seen in all. */
  #take(question: Question, skipped: number, count: number): { hits: FoundHit[]; seen: number } {
    const hits: FoundHit[] = [];
    let seen = 0;
    for (const hit of this.#ranked(question)) {
      seen++;
      if (seen > skipped) hits.push(hit);
      if (hits.length === count) break;
    }
    return { hits, seen };
  }

  #ranked(question: Question): Iterable<FoundHit> {
    const lists = this.#indexes.flatMap((index) =>
      allWantedIn(index, question).map((wanted) => ranked(index, wanted)),
    );
    return question.restated === undefined ? mergeHits(lists) : eachOnce(lists);
  }

  *#count(question: Question): Steps<Total> {
    const { query, filters, place, isActive } = question;
    const key = JSON.stringify([query?.normal, query?.areWhole, filters, place, isActive]);
    const kept = this.#counts.get(key);
    if (kept !== undefined) return kept;
    const counted = yield* countCompanies(this.#indexes, question);
    this.#counts.set(key, counted);
    return counted;
  }

  #addItem(items: Map<string, AutocompleteItem>, hit: FoundHit, query: NameQuery | undefined): void {
    const item = this.#toItem(hit, hit.query ?? query);
    if (!items.has(item.kvkNumber)) items.set(item.kvkNumber, item);
  }

  #toItem({ index: { records }, rank, match }: FoundHit, query: NameQuery | undefined): AutocompleteItem {
    const own = records.ownRank(rank);
    const item: AutocompleteItem = { kvkNumber: kvkNumberOf(records.kvk(rank)), name: records.text(own) };
    const city = records.cities.text(rank);
    if (city !== undefined) item.city = city;
    if (own !== rank && !hasWords(item.name, query?.words ?? [])) item.matchedName = records.text(rank);
    if (isMisspelled(match)) item.isFuzzy = true;
    return item;
  }

  #toSearchItem({ index: { records }, rank, match }: FoundHit): SearchItem {
    const item: SearchItem = {
      kvkNumber: kvkNumberOf(records.kvk(rank)),
      name: records.text(records.ownRank(rank)),
      isActive: records.isActive(rank),
    };
    const city = records.cities.text(rank);
    const postalCode = records.postalCodes.text(rank);
    const legalForm = records.form(rank);
    if (city !== undefined) item.city = city;
    if (postalCode !== undefined) item.postalCode = postalCode;
    if (legalForm !== undefined) item.legalForm = legalForm;
    if (isMisspelled(match)) item.isFuzzy = true;
    return item;
  }
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
  const isLiteral = ({ index: { records }, rank, query }: FoundHit) =>
    query?.restates === "equal" || ` ${records.text(rank)}`.toLowerCase().includes(typed);
  return hits
    .map((hit) => ({ hit, order: isLiteral(hit) ? 0 : 1 }))
    .sort((one, other) => one.hit.group - other.hit.group || one.order - other.order)
    .map(({ hit }) => hit);
}
