import type { Compared } from "../comparison.ts";
import { DOUBT } from "./reading.ts";

/** The loss of a name that is not compared as it stands: log-odds. */
const PENALTY = 1;
/** The highest log-odds of a company found by a reading: 99.7 %, or 82 % if a person must decide. */
const MAX_CERTAIN = 6;
const MAX_DOUBTFUL = 1.5;

/**
 * Merges what several readings of a name found, each company by the reading that fits it best. Companies whose whole
 * names stand in different parts of the text are equally likely.
 * @param others best first
 */
export function mergeReadings(
  whole: readonly Compared[],
  others: readonly (readonly Compared[])[],
): Compared[] {
  const best = new Map(whole.map((one) => [one.kvkNumber, one]));
  const highest = Math.max(...others.map(([first]) => first?.odds ?? -Infinity));
  const named = others.flatMap(([first]) =>
    first !== undefined && isItsName(first) ? [first.kvkNumber] : [],
  );
  const isContested = new Set(named).size > 1;
  for (const compared of others) {
    const isNamed = compared[0] !== undefined && isItsName(compared[0]);
    const level = isNamed ? (compared[0]?.odds ?? highest) : highest;
    for (const one of compared) {
      const { doubt = DOUBT.certain } = one.readAs?.reading ?? {};
      const isCertain = doubt === DOUBT.certain || (doubt === DOUBT.unlessInCity && one.evidence.city === 1);
      const isDoubtful = !isCertain || (isNamed && isContested);
      const odds = one.odds - Math.max(PENALTY, level - (isDoubtful ? MAX_DOUBTFUL : MAX_CERTAIN));
      if (odds > (best.get(one.kvkNumber)?.odds ?? -Infinity))
        best.set(one.kvkNumber, { ...one, odds, isDoubtful });
    }
  }
  return [...best.values()].sort((a, b) => b.odds - a.odds);
}

/**
 * Whether a part of a text is the whole name of a company. A person without a legal form elsewhere is another person.
 */
function isItsName({ evidence, readAs }: Compared): boolean {
  return evidence.sameWords === 1 && (evidence.otherCity === undefined || readAs?.name?.form !== undefined);
}
