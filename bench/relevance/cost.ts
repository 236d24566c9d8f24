/** `npm run relevance:cost`: what a query costs in registries from small to large, as a table and a plot; see README.md. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { wholeNumber } from "../words.ts";
import { CLASSES } from "./classes/all.ts";
import type { Measured } from "./measured.ts";
import { type Relevance, relevanceOf } from "./metrics.ts";
import { readRealNames } from "./names.ts";
import { measureOurs, prepare } from "./ours.ts";
import { renderPlot } from "./plot.ts";
import { count, micros } from "./table.ts";

const { values } = parseArgs({
  options: {
    /** Generated companies of each registry, beside the real ones. */
    sizes: { type: "string", default: "10000,40000,200000,1000000,4000000" },
    /** The most companies of each source that are looked for. */
    names: { type: "string", default: "1500" },
    seed: { type: "string", default: "1" },
    /** Where the plot is written. */
    out: { type: "string", default: new URL("../../docs/images/search-cost.svg", import.meta.url).pathname },
  },
});

/** The lines of the plot; the table has all classes. */
const DRAWN = ["full", "first-3", "first-60%", "one-typo", "space-added"];

interface Size {
  readonly companies: number;
  /** Real and generated names together, by the class. */
  readonly byClass: ReadonlyMap<string, Relevance>;
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function measureSize(companies: number): Promise<Size> {
  const real = readRealNames() ?? [];
  const sought = {
    companies,
    half: "measured",
    seed: wholeNumber("--seed", values.seed),
    names: wholeNumber("--names", values.names),
  } as const;
  const prepared = prepare(sought, real, say);
  const measured = await measureOurs({ companies, registry: undefined }, real, prepared, say);
  return {
    companies: companies + real.length,
    byClass: new Map(CLASSES.map(({ id }) => [id, together(measured, id)])),
  };
}

function together(measured: readonly Measured[], classId: string): Relevance {
  const sets = measured.filter(({ queryClass }) => queryClass.id === classId);
  return relevanceOf(
    sets.flatMap(({ queries }) => queries),
    sets.flatMap(({ answers }) => answers),
  );
}

function tableOf(sizes: readonly Size[]): string {
  return [
    `| typed: median / p99 | ${sizes.map(({ companies }) => count(companies)).join(" | ")} |`,
    `|---|${"--:|".repeat(sizes.length)}`,
    ...CLASSES.map(({ id, title }) => {
      const cells = sizes.map(({ byClass }) => {
        const { medianUs = 0, p99Us = 0 } = byClass.get(id) ?? {};
        return `${micros(medianUs)} / ${micros(p99Us)}`;
      });
      return `| ${title} | ${cells.join(" | ")} |`;
    }),
  ].join("\n");
}

function plotOf(sizes: readonly Size[]): string {
  const panel = (title: string, figure: "medianUs" | "p99Us") => ({
    title,
    lines: CLASSES.filter(({ id }) => DRAWN.includes(id)).map((queryClass) => ({
      title: queryClass.title,
      points: sizes.map(
        ({ companies, byClass }) => [companies, byClass.get(queryClass.id)?.[figure] ?? 0] as const,
      ),
    })),
  });
  return renderPlot(
    [panel("Median", "medianUs"), panel("99 of 100 queries", "p99Us")],
    { title: "companies", label: count },
    { title: "time of a query", label: (us) => (us < 1_000 ? `${us} µs` : `${us / 1_000} ms`) },
  );
}

const sizes: Size[] = [];
for (const text of values.sizes.split(",")) {
  const companies = wholeNumber("--sizes", text);
  say(`${count(companies)} generated companies`);
  sizes.push(await measureSize(companies));
}
writeFileSync(resolve(values.out), plotOf(sizes));
process.stdout.write(`${tableOf(sizes)}\n`);
