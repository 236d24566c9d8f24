import type { CompanyFacts } from "../company/facts.ts";
import { type KvkNumber, kvkNumberOf } from "../contract/numbers.ts";
import { memoise } from "../lib/memoise.ts";
import { known } from "../lib/values.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import { findCandidates, type NameCandidate } from "./candidates.ts";
import { type Compared, compareName } from "./comparison.ts";
import { featuresOf } from "./features.ts";
import { isCityOf, isNameOf, type NameKnowledge } from "./name/knowledge.ts";
import { leftOutNotes } from "./name/leftOut.ts";
import { mergeReadings } from "./name/merging.ts";
import { otherReadings } from "./name/readings.ts";
import { companiesByNumber, contradictsName } from "./numbers.ts";
import { factEvidence } from "./placeEvidence.ts";
import { type PreparedQuery, prepareQuery, withReading, wordInformation } from "./preparedQuery.ts";
import { decide, type Judged, logOdds, MATCH_SCORE, toScores } from "./scoring.ts";
import type { MatchCandidate, MatchOptions, MatchQuery, MatchResult } from "./types.ts";

/** Names are compared by their words first; this many also by the fields that must be read from the registry. */
const MAX_WITH_FACTS = 25;
const MAX_WORDS_KNOWN = 1 << 16;

/** Matches queries to the companies of a registry. */
export class Matcher {
  readonly #indexes: readonly NameIndex[];
  readonly #factsOf: (kvkNumber: KvkNumber) => CompanyFacts | undefined;
  readonly #informationOf: (word: string) => number;
  readonly #names: number;

  /** @param factsOf the merged facts of a company */
  constructor(indexes: readonly NameIndex[], factsOf: (kvkNumber: KvkNumber) => CompanyFacts | undefined) {
    this.#indexes = indexes;
    this.#factsOf = factsOf;
    this.#informationOf = memoise(MAX_WORDS_KNOWN, wordInformation(indexes));
    this.#names = indexes.reduce((sum, index) => sum + index.names, 1);
  }

  /** The knowledge that the names of the registry hold. */
  get #knowledge(): NameKnowledge {
    return {
      informationOf: this.#informationOf,
      isName: (text) => isNameOf(this.#indexes, text),
      isCity: (text) => isCityOf(this.#indexes, text),
    };
  }

  match(fields: MatchQuery, options: MatchOptions): MatchResult {
    const query = prepareQuery(fields, this.#informationOf);
    const byNumber = companiesByNumber(this.#indexes, query, this.#factsOf).filter((one) =>
      isAllowed(one, options),
    );
    const judged =
      byNumber.length > 0
        ? this.#judgeNumbers(query, byNumber, options)
        : toScores(this.compareReadings(query, options));
    const decision = decide(judged);
    return {
      decision,
      candidates: judged
        .slice(0, options.limit)
        .map((one) => this.#candidateOf(one.readAs ?? query, one, decision === "matched")),
      ...leftOutNotes((judged[0]?.readAs ?? query).reading),
    };
  }

  /** Compares the name as it stands and, unless that leads to one company, read in other ways. */
  compareReadings(query: PreparedQuery, options: MatchOptions): Compared[] {
    const whole = this.compare(query, options);
    if (decide(toScores(whole)) === "matched") return whole;
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

  /** Returns the companies that may be meant, one name each, with all evidence, the most likely first. @param isThorough corrects words that exist, too */
  compare(query: PreparedQuery, options: MatchOptions, isThorough = true): Compared[] {
    const compared = this.#indexes.map(() => new Map<number, Compared>());
    this.#addCompared(compared, query, options, false);
    const isSure = compared.some((names) => names.values().some(({ odds }) => odds > SURE));
    if (query.name !== undefined && !isSure && isThorough) this.#addCompared(compared, query, options, true);
    const best = new Map<KvkNumber, Compared>();
    for (const one of compared.flatMap((names) => [...names.values()])) {
      const other = best.get(one.kvkNumber);
      if (other === undefined || other.odds < one.odds) best.set(one.kvkNumber, one);
    }
    const sorted = [...best.values()].sort((a, b) => b.odds - a.odds);
    return needsFacts(query.fields)
      ? sorted.slice(0, MAX_WITH_FACTS).map((one) => this.#withFacts(query, one))
      : sorted;
  }

  prepare(fields: MatchQuery): PreparedQuery {
    return prepareQuery(fields, this.#informationOf);
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

  /** A known number decides, unless two numbers differ or the name is that of another company. */
  #judgeNumbers(query: PreparedQuery, byNumber: readonly NameCandidate[], options: MatchOptions): Judged[] {
    const compared = byNumber.map((one) => {
      const names = this.#namesOf(one).flatMap((name) => [
        this.#compareOne(query, name),
        ...this.#readings(query).map((readAs) => ({ ...this.#compareOne(readAs, name), readAs })),
      ]);
      const best = names.reduce((a, b) => (b.odds > a.odds ? b : a));
      return this.#withFacts(query, best);
    });
    const [only] = compared;
    if (only !== undefined && compared.length === 1 && !contradictsName(query, only))
      return [{ ...only, score: 100 }];
    const others = toScores(this.compareReadings(query, options)).filter(
      (other) => !compared.some(({ kvkNumber }) => kvkNumber === other.kvkNumber),
    );
    const share = 100 / (compared.length + Number(others.length > 0));
    const rounded = Math.min(MATCH_SCORE - 1, Math.round(10 * share) / 10);
    return [
      ...compared.map((one) => ({ ...one, score: rounded })),
      ...others.map((one) => ({ ...one, score: Math.round(10 * ((one.score * share) / 100)) / 10 })),
    ];
  }

  /** All names of a company. */
  #namesOf(main: NameCandidate): NameCandidate[] {
    if (main.index.records.isOnlyName(main.rank)) return [main];
    const { statutoryName, tradingNames = [] } = this.#factsOf(kvkOf(main)) ?? {};
    const others = statutoryName === undefined ? tradingNames : [statutoryName, ...tradingNames];
    return [main, ...others.map((text) => ({ ...main, text }))];
  }

  #candidateOf(query: PreparedQuery, judged: Judged, isMatched: boolean): MatchCandidate {
    const { index, rank, text, kvkNumber, score } = judged;
    const { records } = index;
    const main = index.mainRank(rank);
    const name = records.text(main);
    const { rsin, vatNumber } = query.fields;
    const facts = (rsin ?? vatNumber) === undefined ? undefined : this.#factsOf(kvkNumber);
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

function needsFacts({ street, houseNumber, website }: MatchQuery): boolean {
  return (street ?? houseNumber ?? website) !== undefined;
}
