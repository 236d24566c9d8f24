/** Compares the matcher with the usual methods on a sample of the same queries, each with the threshold that suits it best. */
import { withoutLegalForm } from "../../src/search/legalFormWords.ts";
import { normalise } from "../../src/search/normalise.ts";
import { formatTime, median, table } from "../figures.ts";
import { say } from "../options.ts";
import { officialCity } from "./damage.ts";
import { matchFacts, type RealCompany } from "./data.ts";
import { isNameDamage, isRight, type Match, matchOne } from "./measure.ts";
import {
  jaroWinklerOver,
  type Method,
  miniSearchOver,
  type NameRow,
  postgresTrigrams,
  type Scored,
} from "./methods.ts";
import type { QuerySet, TestQuery } from "./queries.ts";
import { MAX_WRONG, percent } from "./report.ts";

/** The number of generated companies in the comparison. */
export const OTHERS_COMPANIES = 25_000;
const SAMPLE = 500;
/** The shares of its score that a candidate in another city may lose. */
const CITY_PENALTIES = [0, 0.05, 0.1, 0.2, 0.3, 0.5];

/** The best candidate of a query. */
interface Best extends TestQuery {
  /** Negative if there is none. */
  readonly score: number;
  readonly isRight: boolean;
  readonly us: number;
}

interface Setting {
  readonly penalty: number;
  readonly threshold: number;
  /** The goal that the setting is chosen by. */
  readonly value: number;
}

/**
 * Returns the report in Markdown.
 * @param tuning the queries by which thresholds are chosen
 */
export async function compareOthers(
  match: Match,
  real: readonly RealCompany[],
  tuning: readonly QuerySet[],
  measured: readonly QuerySet[],
): Promise<string> {
  const rows = nameRows(real);
  const sample = sampleOf(measured);
  const tuningSample = sampleOf(tuning);
  const own = sample.map((one): Best => {
    const outcome = matchOne(match, one);
    return { ...outcome, score: outcome.result.decision === "matched" ? 1 : -1, isRight: isRight(outcome) };
  });
  const lines = [["Opzoek", "", ...figures(own, 1)]];
  for (const start of [postgresTrigrams, miniSearchOver, jaroWinklerOver]) {
    const method = await start(rows);
    say(`comparing with ${method.title}`);
    try {
      const tuned = await ask(method, tuningSample);
      const answered = await ask(method, sample);
      for (const [title, goal] of Object.entries(GOALS)) {
        const { penalty, threshold } = bestSetting(tuned, goal);
        const best = answered.map((one) => bestOf(one, penalty));
        lines.push([method.title, title, ...figures(best, threshold)]);
      }
    } finally {
      await method.stop();
    }
  }
  const header = [
    "method",
    "threshold for",
    "right of matched",
    "right of present",
    "with city",
    "name alone",
  ];
  return [
    `### Other methods, on ${sample.length} queries of the classes that damage the name`,
    `They compare names without case, accents, punctuation and legal form. A candidate in another city loses a share of its score. This share and the threshold are the best on ${tuningSample.length} queries of the tuning half. Candidates with the same best score are not matched.`,
    table([...header, "median"], 2, lines),
  ].join("\n\n");
}

function nameRows(real: readonly RealCompany[]): NameRow[] {
  return Array.from(matchFacts(real, OTHERS_COMPANIES)).flatMap(({ facts }) => {
    const { kvkNumber, name, statutoryName = name, tradingNames = [], address } = facts;
    const texts = new Set([name, statutoryName, ...tradingNames].map(comparable));
    return Array.from(texts, (text): NameRow => ({ kvkNumber, text, city: address?.city ?? "" }));
  });
}

function comparable(name: string): string {
  return withoutLegalForm(normalise(name));
}

/** Takes every n-th query of the classes that damage the name. */
function sampleOf(sets: readonly QuerySet[]): TestQuery[] {
  const all = sets.filter(isNameDamage).flatMap(({ queries }) => queries);
  const step = Math.max(1, all.length / SAMPLE);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

interface Answered extends TestQuery {
  readonly found: readonly Scored[];
  readonly us: number;
}

async function ask(method: Method, sample: readonly TestQuery[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const one of sample) {
    const startedMs = performance.now();
    const found = await method.find(comparable(one.query.name ?? ""));
    answered.push({ ...one, found, us: (performance.now() - startedMs) * 1_000 });
  }
  return answered;
}

/** Returns the best company; with a score of -1 if none or two are best. */
function bestOf({ found, ...one }: Answered, penalty: number): Best {
  const { query, truth } = one;
  const city = query.city === undefined ? undefined : officialCity(query.city);
  const scored = found
    .map((row) => ({
      kvkNumber: row.kvkNumber,
      score: row.score * (city === undefined || city === row.city ? 1 : 1 - penalty),
    }))
    .sort((a, b) => b.score - a.score);
  const [first] = scored;
  const second = scored.find(({ kvkNumber }) => kvkNumber !== first?.kvkNumber);
  const isUnique = first !== undefined && second?.score !== first.score;
  return { ...one, score: isUnique ? first.score : -1, isRight: first?.kvkNumber === truth };
}

type Goal = (right: number, matched: number, present: number) => number;

const GOALS: Readonly<Record<string, Goal>> = {
  "best F1": (right, matched, present) => (2 * right) / (matched + present),
  [`≤ ${percent(MAX_WRONG)} wrong`]: (right, matched) => (matched - right <= MAX_WRONG * matched ? right : 0),
};

/** Returns the share and the threshold with the highest value; a threshold that nothing reaches if no value is above 0. */
function bestSetting(answered: readonly Answered[], goal: Goal): Setting {
  const present = answered.filter(({ truth }) => truth !== undefined).length;
  let setting: Setting = { penalty: 0, threshold: Number.POSITIVE_INFINITY, value: 0 };
  for (const penalty of CITY_PENALTIES) {
    const sorted = answered.map((one) => bestOf(one, penalty)).sort((one, other) => other.score - one.score);
    let right = 0;
    for (const [index, { score, isRight }] of sorted.entries()) {
      if (score < 0) break;
      if (isRight) right++;
      if (sorted[index + 1]?.score === score) continue;
      const value = goal(right, index + 1, present);
      if (value > setting.value) setting = { penalty, threshold: score, value };
    }
  }
  return setting;
}

function figures(best: readonly Best[], threshold: number): string[] {
  const matched = best.filter(({ score }) => score >= threshold);
  const present = best.filter(({ truth }) => truth !== undefined);
  const rightOf = (part: readonly Best[]): string => {
    const right = part.filter(({ score, isRight }) => score >= threshold && isRight).length;
    return percent(right / Math.max(1, part.length));
  };
  return [
    rightOf(matched),
    rightOf(present),
    rightOf(present.filter(({ query }) => query.city !== undefined)),
    rightOf(present.filter(({ query }) => query.city === undefined)),
    formatTime(median(best.map(({ us }) => us))),
  ];
}
