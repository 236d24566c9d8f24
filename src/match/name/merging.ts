import type { Compared } from "../comparison.ts";
import type { PreparedQuery } from "../preparedQuery.ts";

/** What a name loses because something was left out of it: log-odds. */
const PENALTY = 1;
/** The highest log-odds of a company found by a reading: 99.7 %, or 82 % if a person must decide. */
const MAX_SURE = 6;
const MAX_UNSURE = 1.5;

/** The companies found by one reading of a name, the most likely first. */
export interface Found {
  readonly query: PreparedQuery;
  readonly compared: readonly Compared[];
}

/**
 * Merges what several readings of a name found, each company by the reading that fits it best. Companies whose whole names stand in different parts
 * of the text are equally likely.
 */
export function mergeReadings(whole: readonly Compared[], others: readonly Found[]): Compared[] {
  const best = new Map(whole.map((one) => [one.kvkNumber, one]));
  const highest = Math.max(...others.map(({ compared }) => compared[0]?.odds ?? -Infinity));
  for (const { query, compared } of others) {
    const [first] = compared;
    const level = first !== undefined && isItsName(query, first) ? first.odds : highest;
    for (const one of compared) {
      const limit = isSure(query, one) ? MAX_SURE : MAX_UNSURE;
      const odds = one.odds - Math.max(PENALTY, level - limit);
      if (odds > (best.get(one.kvkNumber)?.odds ?? -Infinity))
        best.set(one.kvkNumber, { ...one, odds, reading: query.reading });
    }
  }
  return [...best.values()].sort((a, b) => b.odds - a.odds);
}

function isSure({ reading }: PreparedQuery, { evidence }: Compared): boolean {
  return reading?.certainty === "sure" || (reading?.certainty === "place" && evidence.city === 1);
}

/** Whether a part of a text is the whole name of a company. A person without a legal form elsewhere is another person. */
function isItsName({ name }: PreparedQuery, { evidence }: Compared): boolean {
  return evidence.sameWords === 1 && (evidence.otherCity === undefined || name?.form !== undefined);
}
