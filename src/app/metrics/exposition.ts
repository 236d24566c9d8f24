import { AggregatorRegistry } from "prom-client";
import { type Cells, LAYOUT } from "./layout.ts";
import { READ, type Reading } from "./readings.ts";
import type { ThreadCounts } from "./recorders.ts";

/** A metric as prom-client takes it from one of several processes, to add it to those of the others. */
interface Exposed {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: "sum";
  readonly values: readonly ExposedValue[];
}

interface ExposedValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** Metrics of so many series or fewer are told whole, zeros included: a rate needs to see where a counter began. */
const FEW_SERIES = 40;

/** Everything in Prometheus' text format, threads added up by prom-client. */
export function exposition(threads: readonly ThreadCounts[], readings: readonly Reading[]): Promise<string> {
  const all = [...threads.map(countedOf), readOf(readings)];
  return AggregatorRegistry.aggregate(all.map((metrics) => [...metrics])).metrics();
}

function countedOf({ thread, cells }: ThreadCounts): readonly Exposed[] {
  return LAYOUT.map((laidOut) => {
    const { name, metric } = laidOut;
    const ofThread = metric.isPerThread === true ? { thread } : undefined;
    return {
      name,
      help: helpOf(metric.meaning),
      type: metric.type,
      aggregator: "sum",
      values: valuesOf(laidOut, cells, ofThread),
    };
  });
}

function valuesOf(
  { name, metric, offset, series, cellsPerSeries }: Cells,
  cells: Float64Array,
  ofThread: { readonly thread: string } | undefined,
): readonly ExposedValue[] {
  const values: ExposedValue[] = [];
  for (const [index, own] of series.entries()) {
    const first = offset + index * cellsPerSeries;
    const isIdle = cells.subarray(first, first + cellsPerSeries).every((value) => value === 0);
    if (isIdle && series.length > FEW_SERIES) continue;
    const labels = ofThread === undefined ? own : { ...own, ...ofThread };
    if (metric.buckets === undefined) values.push({ labels, value: cells[first] ?? 0 });
    else values.push(...histogramValues(name, metric.buckets, cells.subarray(first), labels));
  }
  return values;
}

/** Buckets count what is in them alone; Prometheus wants each with all that is below it. */
function histogramValues(
  name: string,
  buckets: readonly number[],
  cells: Float64Array,
  labels: Readonly<Record<string, string>>,
): readonly ExposedValue[] {
  let count = 0;
  const cumulative = [...buckets, "+Inf"].map((le, index): ExposedValue => {
    count += cells[index] ?? 0;
    return { labels: { ...labels, le }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...cumulative,
    { labels, value: cells[buckets.length + 1] ?? 0, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}

function readOf(readings: readonly Reading[]): readonly Exposed[] {
  return Object.entries(READ).flatMap(([name, { type, meaning }]): readonly Exposed[] => {
    const values = readings
      .filter((reading) => reading.name === name)
      .map(({ labels = {}, value }) => ({ labels, value }));
    return values.length === 0 ? [] : [{ name, help: helpOf(meaning), type, aggregator: "sum", values }];
  });
}

/** The documentation's words, without what is Markdown. */
function helpOf(meaning: string): string {
  return meaning.replaceAll("`", "");
}
