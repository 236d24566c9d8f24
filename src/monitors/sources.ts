/** The sources of a service, and the types of events that their data can show. */

import { CHANGE_TYPES, type ChangeType } from "../contract/eventTypes.ts";
import { OPEN_DATA_ORIGIN } from "../kvk/liveSource.ts";
import type { MonitorQueries } from "./queries.ts";

/** A source of data about monitored companies, by its origin. Times are milliseconds. */
export interface MonitorSource {
  readonly source: string;
  readonly reports: readonly ChangeType[];
  /** The newest date of its data in the registry. */
  readonly asOfMs?: number;
  /** The time between two calls of it, each about one monitored company; absent if companies are not polled. */
  readonly everyMs?: number;
}

/** How a service monitors companies. */
export interface MonitorService {
  /** The sources of this service. */
  readonly sources: () => readonly MonitorSource[];
  /** How long events are stored. */
  readonly retentionDays: number;
  readonly liveFigures: MonitorQueries["liveFigures"];
}

const STATUS = ["company.deregistered", "company.reactivated"] as const;
/** The types that the data of a source can show. */
const REPORTS: Readonly<Record<string, readonly ChangeType[]>> = {
  gleif: ["company.renamed", "company.moved", "company.legal_form_changed", ...STATUS],
  [OPEN_DATA_ORIGIN]: [...STATUS, "company.insolvency_changed"],
};
/** The types that KVK's API, a table or JSON lines can show. */
const OTHER_REPORTS = CHANGE_TYPES.filter((type) => type !== "company.insolvency_changed");

export function reportsOf(source: string): readonly ChangeType[] {
  return REPORTS[source] ?? OTHER_REPORTS;
}

/** The requested types that no source can show. */
export function notReported(
  sources: readonly MonitorSource[],
  wanted: readonly ChangeType[] = CHANGE_TYPES,
): ChangeType[] {
  return wanted.filter((type) => !sources.some(({ reports }) => reports.includes(type)));
}
