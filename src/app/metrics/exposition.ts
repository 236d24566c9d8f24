import { AggregatorRegistry } from "prom-client";
import { type MetricValues, READINGS } from "./readings.ts";

/**
 * Metrics of one process as prom-client exports them, to be summed with the metrics of others. Their help is Markdown.
 */
export type MetricsPart = readonly { readonly help: string }[];

/** All metrics in the text format of Prometheus, summed over processes by prom-client. */
export function exposition(parts: readonly MetricsPart[]): Promise<string> {
  const plain = parts.map((part) => part.map((one) => ({ ...one, help: one.help.replaceAll("`", "") })));
  return AggregatorRegistry.aggregate(plain).metrics();
}

/** The summed counters and histograms of ended processes, which must not be lost. */
export async function countersOf(parts: readonly MetricsPart[]): Promise<MetricsPart> {
  const summed = await AggregatorRegistry.aggregate([...parts]).getMetricsAsJSON();
  return summed.filter(({ type }) => String(type) !== "gauge");
}

/** Values that are read at a scrape, in the same form as the metrics of processes. */
export function readPart(readings: MetricValues): MetricsPart {
  const byName = new Map(Object.entries(readings));
  return Object.entries(READINGS).flatMap(([name, { type, meaning }]) => {
    const read = byName.get(name) ?? [];
    const all = typeof read === "number" ? [{ labels: {}, value: read }] : read;
    const values = all.filter(({ value }) => Number.isFinite(value));
    return values.length === 0 ? [] : [{ name, help: meaning, type, aggregator: "sum", values }];
  });
}
