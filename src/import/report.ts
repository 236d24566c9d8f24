import type { Rejection } from "../company/rejection.ts";
import { quoted } from "../contract/quoting.ts";
import type { OriginInfo, SnapshotInfo } from "../registry/info.ts";
import type { Written } from "../registry/types.ts";

/** How often something happened, and where first. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
  readonly first: readonly { readonly file: string; readonly line: number; readonly detail?: string }[];
}

/** The result of an import. `read` = `outside` + `skipped` + `used`; `used` = new + changed + unchanged + repeated. */
export interface ImportReport {
  readonly format: string;
  readonly files: readonly string[];
  /** Records that were found. */
  readonly read: number;
  /** Records of companies in other registers. */
  readonly outside: number;
  readonly skipped: number;
  readonly used: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Further records about a company of the same import. */
  readonly repeated: number;
  readonly skippedByReason: readonly ReasonCount[];
  /** Fields of used records that could not be understood. */
  readonly leftOutByReason: readonly ReasonCount[];
  /** Tables that do not end with a line break: where one was cut off, its last row may not be whole. */
  readonly unended: readonly string[];
  /** Columns of tables that hold no known field, by file: `--map` can name their field. */
  readonly unused: readonly { readonly file: string; readonly columns: readonly string[] }[];
  /** With `replace`, origins that are no longer in the registry. */
  readonly gone: readonly OriginInfo[];
  /** The current one; undefined when nothing could be used. */
  readonly snapshot?: SnapshotInfo;
  readonly wrote: Written;
  readonly seconds: number;
}

const FIRST_SHOWN = 3;

/** Counts rejections by reason, with the first places of each. */
export class Tally {
  readonly #reasons = new Map<string, { count: number; first: ReasonCount["first"][number][] }>();

  add(file: string, line: number, { reason, detail }: Rejection): void {
    const entry = this.#reasons.get(reason) ?? { count: 0, first: [] };
    this.#reasons.set(reason, entry);
    entry.count += 1;
    if (entry.first.length < FIRST_SHOWN) {
      entry.first.push({ file, line, ...(detail === undefined ? {} : { detail }) });
    }
  }

  get total(): number {
    return [...this.#reasons.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** The most frequent reason first. */
  byReason(): ReasonCount[] {
    return [...this.#reasons]
      .map(([reason, entry]) => ({ reason, ...entry }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}

/** The report for a person, a line each. */
export function reportLines(report: ImportReport): string[] {
  const { snapshot } = report;
  return [
    counted("read", report.read, report.outside > 0 ? "records" : ""),
    ...(report.outside > 0 ? [counted("not in the Dutch registry", report.outside)] : []),
    counted("new", report.new),
    counted("changed", report.changed),
    counted("unchanged", report.unchanged),
    ...(report.repeated > 0
      ? [counted("repeated", report.repeated, "more than one record of a company")]
      : []),
    counted("skipped", report.skipped),
    ...report.skippedByReason.flatMap(reasonLines),
    ...(report.leftOutByReason.length > 0 ? ["left out of companies that were used:"] : []),
    ...report.leftOutByReason.flatMap(reasonLines),
    ...report.unended.map(
      (file) =>
        `${file} does not end with a line break: where it was cut off, its last row may not be whole.`,
    ),
    ...report.unused.map(
      ({ file, columns }) => `${file}: columns that were not used: ${shownColumns(columns)}.`,
    ),
    ...report.gone.map(
      ({ origin, companies }) => `No longer held: ${shown(companies)} companies of ${origin}.`,
    ),
    snapshot === undefined
      ? "Nothing could be used; the registry is as it was."
      : `${OUTCOME[report.wrote](snapshot.number)}: ${shown(snapshot.companies)} companies, after ${report.seconds.toFixed(1)} s.`,
  ];
}

const MAX_COLUMNS_SHOWN = 30;

/** Lists columns in a message. */
export function shownColumns(columns: readonly string[]): string {
  const shownOnes = columns.slice(0, MAX_COLUMNS_SHOWN).map((column) => quoted(column));
  const more = columns.length - shownOnes.length;
  return shownOnes.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const OUTCOME: Readonly<Record<Written, (number: number) => string>> = {
  base: (number) => `Snapshot ${number}`,
  segment: (number) => `Snapshot ${number}, by a segment of what changed`,
  nothing: (number) => `Nothing changed, snapshot ${number} stays`,
};

function reasonLines({ reason, count, first }: ReasonCount): string[] {
  const places = first.map(
    ({ file, line, detail }) =>
      `${" ".repeat(14)}${file}:${line}${detail === undefined ? "" : `  ${detail}`}`,
  );
  return [`${shown(count).padStart(12)}  ${reason}`, ...places];
}

function counted(what: string, count: number, remark = ""): string {
  return `${what.padEnd(26)} ${shown(count).padStart(12)}${remark === "" ? "" : `  ${remark}`}`;
}

function shown(count: number): string {
  return count.toLocaleString("en");
}
