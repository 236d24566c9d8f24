import { type Measured, PLACES } from "./measured.ts";

/** A figure that real names must reach. */
export interface Bar {
  readonly classId: string;
  readonly figure: "first" | "among";
  readonly least: number;
}

export const BARS: readonly Bar[] = [
  { classId: "full", figure: "first", least: 0.995 },
  { classId: "first-60%", figure: "among", least: 0.98 },
  { classId: "word-left-out", figure: "among", least: 0.97 },
  { classId: "words-swapped", figure: "first", least: 0.99 },
  { classId: "one-typo", figure: "first", least: 0.93 },
  { classId: "one-typo", figure: "among", least: 0.97 },
  { classId: "space-lost", figure: "among", least: 0.99 },
  { classId: "space-added", figure: "among", least: 0.99 },
];

/** One line for each bar that real names miss, or of which nothing was measured. */
export function missedBars(measured: readonly Measured[]): string[] {
  return BARS.flatMap(({ classId, figure, least }) => {
    const found = measured.find(({ source, queryClass }) => source === "real" && queryClass.id === classId);
    const place = figure === "first" ? "first" : `in the first ${PLACES}`;
    if (found === undefined || found.relevance.queries === 0) return [`${classId}: no real name was asked`];
    const reached = found.relevance[figure];
    if (reached >= least) return [];
    return [
      `${found.queryClass.title}, ${place}: ${percent(reached)} of real names, wanted ${percent(least)}`,
    ];
  });
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
