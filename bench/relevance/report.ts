import { describeMachine, formatCount, formatPercent, formatTime, table } from "../figures.ts";
import { type Measured, PLACES, placeOf } from "./measure.ts";
import type { Half, RegistrySize } from "./registry.ts";

const FIGURES = { first: "first", shown: `in the first ${PLACES}` } as const;

/** Returns the report in Markdown. Figures below the promised minimum are bold. */
export function renderReport(size: RegistrySize, half: Half, measured: readonly Measured[]): string {
  const registry = `${formatCount(size.companies)} generated companies and ${formatCount(size.real.length)} real ones`;
  const sections = (["real", "generated"] as const).flatMap((source) => {
    const rows = measured.filter((one) => one.source === source);
    const title = source === "real" ? "### Real names" : "### Generated names";
    return rows.length === 0 ? [] : [title, classTable(rows)];
  });
  return [`Registry: ${registry}; the half “${half}”; ${describeMachine()}.`, ...sections].join("\n\n");
}

/** Returns a table with a row for each class. */
export function classTable(measured: readonly Measured[]): string {
  const rows = measured.map((one) => {
    const { queries, reciprocalRank, medianUs, p99Us, maxUs } = one.relevance;
    const shares = [withMinimum(one, "first"), withMinimum(one, "shown"), reciprocalRank.toFixed(3)];
    return [
      one.queryClass.title,
      formatCount(queries),
      ...shares,
      ...[medianUs, p99Us, maxUs].map(formatTime),
    ];
  });
  const figures = [FIGURES.first, FIGURES.shown, "mean reciprocal rank", "median", "p99", "worst"];
  return table(["typed", "queries", ...figures], 1, rows);
}

function minimumOf({ source, queryClass }: Measured, figure: keyof typeof FIGURES): number | undefined {
  return source === "real" ? queryClass.min?.[figure] : undefined;
}

function withMinimum(one: Measured, figure: keyof typeof FIGURES): string {
  const shown = formatPercent(one.relevance[figure]);
  const min = minimumOf(one, figure);
  if (min === undefined) return shown;
  return `${one.relevance[figure] >= min ? shown : `**${shown}**`} (≥ ${formatPercent(min)})`;
}

/** Returns a line for each minimum that real names miss, or one line when there are no real names. */
export function missedMinimums(measured: readonly Measured[]): string[] {
  const real = measured.filter(({ source }) => source === "real");
  if (real.length === 0) return ["no real names were measured"];
  return real.flatMap((one) =>
    (["first", "shown"] as const).flatMap((figure) => {
      const min = minimumOf(one, figure);
      const { [figure]: reached, queries } = one.relevance;
      if (min === undefined || (queries > 0 && reached >= min)) return [];
      return `${one.queryClass.title}, ${FIGURES[figure]}: ${formatPercent(reached)} of ${queries} real names, at least ${formatPercent(min)} promised`;
    }),
  );
}

/** Returns the queries that do not find their company first, as lines of JSON. */
export function renderMisses(measured: readonly Measured[]): string {
  const lines = measured.flatMap(({ source, queryClass, queries, answers }) =>
    queries.flatMap(({ q, target }, index) => {
      const place = placeOf(target, answers[index]);
      if (place === 1) return [];
      const hits = answers[index]?.hits.map(({ name }) => name);
      const miss = { source, class: queryClass.id, q, target: target.name, place: place ?? null, hits };
      return [`${JSON.stringify(miss)}\n`];
    }),
  );
  return lines.join("");
}
