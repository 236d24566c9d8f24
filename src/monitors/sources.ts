/** The sources of a service, and the types of events that their data can show. */

import {
  CHANGE_TYPES,
  CHANGES,
  type ChangeType,
  OTHER_SOURCES,
  USUAL_CHANGE_TYPES,
} from "../contract/eventTypes.ts";
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

const NAMED = new Set(CHANGE_TYPES.flatMap((type) => CHANGES[type].sources));

/** The types that the data of a source can show. */
export function reportsOf(source: string): readonly ChangeType[] {
  const named = NAMED.has(source) ? source : OTHER_SOURCES;
  return CHANGE_TYPES.filter((type) => CHANGES[type].sources.includes(named));
}

/** The requested types that no source can show. */
export function notReported(
  sources: readonly MonitorSource[],
  wanted: readonly ChangeType[] = USUAL_CHANGE_TYPES,
): ChangeType[] {
  return wanted.filter((type) => !sources.some(({ reports }) => reports.includes(type)));
}
