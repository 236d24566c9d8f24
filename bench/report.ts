import type { Store } from "./cases.ts";
import { describeMachine, formatCount, formatTime, table } from "./figures.ts";
import { type CaseResult, CONNECTIONS, ROUND_SECONDS } from "./measure.ts";
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
const CASE_HEADER = ["calls/s", "bare server, calls/s", "ratio (promised)", "median", "p99", "memory"];

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
  const { title, minRatio } = result.prepared.bench;
  const min = minRatio[store] ?? 0;
  const ratio = result.ratio < min ? `**${result.ratio.toFixed(2)}**` : result.ratio.toFixed(2);
  return [
    title,
    STORE_NAMES[store],
    formatCount(result.callsPerSecond),
    formatCount(result.bareCallsPerSecond),
    min > 0 ? `${ratio} (≥ ${min.toFixed(2)})` : ratio,
    formatTime(result.medianUs),
    formatTime(result.p99Us),
    `${formatCount(result.memoryBytes / 2 ** 20)} MiB`,
  ];
}
