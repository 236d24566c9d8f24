/** Whether a company is active, by all origins, and the facts that a new monitor reports. */
import { byFreshness } from "../company/merge.ts";
import { COURT_ORIGIN } from "../contract/insolvency.ts";
import { OPEN_DATA_ORIGIN } from "../kvk/liveSource.ts";
import { known } from "../lib/values.ts";
import type { Baseline, ObservedChange, WatchedFields } from "./types.ts";

/**
 * The baseline that decides whether a company is active, as in lookups. A baseline with an end decides if it comes from
 * KVK's open data or if the end was announced before; otherwise the newest one does. An active company in open data
 * decides nothing.
 */
export function decidingBaseline(baselines: Iterable<Baseline>): Baseline | undefined {
  const isEnd = ({ origin, asOfMs, fields: { isActive, deregistrationDate = "" } }: Baseline) =>
    isActive === false && (origin === OPEN_DATA_ORIGIN || Date.parse(deregistrationDate) > asOfMs);
  const freshest = [...baselines].filter(({ fields }) => fields.isActive !== undefined).sort(byFreshness);
  return freshest.find(isEnd) ?? freshest.find(({ origin }) => origin !== OPEN_DATA_ORIGIN);
}

/** The end and the insolvency of a company without earlier facts, each with the baseline that shows it. */
export function firstFacts(
  baselines: readonly Baseline[],
): (ObservedChange & { readonly baseline: Baseline })[] {
  const decides = decidingBaseline(baselines);
  const end =
    decides?.fields.isActive === false ? [{ ...statusChange({}, decides.fields), baseline: decides }] : [];
  // The court decides. Two origins with the same insolvency are one event.
  const insolvent = baselines
    .filter((one) => firstInsolvency(one).length > 0)
    .sort((a, b) => Number(b.origin === COURT_ORIGIN) - Number(a.origin === COURT_ORIGIN));
  return [
    ...end,
    ...insolvent
      .slice(0, 1)
      .flatMap((baseline) => firstInsolvency(baseline).map((one) => ({ ...one, baseline }))),
  ];
}

/** Has no earlier value if that was unknown. */
export function statusChange(before: WatchedFields, now: WatchedFields): ObservedChange {
  const differing = (["isActive", "deregistrationDate"] as const).filter(
    (field) => before[field] !== now[field],
  );
  const changes = differing.map((field) => [
    field,
    { ...known("previous", before[field]), ...known("current", now[field]) },
  ]);
  const type = now.isActive === true ? "company.reactivated" : "company.deregistered";
  return { type, changes: Object.fromEntries(changes) };
}

/** An insolvency in the first facts of an origin. */
export function firstInsolvency({ fields: { insolvency, insolvencyCase } }: Baseline): ObservedChange[] {
  if (insolvency === undefined || insolvency === "none") return [];
  const ofCase = insolvencyCase === undefined ? {} : { insolvencyCase: { current: insolvencyCase } };
  return [
    { type: "company.insolvency_changed", changes: { insolvency: { current: insolvency }, ...ofCase } },
  ];
}
