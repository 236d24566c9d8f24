import { COUNTED, type CountedMetric, labelNamesOf } from "./counted.ts";
import { READ } from "./readings.ts";

/** Every metric with what the documentation says of it, in its order. */
export const METRICS: readonly {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly meaning: string;
}[] = [
  ...Object.entries(COUNTED).map(([name, metric]: [string, CountedMetric]) => ({
    name,
    type: metric.type,
    labels: labelNamesOf(metric),
    meaning: metric.meaning,
  })),
  ...Object.entries(READ).map(([name, { type, labels, meaning }]) => ({
    name,
    type,
    labels: Object.keys(labels),
    meaning,
  })),
];
