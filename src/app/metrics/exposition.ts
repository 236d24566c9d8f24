import { AggregatorRegistry } from "prom-client";
import { READ, type Reading } from "./readings.ts";

/** Metrics of one process as prom-client exports them, to be added to those of others. */
export type MetricsPart = readonly object[];

/** Everything in Prometheus' text format, processes added up by prom-client. */
export function exposition(parts: readonly MetricsPart[]): Promise<string> {
  return aggregate(parts).metrics();
}

/** Counters and histograms of processes that have ended, added up: what they counted stays counted. */
export async function countersOf(parts: readonly MetricsPart[]): Promise<MetricsPart> {
  return (await aggregate(parts).getMetricsAsJSON()).filter(({ type }) => String(type) !== "gauge");
}

function aggregate(parts: readonly MetricsPart[]): ReturnType<typeof AggregatorRegistry.aggregate> {
  return AggregatorRegistry.aggregate(parts.map((part) => [...part]));
}

/** Values that are read at a scrape, as a part like those of the processes. */
export function readPart(readings: readonly Reading[]): MetricsPart {
  return Object.entries(READ).flatMap(([name, { type, meaning }]) => {
    const values = readings
      .filter((reading) => reading.name === name)
      .map(({ labels = {}, value }) => ({ labels, value }));
    return values.length === 0 ? [] : [{ name, help: helpOf(meaning), type, aggregator: "sum", values }];
  });
}

/** The documentation's words without their Markdown. */
export function helpOf(meaning: string): string {
  return meaning.replaceAll("`", "");
}
