import type { Store } from "./cases.ts";
import { describeMachine, formatCount, formatTime, table } from "./figures.ts";
import { type CaseResult, CONNECTIONS, type Compared, ROUND_SECONDS } from "./measure.ts";
import type { Options } from "./options.ts";
import type { Measured } from "./relevance/measure.ts";
import { classTable } from "./relevance/report.ts";

export type StoreResults = readonly [store: Store, results: readonly CaseResult[]];

export type Figure = readonly [title: string, figure: string];

export interface Report {
  readonly options: Options;
  /** Of the registry: imports, starts, memory. */
  readonly figures: readonly Figure[];
  readonly suggestions: readonly Measured[];
  readonly stores: readonly StoreResults[];
}

const STORE_NAMES: Readonly<Record<Store, string>> = { sqlite: "embedded", postgres: "PostgreSQL" };
const CASE_HEADER = [
  ...["calls/s", "plain design", "ratio (promised)", "bare server", "ratio (promised)"],
  ...["median", "p99 (promised)", "memory"],
];

/** Returns the report in Markdown. */
export function renderReport({ options, figures, suggestions, stores }: Report): string {
  const { companies, rounds } = options;
  const rows = stores.flatMap(([store, results]) => results.map((result) => caseRow(store, result)));
  return [
    `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}; ${formatCount(companies)} companies, ${CONNECTIONS} connections, ${rounds} rounds of ${ROUND_SECONDS} s.`,
    table(["registry", "figure"], 1, figures),
    ...(rows.length === 0 ? [] : [table(["call, charged", "store", ...CASE_HEADER], 2, rows)]),
    ...(suggestions.length === 0 ? [] : ["Suggestions in process:", classTable(suggestions)]),
  ].join("\n\n");
}

function caseRow(store: Store, result: CaseResult): string[] {
  const { title, minPlainRatio, minBareRatio, maxP99Ms } = result.prepared.bench;
  const maxMs = maxP99Ms[store];
  const p99 = formatTime(result.p99Us);
  return [
    title,
    STORE_NAMES[store],
    formatCount(result.callsPerSecond),
    ...comparison(result.plain, minPlainRatio?.[store]),
    ...comparison(result.bare, minBareRatio[store]),
    formatTime(result.medianUs),
    maxMs === undefined ? p99 : `${mark(p99, result.p99Us > maxMs * 1_000)} (≤ ${maxMs} ms)`,
    `${formatCount(result.memoryBytes / 2 ** 20)} MiB`,
  ];
}

/** The speed of a server that ours is compared with, and our ratio to it. */
function comparison(compared: Compared | undefined, min: number | undefined): string[] {
  if (compared === undefined) return ["", ""];
  const { callsPerSecond, ratio } = compared;
  const text = mark(ratio.toFixed(2), min !== undefined && ratio < min);
  return [formatCount(callsPerSecond), min === undefined ? text : `${text} (≥ ${min})`];
}

/** Bold if it misses the promise. */
function mark(text: string, misses: boolean): string {
  return misses ? `**${text}**` : text;
}
