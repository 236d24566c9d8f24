import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Label names, each with its closed list of values, so that no caller can create further series. */
type Labels<Label extends string> = Readonly<Record<Label, readonly string[]>>;

/**
 * Metrics with at most this many series are reported from the start, zeros included: a rate needs the start of a
 * counter.
 */
const FEW_SERIES = 60;

/** The counted metrics of a process. Each has a name, its meaning in Markdown, and its labels. */
export class CountedMetrics {
  readonly registry = new Registry();
  /** The label names of each metric. */
  readonly labelNames = new Map<string, readonly string[]>();

  counter<Label extends string>(name: string, meaning: string, labels?: Labels<Label>): Counter<Label> {
    const counter = new Counter(this.#configOf(name, meaning, labels));
    const series = seriesOf(labels ?? {});
    if (series.length <= FEW_SERIES) for (const one of series) counter.inc(one, 0);
    return counter;
  }

  gauge<Label extends string>(name: string, meaning: string, labels?: Labels<Label>): Gauge<Label> {
    return new Gauge(this.#configOf(name, meaning, labels));
  }

  /** @param buckets their upper limits; `+Inf` is added */
  histogram<Label extends string>(
    name: string,
    meaning: string,
    buckets: number[],
    labels?: Labels<Label>,
  ): Histogram<Label> {
    return new Histogram({ ...this.#configOf(name, meaning, labels), buckets });
  }

  #configOf(name: string, help: string, labels: Labels<string> = {}) {
    const labelNames = Object.keys(labels);
    this.labelNames.set(name, labelNames);
    return { name, help, labelNames, registers: [this.registry] };
  }
}

/** Every combination of label values. */
function seriesOf(labels: Labels<string>): Readonly<Record<string, string>>[] {
  let series: Readonly<Record<string, string>>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    series = series.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return series;
}
