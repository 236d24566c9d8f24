import type { CompanyFacts } from "../company/facts.ts";
import { type KvkNumber, kvkNumberOf } from "../contract/numbers.ts";
import { memoise } from "../lib/memoise.ts";
import { known } from "../lib/values.ts";
import type { Snapshot } from "../registry/types.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import { findCandidates, type NameCandidate } from "./candidates.ts";
import { type Compared, compareName } from "./comparison.ts";
import { featuresOf } from "./features.ts";
import { betterName, formNotes, isWhole } from "./identity.ts";
import { isNameOf, type NameKnowledge } from "./name/knowledge.ts";
import { leftOutNotes } from "./name/leftOut.ts";
import { mergeReadings } from "./name/merging.ts";
import { DOUBT } from "./name/reading.ts";
import { otherReadings } from "./name/readings.ts";
import { NUMBER_FIELDS, type NumberField } from "./numberFields.ts";
import { agreesInName, companiesWithNumber, type Holder, hasNumber, numberNotes } from "./numbers.ts";
import { factEvidence } from "./placeEvidence.ts";
import {
  isCityOf,
  type PreparedQuery,
  prepareQuery,
  type WordKnowledge,
  withReading,
  wordInformation,
} from "./preparedQuery.ts";
import { decideMatch, type Judged, logOdds, MATCH_SCORE, toScores } from "./scoring.ts";
import type { MatchOptions, MatchQuery, NotedQuery, RankedCandidate, Ranking } from "./types.ts";

/** Names are compared by their words first; this many also by the fields that must be read from the registry. */
const MAX_WITH_FACTS = 25;
const MAX_WORDS_KNOWN = 1 << 16;

/** Matches queries to the companies of a registry. */
export class Matcher {
  readonly #indexes: readonly NameIndex[];
  readonly #factsOf: (kvkNumber: KvkNumber) => CompanyFacts | undefined;
  readonly #words: WordKnowledge;
  readonly #names: number;

