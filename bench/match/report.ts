import { describeMachine, formatCount, formatPercent, formatTime, table } from "../figures.ts";
import type { Half } from "../relevance/registry.ts";
import type { Variant } from "./damage.ts";
import {
  isNameDamage,
  isRight,
  type Measured,
  recall,
  scoreBands,
  type Tally,
  tally,
  wrongShare,
} from "./measure.ts";

const VARIANTS: Readonly<Record<Variant, string>> = { city: "city", name: "name alone", own: "as stated" };
const MAX_WRONG = 0.005;
const MIN_RECALL = { city: 0.95, name: 0.85 } as const;

export interface Run {
  readonly companies: number;
  /** Real companies in the registry. */
  readonly present: number;
  readonly half: Half;
  /** Real companies left out because another has the same name. */
  readonly twins: number;
}

/** Returns the report in Markdown. Figures that miss their goal are bold. */
export function renderReport(run: Run, measured: readonly Measured[]): string {
  const { companies, present, half, twins } = run;
  const whole = tally(measured[0]?.outcomes ?? []);
  const damaged = measured.filter(isNameDamage);
  return [
    `Registry: ${formatCount(companies)} generated companies and ${formatCount(present)} real ones. Queries: the half “${half}”, with ${formatCount(whole.present)} companies of the registry and ${formatCount(whole.absent)} others. ${twins} companies of both halves are left out because another has the same name. ${describeMachine()}.`,
    "### Goals, over all classes that damage the name",
    goals(damaged),
    "### Classes",
    "Shares are of the companies in the registry; *false* is the share of absent companies that are matched. In brackets: the company is among the candidates.",
    classTable(measured),
    "### Reliability of scores, over the same classes as the goals",
    "The best candidate of each query; that of an absent company is never right.",
    bandTable(damaged),
  ].join("\n\n");
}

/**
 * Returns the report on families in Markdown. In their last rows numbers, names and forms contradict each other, so
 * that any match is wrong.
 */
export function renderFamilies(families: number, measured: readonly Measured[]): string {
  return [
    "### Families (synthetic)",
    `${formatCount(families)} families of companies made from names of the tuning half, in a registry of their own. *False* is the share of queries that must not be matched and are.`,
    classTable(measured),
  ].join("\n\n");
}

function outcomesOf(measured: readonly Measured[], variant?: Variant): Tally {
  const chosen = measured.filter((one) => variant === undefined || one.variant === variant);
  return tally(chosen.flatMap(({ outcomes }) => outcomes));
}

function goals(measured: readonly Measured[]): string {
  const rows = ([undefined, "city", "name"] as const).map((variant) => {
    const counts = outcomesOf(measured, variant);
    const { right, wrong, falseMatches } = counts;
    const share = wrongShare(counts);
    const min = variant === undefined ? undefined : MIN_RECALL[variant];
    return [
      variant === undefined ? "both" : VARIANTS[variant],
      formatCount(right + wrong + falseMatches),
      `${wrong} + ${falseMatches}`,
      `${mark(formatPercent(share, 2), share <= MAX_WRONG)} (≤ ${formatPercent(MAX_WRONG)})`,
      min === undefined
        ? formatPercent(recall(counts), 2)
        : `${mark(formatPercent(recall(counts), 2), recall(counts) >= min)} (≥ ${formatPercent(min)})`,
    ];
  });
  const header = [
    "given",
    "matched",
    "wrong: other + absent company",
    "wrong of matched",
    "right of present",
  ];
  return table(header, 1, rows);
}

function classTable(measured: readonly Measured[]): string {
  const rows = measured.map(({ damage, variant, outcomes }) => {
    const counts = tally(outcomes);
    const of = (count: number) => formatPercent(count / Math.max(1, counts.present));
    return [
      damage.title,
      VARIANTS[variant],
      formatCount(counts.present),
      of(counts.right),
      of(counts.wrong),
      `${of(counts.ambiguous)} (${of(counts.ambiguousWithRight)})`,
      of(counts.none),
      formatCount(counts.absent),
      formatPercent(counts.falseMatches / Math.max(1, counts.absent)),
      formatTime(counts.medianUs),
      formatTime(counts.p99Us),
    ];
  });
  const header = ["written", "given", "present", "right", "wrong", "ambiguous", "none", "absent", "false"];
  return table([...header, "median", "p99"], 2, rows);
}

function bandTable(measured: readonly Measured[]): string {
  const bands = scoreBands(measured.flatMap(({ outcomes }) => outcomes));
  const rows = bands.map(({ from, to, count, meanScore, right }) =>
    count === 0
      ? [`${from}–${to}`, "0", "", ""]
      : [`${from}–${to}`, formatCount(count), meanScore.toFixed(1), formatPercent(right)],
  );
  return table(["score", "queries", "mean score", "right"], 1, rows);
}

function mark(text: string, isReached: boolean): string {
  return isReached ? text : `**${text}**`;
}

/** Returns the queries without a right match, and those about absent companies with one, as lines of JSON. */
export function renderMisses(measured: readonly Measured[]): string {
  const lines = measured.flatMap(({ damage, variant, outcomes }) =>
    outcomes
      .filter((one) => (one.truth === undefined ? one.result.decision === "matched" : !isRight(one)))
      .map(({ query, truth, result }) => {
        const miss = { damage: damage.id, variant, query, truth: truth ?? null, ...result };
        return `${JSON.stringify(miss)}\n`;
      }),
  );
  return lines.join("");
}
