import { READINGS } from "../src/app/metrics/readings.ts";
import { Recorder } from "../src/app/metrics/recorder.ts";

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  /** In Markdown. */
  readonly meaning: string;
}

const { registry, labelNames } = new Recorder("1").metrics;
const counted = await registry.getMetricsAsJSON();

/** Every metric, in the order of the documentation. */
export const METRICS: readonly Metric[] = [
  ...counted.map(({ name, type, help: meaning }) => ({
    name,
    type: String(type),
    labels: labelNames.get(name) ?? [],
    meaning,
  })),
  ...Object.entries(READINGS).map(([name, { labelNames: labels, type, meaning }]) => ({
    name,
    type,
    labels,
    meaning,
  })),
];