  /** @param factsOf the merged facts of a company */
  constructor(indexes: readonly NameIndex[], factsOf: (kvkNumber: KvkNumber) => CompanyFacts | undefined) {
    this.#indexes = indexes;
    this.#factsOf = factsOf;
    this.#words = {
      informationOf: memoise(MAX_WORDS_KNOWN, wordInformation(indexes)),
      isPlace: memoise(MAX_WORDS_KNOWN, isCityOf(indexes)),
    };
    this.#names = indexes.reduce((sum, index) => sum + index.names, 1);
  }

  /** The knowledge that the names of the registry hold. */
  get #knowledge(): NameKnowledge {
    const { informationOf, isPlace } = this.#words;
    return { informationOf, isName: (text) => isNameOf(this.#indexes, text), isCity: isPlace };
  }

  match(fields: NotedQuery, options: MatchOptions): Ranking {
    const query = this.prepare(fields);
    const holders = this.#holdersOf(query, options);
    const { judged, hasRival } =
      holders.length === 0
        ? { judged: toScores(this.#compareOthers(query, options)), hasRival: false }
        : this.#judgeNumbers(query, holders, options);
    const decision = decideMatch(judged);
    const notes = [
      ...(fields.notes ?? []),
      ...leftOutNotes((judged[0]?.readAs ?? query).reading),
      ...numberNotes(fields, holders, hasRival),
      ...formNotes(judged[0]),
    ];
    return {
      decision,
      candidates: judged
        .slice(0, options.limit)
        .map((one) => this.#candidateOf(one.readAs ?? query, one, decision === "matched")),
      ...(notes.length > 0 && { notes }),
    };
  }

  /** Compares the name as it stands and, unless that leads to one company or equals a name, read in other ways. */
  compareReadings(query: PreparedQuery, options: MatchOptions): Compared[] {
    const whole = this.compare(query, options);
    if (whole.some(isWhole) || decideMatch(toScores(whole)) === "matched") return whole;
    return mergeReadings(
      whole,
      this.#readings(query).map((readAs) =>
        this.compare(readAs, options, false).map((one) => ({ ...one, readAs })),
      ),
    );
  }

  #readings(query: PreparedQuery): PreparedQuery[] {
    return otherReadings(query.reading.text, this.#knowledge).map((one) => withReading(query, one));
  }

  /**
   * Returns the companies that may be meant, one name each, with all evidence, the most likely first.
   * @param isThorough corrects words that exist, too
   */
  compare(query: PreparedQuery, options: MatchOptions, isThorough = true): Compared[] {
    const compared = this.#indexes.map(() => new Map<number, Compared>());
    this.#addCompared(compared, query, options, false);
    const isSure = compared.some((names) => names.values().some(({ odds }) => odds > SURE));
    if (query.name !== undefined && !isSure && isThorough) this.#addCompared(compared, query, options, true);
    const best = new Map<KvkNumber, Compared>();
    for (const one of compared.flatMap((names) => [...names.values()])) {
      const other = best.get(one.kvkNumber);
      best.set(one.kvkNumber, other === undefined ? one : betterName(other, one));
    }
    const sorted = [...best.values()].sort((a, b) => b.odds - a.odds);
    return needsFacts(query.fields)
      ? sorted.slice(0, MAX_WITH_FACTS).map((one) => this.#withFacts(query, one))
      : sorted;
  }

  prepare(fields: MatchQuery): PreparedQuery {
    return prepareQuery(fields, this.#knowledge, this.#words);
  }

  /** Adds the candidates of each index that are not compared yet, by rank. */
  #addCompared(
    compared: readonly Map<number, Compared>[],
    query: PreparedQuery,
    options: MatchOptions,
    isThorough: boolean,
  ): void {
    for (const [place, index] of this.#indexes.entries()) {
      const names = compared[place];
      for (const candidate of findCandidates(index, query, isThorough)) {
        if (names?.has(candidate.rank) === true || !isAllowed(candidate, options)) continue;
        names?.set(candidate.rank, this.#compareOne(query, candidate));
      }
    }
  }

  #compareOne(query: PreparedQuery, candidate: NameCandidate): Compared {
    const one = compareName(query, candidate, this.#names);
    return { ...one, kvkNumber: kvkOf(candidate), odds: logOdds(one.evidence) };
  }

  #withFacts(query: PreparedQuery, one: Compared): Compared {
    const facts = this.#factsOf(one.kvkNumber);
    if (facts === undefined) return one;
    const evidence = { ...one.evidence, ...factEvidence(query, facts, one.evidence) };
    return { ...one, evidence, odds: logOdds(evidence) };
  }

  /** Returns the companies with a number of the query, each with its name that fits best. */
  #holdersOf(query: PreparedQuery, options: MatchOptions): Holder[] {
    const found = new Map<KvkNumber, { one: NameCandidate; fields: NumberField[] }>();
    for (const field of NUMBER_FIELDS) {
      for (const one of companiesWithNumber(this.#indexes, query.fields, field, this.#factsOf)) {
        if (!isAllowed(one, options)) continue;
        const holder = found.get(kvkOf(one)) ?? { one, fields: [] };
        holder.fields.push(field);
        found.set(kvkOf(one), holder);
      }
    }
    const known = new Set([...found.values()].flatMap(({ fields }) => fields)).size;
    const readings = this.#readings(query).filter(({ reading }) => reading.doubt !== DOUBT.doubtful);
    return [...found.values()].map(({ one, fields }) => {
      const names = this.#namesOf(one).flatMap((name) => [
        this.#compareOne(query, name),
        ...readings.map((readAs) => ({ ...this.#compareOne(readAs, name), readAs })),
      ]);
      const best = this.#withNumbers(query, this.#withFacts(query, names.reduce(betterName)));
      return { ...best, fields, ...(fields.length < known && { isOtherNumber: true }) };
    });
  }

  /** A known number decides, unless another number, the name or an equal name of another company contradicts it. */
  #judgeNumbers(
    query: PreparedQuery,
    holders: readonly Holder[],
    options: MatchOptions,
  ): { judged: Judged[]; hasRival: boolean } {
    const sound = holders.filter((one) => agreesInName(one) && !one.isOtherNumber);
    const whole = sound.filter(isWhole);
    const [only, second] = whole.length > 0 ? whole : sound;
    const isOnly = only !== undefined && second === undefined;
    if (isOnly && (query.name === undefined || isWhole(only)))
      return { judged: [{ ...only, score: 100 }], hasRival: false };
    const compared = this.#compareOthers(query, options).filter(
      ({ kvkNumber }) => !holders.some((one) => one.kvkNumber === kvkNumber),
    );
    // An equal name, or other members of a family whose shared name is that of the query.
    const isFamilyName = only?.name?.fit === "longer" && (only.readAs ?? query).name?.form !== undefined;
    const hasRival = compared.some((one) => isWhole(one) || (isFamilyName && one.name?.isExtended));
    if (isOnly && !hasRival) return { judged: [{ ...only, score: 100 }], hasRival };
    const others = toScores(compared);
    const share = 100 / (holders.length + Number(others.length > 0));
    const scoreOf = (score: number) => Math.min(MATCH_SCORE - 1, Math.round((score * share) / 10) / 10);
    const judged = [
      ...holders.map((one) => ({ ...one, score: scoreOf(100) })),
      ...others.map((one) => ({ ...one, score: scoreOf(one.score) })),
    ];
    return { judged, hasRival };
  }

  /** Compares by name and address, and marks the companies that have other numbers than the query. */
  #compareOthers(query: PreparedQuery, options: MatchOptions): Compared[] {
    const compared = this.compareReadings(query, options);
    return NUMBER_FIELDS.some((field) => query.fields[field] !== undefined)
      ? compared.map((one) => this.#withNumbers(query, one))
      : compared;
  }

  #withNumbers({ fields }: PreparedQuery, one: Compared): Compared {
    const facts = hasStatedNumber(fields) ? this.#factsOf(one.kvkNumber) : undefined;
    const isOther = NUMBER_FIELDS.some((field) => hasNumber(fields, field, one.kvkNumber, facts) === false);
    return isOther ? { ...one, isOtherNumber: true } : one;
  }

  /** All names of a company. */
  #namesOf(main: NameCandidate): NameCandidate[] {
    if (main.index.records.isOnlyName(main.rank)) return [main];
    const { statutoryName, tradingNames = [] } = this.#factsOf(kvkOf(main)) ?? {};
    const others = statutoryName === undefined ? tradingNames : [statutoryName, ...tradingNames];
    return [main, ...others.map((text) => ({ ...main, text }))];
  }

  #candidateOf(query: PreparedQuery, judged: Judged, isMatched: boolean): RankedCandidate {
    const { index, rank, text, kvkNumber, score } = judged;
    const { records } = index;
    const main = index.mainRank(rank);
    const name = records.text(main);
    const facts = hasStatedNumber(query.fields) ? this.#factsOf(kvkNumber) : undefined;
    return {
      kvkNumber,
      name,
      ...known("matchedName", text === name ? undefined : text),
      ...known("city", records.cities.text(main)),
      isActive: records.isActive(main),
      score,
      match: isMatched && score >= MATCH_SCORE,
      features: featuresOf(query, judged, facts),
    };
  }
}

