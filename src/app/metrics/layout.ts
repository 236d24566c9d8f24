/** Where each counter lies in a thread's shared buffer. */
import { COUNTED, type CountedMetric, type CountedName } from "./counted.ts";

/** The cells of one metric. Of a histogram each series has its buckets, the last one `+Inf`, and then the sum. */
export interface Cells {
  readonly name: CountedName;
  readonly metric: CountedMetric;
  readonly offset: number;
  /** Label values of each series, in the order of the cells. */
  readonly series: readonly Readonly<Record<string, string>>[];
  readonly cellsPerSeries: number;
}

const laidOut = new Map<CountedName, Cells>();
let length = 0;
for (const [name, metric] of Object.entries(COUNTED) as [CountedName, CountedMetric][]) {
  const series = seriesOf(metric);
  const cellsPerSeries = metric.buckets === undefined ? 1 : metric.buckets.length + 2;
  laidOut.set(name, { name, metric, offset: length, series, cellsPerSeries });
  length += series.length * cellsPerSeries;
}

export const LAYOUT: readonly Cells[] = [...laidOut.values()];
/** Of one thread's buffer. */
export const BUFFER_BYTES = length * Float64Array.BYTES_PER_ELEMENT;

export function cellsOf(name: CountedName): Cells {
  const cells = laidOut.get(name);
  if (cells === undefined) throw new TypeError(`nothing counts ${name}`);
  return cells;
}

/** Every combination of label values, the last label's running fastest. */
function seriesOf({ labels }: CountedMetric): Readonly<Record<string, string>>[] {
  let series: Readonly<Record<string, string>>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    series = series.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return series;
}
