import { AggregatorRegistry } from "prom-client";
import { type MetricValues, READ } from "./readings.ts";

/** Metrics of one process as prom-client exports them, to be summed with those of others. */
export type MetricsPart = readonly object[];

/** All metrics in the text format of Prometheus, summed over processes by prom-client. */
export function exposition(parts: readonly MetricsPart[]): Promise<string> {
  return aggregate(parts).metrics();
}

/** The summed counters and histograms of ended processes, which must not be lost. */
export async function countersOf(parts: readonly MetricsPart[]): Promise<MetricsPart> {
  return (await aggregate(parts).getMetricsAsJSON()).filter(({ type }) => String(type) !== "gauge");
}

function aggregate(parts: readonly MetricsPart[]): ReturnType<typeof AggregatorRegistry.aggregate> {
  return AggregatorRegistry.aggregate(parts.map((part) => [...part]));
}

/** Values that are read at a scrape, in the same form as those of the processes. */
export function readPart(readings: MetricValues): MetricsPart {
  const byName = new Map(Object.entries(readings));
  return Object.entries(READ).flatMap(([name, { type, meaning }]) => {
    const read = byName.get(name) ?? [];
    const all = typeof read === "number" ? [{ labels: {}, value: read }] : read;
    const values = all.filter(({ value }) => Number.isFinite(value));
    return values.length === 0 ? [] : [{ name, help: helpOf(meaning), type, aggregator: "sum", values }];
  });
}

/** Returns a metric's help without Markdown. */
export function helpOf(meaning: string): string {
  return meaning.replaceAll("`", "");
}