/** From these log-odds on, words that exist need not be corrected. */
const SURE = 2.5;

function kvkOf({ index, rank }: NameCandidate): KvkNumber {
  return kvkNumberOf(index.records.kvk(rank));
}

function isAllowed(candidate: NameCandidate, { isActive, isHidden }: MatchOptions): boolean {
  const { index, rank } = candidate;
  if (isActive !== undefined && index.records.isActive(rank) !== isActive) return false;
  return isHidden === undefined || !isHidden(kvkOf(candidate));
}

/** Whether a query has a number that only the facts of a company contain. */
function hasStatedNumber({ rsin, vatNumber, lei }: MatchQuery): boolean {
  return (rsin ?? vatNumber ?? lei) !== undefined;
}

function needsFacts({ street, houseNumber, website }: MatchQuery): boolean {
  return (street ?? houseNumber ?? website) !== undefined;
}

/** One for each set of indexes, because a matcher remembers the words of their names. */
const matchers = new WeakMap<readonly NameIndex[], Matcher>();

/** Returns the matcher of a snapshot whose names can be searched. A match takes at most 20 ms. */
export function matcherOf(snapshot: Pick<Snapshot, "indexes" | "facts">): Matcher {
  const { indexes } = snapshot;
  const present = matchers.get(indexes);
  if (present !== undefined) return present;
  const matcher = new Matcher(indexes, (kvkNumber) => snapshot.facts(kvkNumber)?.facts);
  matchers.set(indexes, matcher);
  return matcher;
}
