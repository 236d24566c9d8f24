/**
 * Rules about names that no weights outvote: an equal whole name comes first, and a name that contradicts the query is never matched.
 */
import type { MatchNote } from "../contract/matchResources.ts";
import type { Compared } from "./comparison.ts";
import { WEIGHTS } from "./weights.ts";

/** A company whose name does not equal the query's loses this, in nats, to one whose name does. */
const UNEQUAL = 6;
/** A typo in a shorter name may be the name of another company. */
const MIN_LONG_NAME = 10;

/** Returns the companies with the odds that remain to them beside a company whose whole name equals the query's. */
export function wholeNamesFirst<One extends Compared>(compared: readonly One[]): readonly One[] {
  const whole = compared.filter(({ fit }) => fit === "whole");
  if (whole.length === 0) return compared;
  // A name with a legal form and one without equal a query without a form alike.
  const byForm = Math.max(...whole.map(formOdds));
  const level = (one: One) => one.odds - formOdds(one) + byForm;
  const best = whole.reduce((a, b) => (level(b) > level(a) ? b : a));
  const limit = level(best);
  return compared.map((one) => {
    if (one.fit === "whole") return { ...one, odds: level(one) };
    const isThere = isElsewhere(best) && isAtPlace(one) && !isElsewhere(one);
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

/** Whether a company is at most one of those that may be meant: its name, legal form or number contradicts the query. */
export function isContradicted(one: Compared): boolean {
  const { fit, evidence, parts } = one;
  if (one.isOtherNumber) return true;
  if (fit === undefined || fit === "whole") return false;
  if (fit === "apart" || evidence.otherForm) return true;
  if (evidence.houseNumber) return false;
  if (fit === "around" || (evidence.convertedForm && !isAtPlace(one))) return true;
  const letters = parts.words.join("").length;
  return (evidence.oneEdit ?? evidence.twoEdits) !== undefined && letters < MIN_LONG_NAME;
}

/** Returns the name of a company that fits better. */
export function betterName(one: Compared, other: Compared): Compared {
  const isWhole = one.fit === "whole";
  if (isWhole !== (other.fit === "whole")) return isWhole ? one : other;
  return other.odds > one.odds ? other : one;
}

/** Says whether the best candidate has another legal form. */
export function formNotes(best: Compared | undefined): MatchNote[] {
  return (best?.evidence.otherForm ?? best?.evidence.convertedForm)
    ? [{ code: "form_differs", message: "the registered legal form is another" }]
    : [];
}
