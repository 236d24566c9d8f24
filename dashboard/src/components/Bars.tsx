import { BarChart, type BarChartProps } from "@mantine/charts";
import { useLanguage } from "../language/language.tsx";

interface Props<Name extends string> extends Pick<BarChartProps, "h" | "maxBarWidth" | "withLegend"> {
  /** The accessible name of the chart. */
  readonly label: string;
  /** The bars from left to right, with a figure for each of their parts. */
  readonly bars: readonly ({ readonly title: string } & Readonly<Partial<Record<Name, number>>>)[];
  /** The parts of a bar, from the bottom. */
  readonly parts: readonly { readonly name: Name; readonly label: string; readonly color: string }[];
  /** The minimum gap between the titles, pixels. Titles that do not fit are omitted. */
  readonly titleGap?: number;
}

const MIN_AXIS_PX = 44;
const CHARACTER_PX = 8;
const MARGIN_PX = 16;

/** A bar chart. Its figures must be in a table too, for people who cannot see it. */
export function Bars<Name extends string>({ label, bars, parts, titleGap = 16, ...chart }: Props<Name>) {
  const { number } = useLanguage().formats;
  const heights = bars.map((bar) => parts.reduce((sum, { name }) => sum + (bar[name] ?? 0), 0));
  // Just enough for the largest figure.
  const axisPx = MARGIN_PX + CHARACTER_PX * number(Math.max(0, ...heights)).length;
  return (
    <div role="img" aria-label={label}>
      <BarChart
        {...chart}
        data={[...bars]}
        dataKey="title"
        type="stacked"
        legendProps={{ verticalAlign: "bottom" }}
        series={[...parts]}
        valueFormatter={number}
        yAxisProps={{ allowDecimals: false, width: Math.max(MIN_AXIS_PX, axisPx) }}
        xAxisProps={{ minTickGap: titleGap }}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
