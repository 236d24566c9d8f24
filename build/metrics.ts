import { COUNTED } from "../src/app/metrics/counted.ts";
import { READ } from "../src/app/metrics/readings.ts";

/** Every metric, in the order of the documentation. */
export const METRICS: readonly {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly meaning: string;
}[] = [
  ...Object.entries(COUNTED).map(([name, { labels, ...own }]) => ({
    name,
    ...own,
    labels: Object.keys(labels),
  })),
  ...Object.entries(READ).map(([name, { labelNames, ...own }]) => ({ name, ...own, labels: labelNames })),
];
