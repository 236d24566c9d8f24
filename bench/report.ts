import { cpus, totalmem } from "node:os";
import type { CaseResult } from "./measure.ts";
import type { Options, Store } from "./options.ts";
import type { Measured } from "./relevance/measured.ts";

export interface Report {
  readonly options: Options;
  readonly importSeconds: number;
  readonly suggestions: readonly Measured[];
  readonly results: readonly (readonly [Store, readonly CaseResult[]])[];
}

const STORE_NAMES: Readonly<Record<Store, string>> = { sqlite: "embedded", postgres: "PostgreSQL" };

/** The report in Markdown. */
export function renderReport({ options, importSeconds, suggestions, results }: Report): string {
  const { companies, rounds, seconds, connections } = options;
  const rows = results.flatMap(([store, cases]) => cases.map((result) => caseRow(store, result)));
  return [
    `${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB; ${count(companies)} companies, ${connections} connections, ${rounds} rounds of ${seconds} s.`,
    `Import: ${importSeconds.toFixed(1)} s, ${count(companies / importSeconds)} rows/s.`,
    ...(rows.length === 0
      ? []
      : [
          [
            "| call, charged | store | calls/s | bare server, calls/s | ratio (promised) | median | p99 | memory |",
            "|---|---|--:|--:|--:|--:|--:|--:|",
            ...rows,
          ].join("\n"),
        ]),
    [
      "| suggestions in process | queries | median | p99 | max |",
      "|---|--:|--:|--:|--:|",
      ...suggestions.map(
        ({ queryClass: { title }, relevance: { queries, medianUs, p99Us, worstUs } }) =>
          `| ${title} | ${count(queries)} | ${time(medianUs)} | ${time(p99Us)} | ${time(worstUs)} |`,
      ),
    ].join("\n"),
  ].join("\n\n");
}

function caseRow(store: Store, result: CaseResult): string {
  const { title, minRatio } = result.prepared.bench;
  const promised = minRatio?.[store];
  const ratio = result.ratio.toFixed(2);
  const cells = [
    title,
    STORE_NAMES[store],
    count(result.callsPerSecond),
    count(result.bareCallsPerSecond),
    promised === undefined
      ? ratio
      : `${result.ratio < promised ? `**${ratio}**` : ratio} (≥ ${promised.toFixed(2)})`,
    time(result.medianUs),
    time(result.p99Us),
    result.memoryBytes === undefined ? "–" : `${Math.round(result.memoryBytes / 2 ** 20)} MiB`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function time(us: number): string {
  return us < 1_000 ? `${us.toFixed(0)} µs` : `${(us / 1_000).toFixed(2)} ms`;
}
