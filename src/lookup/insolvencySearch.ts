/** The companies of a snapshot that are insolvent, or certainly not, as a registry that can be searched. */
import { isLegalPerson } from "../contract/legalForms.ts";
import type { CourtCases } from "../insolvency/types.ts";
import type { Steps } from "../lib/steps.ts";
import type { Snapshot } from "../registry/types.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { namesWithKeys } from "../search/exactNames.ts";
import { Finder, type FoundPage } from "../search/finder.ts";
import { IndexBuilder } from "../search/index/builder.ts";
import { NameIndex } from "../search/index/nameIndex.ts";
import { setBit } from "../search/index/rankSets.ts";
import { indexInMemory, type Section } from "../search/index/sections.ts";
import type { NoCourt } from "./answer.ts";
import { openCase } from "./companyInsolvency.ts";
import { unplacedByKey } from "./unplacedCases.ts";
import { workQueue } from "./workQueue.ts";

const NOT_SET_UP: NoCourt = { kind: "no-court", problem: "not-set-up" };

export type SearchedSnapshot = Pick<Snapshot, "search" | "indexes" | "facts">;

/** Names per step, which takes some milliseconds. */
const NAMES_PER_STEP = 20_000;
/** Companies or names of cases per step. */
const READ_PER_STEP = 100;

/** Parts of a snapshot, by whether their companies are insolvent, and the court's cases that they are by. */
interface Found {
  readonly cases: readonly unknown[];
  readonly parts: Map<boolean, Promise<SearchedSnapshot>>;
}

/** Searches by insolvency. The companies are found once for each version of the snapshot and of the court's cases. */
export class InsolvencySearch {
  readonly #court: CourtCases | undefined;
  /** Weak, so that a replaced snapshot is not kept in memory. */
  readonly #bySnapshot = new WeakMap<SearchedSnapshot, Found>();

  constructor(court: CourtCases | undefined) {
    this.#court = court;
  }

  /** Why searches have no answer; undefined if they have. */
  get noCourt(): NoCourt | undefined {
    if (this.#court === undefined) return NOT_SET_UP;
    const { currency } = this.#court;
    if (currency === undefined) return { kind: "no-court", problem: "not-loaded" };
    return currency.isCurrent ? undefined : { kind: "no-court", problem: "old" };
  }

  /** Returns the legal persons with an open case, or those that get `none`, as a snapshot of their own. */
  async among(snapshot: SearchedSnapshot, insolvent: boolean): Promise<SearchedSnapshot | NoCourt> {
    const { noCourt } = this;
    const court = this.#court;
    if (noCourt !== undefined || court === undefined) return noCourt ?? NOT_SET_UP;
    const cases = [court.insolvent, court.uncertain, court.unplaced];
    const latest = this.#bySnapshot.get(snapshot);
    const isSame = latest?.cases.every((part, nth) => part === cases[nth]) === true;
    const { parts } = isSame ? latest : { parts: new Map<boolean, Promise<SearchedSnapshot>>() };
    this.#bySnapshot.set(snapshot, { cases, parts });
    const present = parts.get(insolvent);
    if (present !== undefined) return present;
    const steps = insolvent ? withOpenCase(snapshot, court) : withNone(snapshot, court);
    const part = workQueue.finish(steps);
    parts.set(insolvent, part);
    // A failure is not kept.
    part.catch(() => parts.delete(insolvent));
    return part;
  }
}

/** An index of few companies, so that a search need not skip all others. */
function* withOpenCase(snapshot: SearchedSnapshot, court: CourtCases): Steps<SearchedSnapshot> {
  const builder = new IndexBuilder();
  let read = 0;
  for (const kvkNumber of court.insolvent) {
    if (++read % READ_PER_STEP === 0) yield;
    const facts = snapshot.facts(kvkNumber)?.facts;
    if (facts === undefined || !isLegalPerson(facts.legalForm)) continue;
    if (openCase(court.casesOf(kvkNumber), facts.legalForm)) builder.add({ ...facts, ...facts.address });
  }
  const sections: Section[] = [];
  for (const section of builder.sections()) {
    sections.push(section);
    yield;
  }
  return searchable(snapshot, [new NameIndex(indexInMemory(sections))]);
}

/** The indexes of the snapshot, in which all other names are hidden. */
function* withNone(snapshot: SearchedSnapshot, court: CourtCases): Steps<SearchedSnapshot> {
  const withoutNone = new Set([...court.insolvent, ...court.uncertain].map(Number));
  let read = 0;
  for (const key of unplacedByKey(court).keys()) {
    if (++read % READ_PER_STEP === 0) yield;
    for (const index of snapshot.indexes) {
      for (const [rank] of namesWithKeys(index, [key])) withoutNone.add(index.records.kvk(rank));
    }
  }
  const indexes: NameIndex[] = [];
  for (const index of snapshot.indexes) {
    const hidden = new Uint32Array(Math.ceil(index.names / 32));
    for (let rank = 0; rank < index.names; rank++) {
      if (rank % NAMES_PER_STEP === 0) yield;
      const { records } = index;
      const isFound =
        index.isShown(rank) && isLegalPerson(records.legalForm(rank)) && !withoutNone.has(records.kvk(rank));
      if (!isFound) setBit(hidden, rank);
    }
    indexes.push(new NameIndex(index.buffer, hidden));
  }
  return searchable(snapshot, indexes);
}

function searchable(snapshot: SearchedSnapshot, indexes: readonly NameIndex[]): SearchedSnapshot {
  const finder = new Finder(indexes);
  return {
    indexes,
    facts: (kvkNumber) => snapshot.facts(kvkNumber),
    search: (criteria) => (isFindable(criteria) ? finder.search(criteria) : nothing()),
  };
}

/** False for a legal form that no legal person has: every name would be read. */
function isFindable({ legalForm }: SearchCriteria): boolean {
  return legalForm === undefined || isLegalPerson(legalForm);
}

function* nothing(): Steps<FoundPage> {
  yield;
  return { results: [], total: 0 };
}
