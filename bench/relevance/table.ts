import { cpus } from "node:os";
import { BARS, percent } from "./bars.ts";
import type { OtherResult } from "./engines/climb.ts";
import { type Measured, SOURCES, type Source } from "./measured.ts";
import { PLACES, type Relevance, relevanceOf } from "./metrics.ts";
import type { Options } from "./options.ts";

export interface Report {
  readonly options: Options;
  readonly realNames: number;
  readonly measured: readonly Measured[];
  /** The queries that the others were asked too, whose answers are in the same order, with our answers. */
  readonly compared: readonly Measured[];
  readonly others: readonly OtherResult[];
}

const TITLES: Readonly<Record<Source, string>> = { real: "Real names", generated: "Generated names" };

/** The whole report as Markdown. */
export function renderReport(report: Report): string {
  const { options, realNames } = report;
  const registry = `${count(options.companies)} generated companies${realNames > 0 ? ` and ${count(realNames)} real ones` : ""}`;
  const sections = SOURCES.flatMap((source) => {
    const rows = report.measured.filter((measured) => measured.source === source);
    if (rows.length === 0) return [];
    return [`### ${TITLES[source]}`, ourTable(rows, source), ...comparison(report, source)];
  });
  return [
    `Registry: ${registry}; ${options.half === "tune" ? "**the half that tunes**" : "the measured half"}, seed ${options.seed}; Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}.`,
    ...sections,
    ...limits(report.others),
  ].join("\n\n");
}

function ourTable(rows: readonly Measured[], source: Source): string {
  const lines = rows.map(({ queryClass, relevance }) =>
    [
      `| ${queryClass.title}`,
      count(relevance.queries),
      withBar(relevance, queryClass.id, "first", source),
      withBar(relevance, queryClass.id, "among", source),
      relevance.reciprocalRank.toFixed(3),
      micros(relevance.medianUs),
      micros(relevance.p99Us),
      `${micros(relevance.worstUs)} |`,
    ].join(" | "),
  );
  return [
    `| typed | queries | first | in the first ${PLACES} | mean reciprocal rank | median | p99 | worst |`,
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...lines,
  ].join("\n");
}

function withBar(relevance: Relevance, classId: string, figure: "first" | "among", source: Source): string {
  const shown = percent(relevance[figure]);
  const bar = BARS.find((one) => one.classId === classId && one.figure === figure);
  if (source !== "real" || bar === undefined) return shown;
  return relevance[figure] >= bar.least
    ? `${shown} (≥ ${percent(bar.least)})`
    : `**${shown}** (≥ ${percent(bar.least)})`;
}

/** The same queries asked of ours and of the others: first, in the first places, median time. */
function comparison({ options, compared, others }: Report, source: Source): string[] {
  const asked = others.filter(({ companies }) => companies > 0);
  if (asked.length === 0) return [];
  const rows = compared.flatMap((ours, index) => {
    if (ours.source !== source) return [];
    const from = compared.slice(0, index).reduce((sum, { queries }) => sum + queries.length, 0);
    const cells = asked.map(({ answers }) =>
      short(relevanceOf(ours.queries, answers.slice(from, from + ours.queries.length))),
    );
    return [
      `| ${[ours.queryClass.title, count(ours.queries.length), short(ours.relevance), ...cells].join(" | ")} |`,
    ];
  });
  const heads = asked.map(({ other, companies }) => `${other.title}, ${count(companies)}`);
  return [
    `The same queries, ${options.othersNames} of each class at most, in registries of as many generated companies: % first · % in the first ${PLACES} · median`,
    [
      `| ${["typed", "queries", `Opzoek, ${count(options.companies)}`, ...heads].join(" | ")} |`,
      `|---|--:|--:${"|--:".repeat(asked.length)}|`,
      ...rows,
    ].join("\n"),
  ];
}

function limits(others: readonly OtherResult[]): string[] {
  const lines = others.flatMap(({ other, limit }) =>
    limit === undefined ? [] : [`- ${other.title}: too much with ${limit}`],
  );
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function short({ first, among, medianUs }: Relevance): string {
  return `${(first * 100).toFixed(0)} · ${(among * 100).toFixed(0)} · ${micros(medianUs)}`;
}

/** A time for a table. */
export function micros(us: number): string {
  return us >= 10_000
    ? `${(us / 1_000).toFixed(0)} ms`
    : us >= 1_000
      ? `${(us / 1_000).toFixed(1)} ms`
      : `${us.toFixed(0)} µs`;
}

/** A number for a table. */
export function count(value: number): string {
  return value.toLocaleString("en");
}
