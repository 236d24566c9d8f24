/** The companies of a snapshot that are insolvent, or certainly not, as a registry that can be searched. */
import { isLegalPerson } from "../contract/legalForms.ts";
import type { CourtCases } from "../insolvency/types.ts";
import type { Steps } from "../lib/steps.ts";
import type { Snapshot } from "../registry/types.ts";
import { namesWithKeys } from "../search/exactNames.ts";
import { Finder } from "../search/finder.ts";
import { NameIndex } from "../search/index/nameIndex.ts";
import type { NoCourt } from "./answer.ts";
import { openCase } from "./companyInsolvency.ts";
import { unplacedByKey } from "./unplacedCases.ts";
import { workQueue } from "./workQueue.ts";

const NOT_SET_UP: NoCourt = { kind: "no-court", problem: "not-set-up" };

export type SearchedSnapshot = Pick<Snapshot, "search" | "indexes" | "facts">;

/** Names per step, which takes some milliseconds. */
const NAMES_PER_STEP = 50_000;
/** The same for cases. */
const CASES_PER_STEP = 500;

/** A snapshot's legal persons by their insolvency. */
interface Split {
  readonly insolvent: SearchedSnapshot;
  readonly notInsolvent: SearchedSnapshot;
}

/** Companies by the court's cases. */
interface Numbers {
  readonly insolvent: ReadonlySet<number>;
  /** Companies that do not get `none`. */
  readonly withoutNone: ReadonlySet<number>;
}

/** Splits a snapshot by insolvency, once for each version of the snapshot and of the court's cases. */
export class InsolvencySearch {
  readonly #court: CourtCases | undefined;
  #latest: { readonly of: readonly unknown[]; readonly split: Promise<Split> } | undefined;

  constructor(court: CourtCases | undefined) {
    this.#court = court;
  }

  get noCourt(): NoCourt | undefined {
    if (this.#court === undefined) return NOT_SET_UP;
    const { currency } = this.#court;
    if (currency === undefined) return { kind: "no-court", problem: "not-loaded" };
    return currency.isCurrent ? undefined : { kind: "no-court", problem: "old" };
  }

  /** Returns the legal persons of a snapshot that are insolvent, or those that get `none`, for searches. */
  async among(snapshot: SearchedSnapshot, insolvent: boolean): Promise<SearchedSnapshot | NoCourt> {
    const { noCourt } = this;
    if (noCourt !== undefined || this.#court === undefined) return noCourt ?? NOT_SET_UP;
    const of = [snapshot, this.#court.insolvent, this.#court.uncertain, this.#court.unplaced];
    if (this.#latest === undefined || this.#latest.of.some((part, nth) => part !== of[nth])) {
      this.#latest = { of, split: workQueue.finish(splitByCases(snapshot, this.#court)) };
      // A failure is not kept.
      this.#latest.split.catch(() => {
        this.#latest = undefined;
      });
    }
    const split = await this.#latest.split;
    return insolvent ? split.insolvent : split.notInsolvent;
  }
}

function* splitByCases(snapshot: SearchedSnapshot, court: CourtCases): Steps<Split> {
  const numbers = yield* numbersIn(snapshot, court);
  const insolvent: NameIndex[] = [];
  const notInsolvent: NameIndex[] = [];
  for (const index of snapshot.indexes) {
    const others = { insolvent: allBits(index), notInsolvent: allBits(index) };
    for (let rank = 0; rank < index.names; rank++) {
      if (rank % NAMES_PER_STEP === 0) yield;
      if (!index.isShown(rank) || !isLegalPerson(index.records.legalForm(rank))) continue;
      const kvk = index.records.kvk(rank);
      if (numbers.insolvent.has(kvk)) clearBit(others.insolvent, rank);
      else if (!numbers.withoutNone.has(kvk)) clearBit(others.notInsolvent, rank);
    }
    insolvent.push(new NameIndex(index.buffer, others.insolvent));
    notInsolvent.push(new NameIndex(index.buffer, others.notInsolvent));
  }
  return { insolvent: searchable(snapshot, insolvent), notInsolvent: searchable(snapshot, notInsolvent) };
}

function* numbersIn({ indexes }: SearchedSnapshot, court: CourtCases): Steps<Numbers> {
  const insolvent = new Set<number>();
  const withoutNone = new Set([...court.uncertain].map(Number));
  let read = 0;
  for (const kvkNumber of court.insolvent) {
    if (openCase(court.casesOf(kvkNumber)) === undefined) withoutNone.add(Number(kvkNumber));
    else insolvent.add(Number(kvkNumber));
    if (++read % CASES_PER_STEP === 0) yield;
  }
  for (const key of unplacedByKey(court).keys()) {
    for (const index of indexes) {
      for (const [rank] of namesWithKeys(index, [key])) withoutNone.add(index.records.kvk(rank));
    }
    if (++read % CASES_PER_STEP === 0) yield;
  }
  return { insolvent, withoutNone };
}

function searchable(snapshot: SearchedSnapshot, indexes: readonly NameIndex[]): SearchedSnapshot {
  const finder = new Finder(indexes);
  return {
    indexes,
    facts: (kvkNumber) => snapshot.facts(kvkNumber),
    search: (criteria) => finder.search(criteria),
  };
}

/** A bitmap of all ranks of an index. */
function allBits({ names }: NameIndex): Uint32Array {
  return new Uint32Array(Math.ceil(names / 32)).fill(0xffff_ffff);
}

function clearBit(bits: Uint32Array, rank: number): void {
  bits[rank >>> 5] = (bits[rank >>> 5] ?? 0) & ~(1 << (rank & 31));
}
