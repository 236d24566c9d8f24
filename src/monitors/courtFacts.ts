/** The facts of the court's register that monitors compare. */
import { COURT_ORIGIN } from "../contract/insolvency.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { isPossible } from "../insolvency/rules.ts";
import type { CourtCase, CourtCases } from "../insolvency/types.ts";
import { known } from "../lib/values.ts";
import { lastEnded, openCase } from "../lookup/companyInsolvency.ts";
import { mayHaveUnplacedCase } from "../lookup/unplacedCases.ts";
import type { SeenFacts } from "./compare.ts";
import { isInsolvent } from "./courtChanges.ts";
import type { Baseline, WatchedCase, WatchedFields } from "./types.ts";

/**
 * The facts of the court's register about a company; none while the register says nothing about it. Only cases with its
 * number count. No case at all is `none`, because the company may have been declared insolvent before.
 * @param others the other facts about the company, with its names
 */
export function seenInCourt(
  court: CourtCases | undefined,
  kvkNumber: KvkNumber,
  baselines: readonly Baseline[],
  others: readonly SeenFacts[],
): SeenFacts[] {
  const { currency } = court ?? {};
  const isKnown = baselines.length > 0 || others.length > 0;
  if (court === undefined || currency === undefined || !isKnown) return [];
  const cases = court.casesOf(kvkNumber);
  const seen = (fields: WatchedFields) => [{ origin: COURT_ORIGIN, asOfMs: currency.observedAtMs, fields }];
  const { legalForm } =
    [...others, ...baselines].map(({ fields }) => fields).find((fields) => fields.legalForm) ?? {};
  const open = openCase(cases, legalForm);
  if (open !== undefined) return seen({ insolvency: open.type, insolvencyCase: watchedCase(open) });
  // A case that may not be shown, or that no publication declares, may be open, or an ended one goes on.
  const isUncertain = court.uncertain.has(kvkNumber) || cases.some(({ endedOn }) => endedOn === undefined);
  if (!currency.isCurrent || isUncertain) return [];
  const before = baselines.find(({ origin }) => origin === COURT_ORIGIN)?.fields;
  const possible = cases.filter((one) => isPossible(one, legalForm));
  const isGone = !possible.some(({ caseNumber }) => caseNumber === before?.insolvencyCase?.caseNumber);
  // The insolvency may go on in a case that has lost its number.
  const mayGoOn = () => isGone && hasUnplaced(court, kvkNumber, [...baselines, ...others]);
  if (isInsolvent(before) && mayGoOn()) return [];
  const ended = lastEnded(possible);
  return seen({ insolvency: "none", ...known("insolvencyCase", ended && watchedCase(ended)) });
}

function watchedCase({ since, endedOn, court, caseNumber }: CourtCase): WatchedCase {
  return { ...known("since", since), ...known("endedOn", endedOn), court, caseNumber };
}

/** Whether an open case without a number may be that of the company, by one of its names. */
function hasUnplaced(
  court: CourtCases,
  kvkNumber: KvkNumber,
  facts: readonly { readonly fields: WatchedFields }[],
): boolean {
  return facts.some(
    ({ fields: { name, ...fields } }) =>
      name !== undefined && mayHaveUnplacedCase(court, { kvkNumber, name, ...namesIn(fields) }),
  );
}

function namesIn({ statutoryName, tradingNames, legalForm }: WatchedFields) {
  return {
    ...known("statutoryName", statutoryName),
    ...known("tradingNames", tradingNames),
    ...known("legalForm", legalForm),
  };
}
