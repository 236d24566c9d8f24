/** Compares the facts of each origin about a company with its earlier ones. */
import { withVersions } from "../company/activities.ts";
import type { ChangeType } from "../contract/eventTypes.ts";
import { COURT_ORIGIN } from "../contract/insolvency.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { type ChangedField, withCase } from "./courtChanges.ts";
import { type Difference, difference, FIELDS, type Field, latestKnown, typeOf } from "./differences.ts";
import { decidingBaseline, firstInsolvency, statusChange } from "./firstFacts.ts";
import type { Baseline, Observation, ObservedChange, Recency, WatchedFields } from "./types.ts";
import { FIELDS_FORMAT, withoutHiddenParts } from "./watchedFields.ts";

const MAX_FORMER_NAMES = 100;

/** The facts of one origin, from the snapshot or from an answer. */
export interface SeenFacts {
  readonly origin: string;
  readonly asOfMs: number;
  /** When the snapshot with these facts was built; absent for answers, which have a date of their own. */
  readonly serialMs?: number;
  /** The day on which the company ended, if older facts call it active: from that day on these facts count as newer. */
  readonly endedAtMs?: number;
  readonly fields: WatchedFields;
}

/**
 * Returns the baselines to store for a company, each with the changes since the previous one. Facts count only if they
 * are newer than the baseline of their origin, so that lagging processes and rollbacks are ignored. Each origin is
 * compared only with its own earlier facts: two origins differ even when nothing has happened. If one origin shields
 * the address, it is shielded in all.
 */
export function compareCompany(
  kvkNumber: KvkNumber,
  stored: readonly Baseline[],
  seen: readonly SeenFacts[],
): readonly Observation[] {
  const before = new Map(stored.map((baseline) => [baseline.origin, baseline]));
  const newer = newestSeen(before, seen);
  const isShielded = shields(before, seen);
  const shown = (fields: WatchedFields) => (isShielded ? withoutHiddenParts(fields) : fields);
  const latest = new Map(
    stored.map((baseline) => [
      baseline.origin,
      // An earlier version stored activities without their version.
      { ...baseline, fields: withVersions(shown(baseline.fields), baseline) },
    ]),
  );
  const observations: Observation[] = [];
  for (const { origin, fields: given, ...recency } of newer) {
    const fields = withVersions(given, { origin, ...recency });
    const replaced = before.get(origin);
    const previous = latest.get(origin);
    const isComparable = previous?.format === FIELDS_FORMAT;
    const changed = isComparable
      ? changedFields(previous, shown(fields), latest)
      : new Map<ChangedField, Difference>();
    const baseline: Baseline = {
      ...{ kvkNumber, origin, ...recency, format: FIELDS_FORMAT },
      fields: isComparable
        ? nextFields(previous, shown(fields), recency)
        : { ...shown(fields), since: { all: recency.asOfMs } },
    };
    latest.set(origin, baseline);
    observations.push({
      replaces: replaced && { asOfMs: replaced.asOfMs, serialMs: replaced.serialMs },
      baseline,
      changes: [
        ...changesOf(changed),
        ...(isFirstToReport(baseline, stored, newer) ? firstInsolvency(baseline) : []),
      ],
      ...(replaced && shown(replaced.fields) !== replaced.fields && { hidesAddress: true }),
    });
  }
  const isStored = new Set(newer.map(({ origin }) => origin));
  for (const baseline of stored) {
    const fields = shown(baseline.fields);
    if (isStored.has(baseline.origin) || fields === baseline.fields) continue;
    const { asOfMs, serialMs } = baseline;
    const hidden = { ...baseline, fields };
    observations.push({ replaces: { asOfMs, serialMs }, baseline: hidden, changes: [], hidesAddress: true });
  }
  return withStatus(observations, stored, latest.values());
}

/** Whether facts of an origin are the first about an insolvency, and no other origin shows the same. */
function isFirstToReport(
  { origin, fields: { insolvency } }: Baseline,
  stored: readonly Baseline[],
  newer: readonly NewFacts[],
): boolean {
  const before = stored.find((one) => one.origin === origin);
  if (before?.fields.insolvency !== undefined) return false;
  const others =
    origin === COURT_ORIGIN ? stored : [...stored, ...newer.filter((one) => one.origin === COURT_ORIGIN)];
  return !others.some((other) => other.origin !== origin && other.fields.insolvency === insolvency);
}

interface NewFacts extends Recency {
  readonly origin: string;
  readonly fields: WatchedFields;
}

