import type { DatabaseSync } from "node:sqlite";
import { isLegalForm } from "../contract/legalForms.ts";
import { kvkNumberOf } from "../contract/numbers.ts";
import type { AutocompleteItem, SearchItem } from "../contract/resources.ts";
import { type Total, totalOf } from "../contract/totals.ts";
import { LeastRecentlyUsed } from "../lib/leastRecentlyUsed.ts";
import type { Steps } from "../lib/steps.ts";
import { countCompanies } from "./counting.ts";
import type { SearchCriteria } from "./criteria.ts";
import { type Hit, isActiveHit, NameTables } from "./nameTables.ts";
import { facetConditions, type NameQuery, readings } from "./query.ts";
import { hasWords, ranked, type Wanted } from "./ranking.ts";
import { SnapshotVocabulary } from "./vocabulary.ts";

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

/** Finds companies in the tables of an open snapshot. */
export class Finder {
  readonly #tables: NameTables;
  readonly #vocabulary: SnapshotVocabulary;
  readonly #counts = new LeastRecentlyUsed<number>(MOST_COUNTS);
  readonly #answers = new LeastRecentlyUsed<readonly AutocompleteItem[]>(MOST_ANSWERS);

  constructor(db: DatabaseSync, counts: { readonly names: number; readonly activeNames: number }) {
    this.#tables = new NameTables(db, counts);
    this.#vocabulary = new SnapshotVocabulary(db);
  }

  /** The best companies for what somebody is typing; empty when none has all of the words. */
  autocomplete(q: string, limit: number): AutocompleteItem[] {
    if (q.length > LONGEST_KEPT) return this.#complete(q, limit);
    return [...this.#answers.getOrMake(`${limit} ${q}`, () => this.#complete(q, limit))];
  }

  /**
   * A page of the companies that satisfy every criterion, best first, and how many there are.
   */
  *search(criteria: SearchCriteria): Steps<FoundPage> {
    const facets = facetConditions(criteria, this.#vocabulary);
    const queries = criteria.q === undefined ? [undefined] : readings(criteria.q);
    const skipped = (criteria.page - 1) * criteria.pageSize;
    for (const query of queries) {
      const wanted: Wanted = { query, facets, isActive: criteria.isActive };
      const { hits, seen } = this.#take(wanted, skipped, criteria.pageSize);
      if (seen === 0) continue;
      const results = hits.map(toSearchItem);
      // A page that is not full is the last one: then all hits were seen.
      if (hits.length < criteria.pageSize) return { results, ...totalOf(seen) };
      yield;
      return { results, ...totalOf(yield* this.#count(wanted)) };
    }
    return { results: [], total: 0 };
  }

  #complete(q: string, limit: number): AutocompleteItem[] {
    for (const query of readings(q)) {
      const { hits } = this.#take({ query, facets: [], isActive: undefined }, 0, limit);
      if (hits.length > 0) return hits.map((hit) => toItem(hit, query));
    }
    return [];
  }

  /** At most `count` hits after the first `skipped`, and how many were seen in all. */
  #take(wanted: Wanted, skipped: number, count: number): { hits: Hit[]; seen: number } {
    const hits: Hit[] = [];
    let seen = 0;
    for (const hit of ranked(this.#tables, wanted, this.#vocabulary)) {
      seen++;
      if (seen > skipped) hits.push(hit);
      if (hits.length === count) break;
    }
    return { hits, seen };
  }

  *#count(wanted: Wanted): Steps<number> {
    const key = JSON.stringify([
      wanted.query?.normal,
      wanted.facets.map((facet) => facet?.text),
      wanted.isActive,
    ]);
    const kept = this.#counts.get(key);
    if (kept !== undefined) return kept;
    const counted = yield* countCompanies(this.#tables, wanted, this.#vocabulary);
    this.#counts.set(key, counted);
    return counted;
  }
}

function toItem([, kvk, text, name, city]: Hit, query: NameQuery): AutocompleteItem {
  const item: AutocompleteItem = { kvkNumber: kvkNumberOf(kvk), name };
  if (city !== null) item.city = city;
  if (text !== null && !hasWords(name, query.words)) item.matchedName = text;
  return item;
}

function toSearchItem(hit: Hit): SearchItem {
  const [, kvk, , name, city, postal, form] = hit;
  const item: SearchItem = { kvkNumber: kvkNumberOf(kvk), name, isActive: isActiveHit(hit) };
  if (city !== null) item.city = city;
  if (postal !== null) item.postalCode = postal;
  if (form !== null && isLegalForm(form)) item.legalForm = form;
  return item;
}
