/**
 * Rules about names that no weights outvote: an equal whole name comes first, and a name that contradicts the query is
 * never matched.
 */
import type { MatchNote } from "../contract/matchResources.ts";
import type { Compared } from "./comparison.ts";
import { WEIGHTS } from "./weights.ts";

/** A company whose name does not equal the query's loses this, in nats, to one whose name does. */
const UNEQUAL = 6;
/** The members of a family whose shared name is the query gain this, in nats: a person can choose one of them. */
const SHARED_NAME = 2;

/** Whether several names have all words of the query, and more behind them. */
const isFamily = (compared: readonly Compared[]) =>
  compared.filter(({ name }) => name?.isExtended).length > 1;

/** Returns the companies with the odds that remain to them next to a company whose whole name equals the query's. */
export function wholeNamesFirst<One extends Compared>(compared: readonly One[]): readonly One[] {
  const whole = compared.filter(isWhole);
  if (whole.length === 0) {
    const gain = isFamily(compared) ? SHARED_NAME : 0;
    return compared.map((one) => (one.name?.isExtended ? { ...one, odds: one.odds + gain } : one));
  }
  // A name with a legal form and one without equal a query without a form alike, if the query is read alike.
  const alike = Map.groupBy(whole, ({ readAs }) => readAs);
  const level = (one: One) =>
    one.odds - formOdds(one) + Math.max(...(alike.get(one.readAs) ?? [one]).map(formOdds));
  const best = whole.reduce((a, b) => (level(b) > level(a) ? b : a));
  const limit = level(best);
  return compared.map((one) => {
    if (isWhole(one)) return { ...one, odds: level(one) };
    const isThere = isElsewhere(best) && isAtPlace(one) && !isElsewhere(one);
    if (isThere && one.name?.lacksCity) return { ...one, odds: limit };
    return { ...one, odds: Math.min(one.odds, limit) - (isThere ? 0 : UNEQUAL) };
  });
}

const formOdds = ({ evidence: { sameName = 0, missingForm = 0 } }: Compared) =>
  sameName * WEIGHTS.sameName + missingForm * WEIGHTS.missingForm;

function isElsewhere({ evidence }: Compared): boolean {
  return (
    (evidence.otherCity ?? evidence.otherPostalCode ?? evidence.otherStreet ?? evidence.otherHouseNumber) !==
    undefined
  );
}

function isAtPlace({ evidence }: Compared): boolean {
  return (evidence.city ?? evidence.cityInName ?? evidence.postalCode ?? evidence.street) !== undefined;
}

/**
 * Returns whether each company is at most one of those that may be meant, because its name, legal form or number
 * contradicts the query.
 */
export function contradictions(compared: readonly Compared[]): (one: Compared) => boolean {
  const areFamily = isFamily(compared);
  return (one) => {
    const { name, evidence } = one;
    if (one.isOtherNumber || one.isDoubtful) return true;
    if (name === undefined || name.fit === "whole") return false;
    if (name.fit === "apart" || (name.isExtended && areFamily)) return true;
    const isUnsure = name.isUnsureWord || evidence.convertedForm !== undefined;
    return (name.fit === "around" && !evidence.houseNumber) || (isUnsure && !isAtPlace(one));
  };
}

/** Whether the whole name equals the query's. */
export const isWhole = ({ name }: Compared) => name?.fit === "whole";

/** Returns the name of a company that fits better. */
export function betterName(one: Compared, other: Compared): Compared {
  if (isWhole(one) !== isWhole(other)) return isWhole(one) ? one : other;
  return other.odds > one.odds ? other : one;
}

/** Says whether the best candidate has another legal form. */
export function formNotes(best: Compared | undefined): MatchNote[] {
  return (best?.evidence.otherForm ?? best?.evidence.convertedForm)
    ? [{ code: "form_differs", message: "the registered legal form is another" }]
    : [];
}