/** The facts to store, one for each origin, in the order of their dates. */
function newestSeen(before: ReadonlyMap<string, Baseline>, seen: readonly SeenFacts[]): NewFacts[] {
  const newest = new Map<string, NewFacts>();
  for (const { origin, asOfMs, serialMs, endedAtMs = 0, fields } of seen) {
    const baseline = before.get(origin);
    // Answers belong to no snapshot.
    const serial = Math.max(serialMs ?? baseline?.serialMs ?? 0, endedAtMs);
    const facts = { origin, asOfMs, serialMs: serial, fields };
    const counts = baseline === undefined || isNewer(facts, baseline) || isOtherFormat(facts, baseline);
    const other = newest.get(origin);
    if (counts && (other === undefined || other.asOfMs < asOfMs)) newest.set(origin, facts);
  }
  return [...newest.values()].sort((a, b) => a.asOfMs - b.asOfMs || (a.origin < b.origin ? -1 : 1));
}

function isOlder(one: Recency, other: Recency): boolean {
  return one.asOfMs < other.asOfMs || one.serialMs < other.serialMs;
}

function isNewer(one: Recency, other: Recency): boolean {
  return !isOlder(one, other) && isOlder(other, one);
}

function isOtherFormat(facts: Recency, baseline: Baseline): boolean {
  return baseline.format !== FIELDS_FORMAT && !isOlder(facts, baseline);
}

/** Whether an origin shields the address, by its latest facts or, without any, by its baseline. */
function shields(before: ReadonlyMap<string, Baseline>, seen: readonly SeenFacts[]): boolean {
  const latest = new Map<string, Pick<SeenFacts, "asOfMs" | "fields">>(before);
  for (const facts of seen) {
    const other = latest.get(facts.origin);
    const hasAddress = facts.fields.address !== undefined;
    if (other === undefined || (hasAddress && facts.asOfMs >= other.asOfMs)) latest.set(facts.origin, facts);
  }
  return [...latest.values()].some(({ fields }) => fields.address?.isShielded === true);
}

/** The changed fields, except those in which the origin only catches up with another one. */
function changedFields(
  previous: Baseline,
  now: WatchedFields,
  latest: ReadonlyMap<string, Baseline>,
): ReadonlyMap<ChangedField, Difference> {
  const others = [...latest.values()].filter(
    ({ origin, format }) => origin !== previous.origin && format === FIELDS_FORMAT,
  );
  const changed = new Map<ChangedField, Difference>();
  for (const field of FIELDS) {
    const found = difference(field, previous.fields, now);
    if (found === undefined) continue;
    const sinceMs = sinceOf(previous, field);
    const isKnown = others.some(
      ({ asOfMs, fields }) =>
        asOfMs > sinceMs &&
        fields[field] !== undefined &&
        difference(field, fields, now) === undefined &&
        difference(field, previous.fields, fields) !== undefined,
    );
    if (!isKnown) changed.set(field, found);
  }
  return withCase(changed, previous.fields, now);
}

/** The date of the data in which an origin first had the value of its baseline. */
function sinceOf({ asOfMs, fields: { since } }: Baseline, field: Field): number {
  return since?.[field] ?? since?.["all"] ?? asOfMs;
}

function nextFields(previous: Baseline, now: WatchedFields, { asOfMs }: Recency): WatchedFields {
  const changed = FIELDS.filter((field) => difference(field, previous.fields, now) !== undefined);
  const since = {
    ...{ all: previous.asOfMs, ...previous.fields.since },
    ...Object.fromEntries(changed.map((field) => [field, asOfMs])),
  };
  const { name = [], statutoryName = [], tradingNames = [], formerNames = [] } = previous.fields;
  const names = new Set([formerNames, name, statutoryName, tradingNames].flat());
  const former = changed.some((field) => typeOf(field) === "company.renamed")
    ? { formerNames: [...names].slice(-MAX_FORMER_NAMES) }
    : {};
  return { ...latestKnown(previous.fields, now), ...former, since };
}

/** One change for each type. */
function changesOf(changed: ReadonlyMap<ChangedField, Difference>): ObservedChange[] {
  const byType = new Map<ChangeType, Record<string, Difference>>();
  for (const [field, found] of changed) {
    const type = typeOf(field === "insolvencyCase" ? "insolvency" : field);
    byType.set(type, { ...byType.get(type), [field]: found });
  }
  return [...byType].map(([type, changes]) => ({ type, changes }));
}

/** Adds a change of activity, judged by all origins, to the observation that causes it. */
function withStatus(
  observations: readonly Observation[],
  stored: readonly Baseline[],
  latest: Iterable<Baseline>,
) {
  const [was, now] = [decidingBaseline(stored), decidingBaseline(latest)];
  const isActive = now?.fields.isActive ?? true;
  if (now === undefined || isActive === (was?.fields.isActive ?? true)) return observations;
  // In the first facts of an origin the company may have ended long ago.
  const isKnown =
    isActive || stored.some(({ origin, fields }) => origin === now.origin && fields.isActive !== undefined);
  const change = statusChange(isKnown ? { ...was?.fields, isActive: !isActive } : {}, now.fields);
  const origins = observations.map(({ baseline }) => baseline.origin);
  const origin = origins.includes(now.origin) ? now.origin : was?.origin;
  return observations.map((one) =>
    one.baseline.origin === origin ? { ...one, changes: [...one.changes, change] } : one,
  );
}
