/** `npm run relevance`: how well, and how fast, names are found that are typed in the ways of people; see README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Snapshot } from "../../src/snapshot/types.ts";
import { missedBars } from "./bars.ts";
import { CLASSES } from "./classes/all.ts";
import { climb, type OtherResult } from "./engines/climb.ts";
import { type Answer, askEach, type Engine } from "./engines/engine.ts";
import { type Measured, measuredOf, missesOf, type QuerySet, type Source } from "./measured.ts";
import { PLACES } from "./metrics.ts";
import { halfOf, type NamedCompany, REAL_NAMES_FILE, readRealNames } from "./names.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { queriesOf } from "./queries.ts";
import { openRegistry, surveyRegistry } from "./registry.ts";
import { renderReport } from "./table.ts";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Generated names of the other half, typed in all ways before anything is measured, for the compiler to settle. */
const WARM_UP_NAMES = 150;

function ours(snapshot: Snapshot): Engine {
  return {
    find: (q) =>
      snapshot.autocomplete(q, PLACES).map(({ kvkNumber, name, matchedName }) => ({
        kvkNumber,
        names: matchedName === undefined ? [name] : [name, matchedName],
      })),
    close() {},
  };
}

interface Prepared {
  readonly sets: readonly QuerySet[];
  readonly warmUp: readonly string[];
}

/** Makes every query before the first is asked. */
function prepare(options: Options, real: readonly NamedCompany[]): Prepared {
  const { companies, half, seed, names: most } = options;
  const { names, generated, others } = surveyRegistry(
    { companies, beside: real },
    { half, most, mostOthers: WARM_UP_NAMES },
    (done) => say(`names: ${done.toLocaleString("en")} companies read`),
  );
  const wanted: Readonly<Record<Source, readonly NamedCompany[]>> = {
    real: real.filter(({ kvkNumber }) => halfOf(kvkNumber) === half).slice(0, most),
    generated,
  };
  const setsOf = (source: Source): QuerySet[] =>
    CLASSES.map((queryClass) => ({
      source,
      queryClass,
      queries: queriesOf(queryClass, wanted[source], { names, seed }),
    }));
  const sets = [...(real.length > 0 ? setsOf("real") : []), ...setsOf("generated")];
  const measured = new Set(sets.flatMap(({ queries }) => queries.map(({ q }) => q)));
  const warmUp = CLASSES.flatMap((queryClass) => queriesOf(queryClass, others, { names, seed })).map(
    ({ q }) => q,
  );
  return { sets, warmUp: warmUp.filter((q) => !measured.has(q)) };
}

async function measureOurs(
  options: Options,
  real: readonly NamedCompany[],
  prepared: Prepared,
): Promise<Measured[]> {
  const out = new URL("../out", import.meta.url).pathname;
  mkdirSync(out, { recursive: true });
  const folder = options.registry ?? mkdtempSync(join(out, "relevance-"));
  try {
    const snapshot = await openRegistry(folder, { companies: options.companies, beside: real }, say);
    try {
      const engine = ours(snapshot);
      await askEach(engine, prepared.warmUp, new Map());
      const answered = new Map<string, Answer>();
      const measured: Measured[] = [];
      for (const set of prepared.sets) {
        say(`Opzoek: ${set.source} names, ${set.queryClass.title}`);
        measured.push(
          measuredOf(
            set,
            await askEach(
              engine,
              set.queries.map(({ q }) => q),
              answered,
            ),
          ),
        );
      }
      return measured;
    } finally {
      snapshot.close();
    }
  } finally {
    if (options.registry === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** The first queries of each class, with our answers to them. */
function firstOf(measured: readonly Measured[], most: number): Measured[] {
  return measured.map((one) =>
    measuredOf({ ...one, queries: one.queries.slice(0, most) }, one.answers.slice(0, most)),
  );
}

async function measureOthers(options: Options, compared: readonly Measured[]): Promise<OtherResult[]> {
  const queries = compared.flatMap((one) => one.queries);
  const wanted = new Map(queries.map((query) => [query.wanted.kvkNumber, query.wanted]));
  const results: OtherResult[] = [];
  for (const other of options.others) {
    const wishes = {
      companies: options.companies,
      queries: queries.map(({ q }) => q),
      wanted: [...wanted.values()],
    };
    results.push(await climb(other, wishes, say));
  }
  return results;
}

async function run(options: Options): Promise<void> {
  const real = readRealNames() ?? [];
  if (real.length === 0) say(`real names are left out: there is no ${REAL_NAMES_FILE}`);
  const measured = await measureOurs(options, real, prepare(options, real));
  if (options.misses !== undefined) writeFileSync(options.misses, missesOf(measured));
  const compared = firstOf(measured, options.othersNames);
  const others = await measureOthers(options, compared);
  process.stdout.write(`${renderReport({ options, realNames: real.length, measured, compared, others })}\n`);
  if (!options.check) return;
  const missed = missedBars(measured);
  for (const line of missed) say(`missed: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(USAGE);
  else await run(options);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
