import { cpus } from "node:os";
import { BARS, percent } from "./bars.ts";
import { type Measured, PLACES, type Relevance, SOURCES, type Source } from "./measured.ts";
import type { Options } from "./options.ts";

const TITLES: Readonly<Record<Source, string>> = { real: "Real names", generated: "Generated names" };

/** The whole report as Markdown. */
export function renderReport(options: Options, realNames: number, measured: readonly Measured[]): string {
  const registry = `${count(options.companies)} generated companies${realNames > 0 ? ` and ${count(realNames)} real ones` : ""}`;
  const half = options.half === "tune" ? "**the half that tunes**" : "the measured half";
  const sections = SOURCES.flatMap((source) => {
    const rows = measured.filter((one) => one.source === source);
    return rows.length === 0 ? [] : [`### ${TITLES[source]}`, table(rows, source)];
  });
  return [
    `Registry: ${registry}; ${half}, seed ${options.seed}; Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}.`,
    ...sections,
  ].join("\n\n");
}

function table(rows: readonly Measured[], source: Source): string {
  const lines = rows.map(({ queryClass, relevance }) => {
    const cells = [
      queryClass.title,
      count(relevance.queries),
      withBar(relevance, queryClass.id, "first", source),
      withBar(relevance, queryClass.id, "among", source),
      relevance.reciprocalRank.toFixed(3),
      ...[relevance.medianUs, relevance.p99Us, relevance.worstUs].map(time),
    ];
    return `| ${cells.join(" | ")} |`;
  });
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
  return `${relevance[figure] >= bar.least ? shown : `**${shown}**`} (≥ ${percent(bar.least)})`;
}

function time(us: number): string {
  if (us < 1_000) return `${us.toFixed(0)} µs`;
  return `${(us / 1_000).toFixed(us < 10_000 ? 1 : 0)} ms`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
