import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Snapshot } from "../../src/registry/types.ts";
import { percent } from "./bars.ts";
import { CLASSES } from "./classes/all.ts";
import { type Answer, type Measured, measuredOf, PLACES, type QuerySet, type Source } from "./measured.ts";
import { halfOf, type NamedCompany } from "./names.ts";
import type { Options } from "./options.ts";
import { queriesOf } from "./queries.ts";
import { openRegistry, surveyRegistry } from "./registry.ts";

type Say = (line: string) => void;
type Sought = Pick<Options, "companies" | "half" | "seed" | "names">;

/** Generated names of the other half, typed in all ways before anything is measured, for the compiler to settle. */
const WARM_UP_NAMES = 150;

/** Finds at most {@link PLACES} companies, best first. */
type Find = (q: string) => Answer["hits"];

const findIn =
  (snapshot: Snapshot): Find =>
  (q) =>
    snapshot.autocomplete(q, PLACES).map(({ kvkNumber, name, matchedName }) => ({
      kvkNumber,
      names: matchedName === undefined ? [name] : [name, matchedName],
    }));

/** Asks one query after the other, each text once: a cached answer is never measured. */
export function askEach(find: Find, queries: readonly string[], answered: Map<string, Answer>): Answer[] {
  return queries.map((q) => {
    const answer = answered.get(q) ?? askOne(find, q);
    answered.set(q, answer);
    return answer;
  });
}

/**
 * Times one query. If the system gave the processor to another program meanwhile, it counts the processor time of this
 * thread: on a busy machine the slowest queries would otherwise be the ones that were interrupted.
 */
function askOne(find: Find, q: string): Answer {
  const switches = process.resourceUsage().involuntaryContextSwitches;
  const processor = process.threadCpuUsage();
  const startedMs = performance.now();
  const hits = find(q);
  const us = (performance.now() - startedMs) * 1_000;
  if (process.resourceUsage().involuntaryContextSwitches === switches) return { hits, us };
  const { user, system } = process.threadCpuUsage(processor);
  return { hits, us: Math.min(us, user + system) };
}

/** All queries of a run. */
export interface Prepared {
  readonly sets: readonly QuerySet[];
  /** To be asked before anything is measured. */
  readonly warmUp: readonly string[];
}

/** Makes every query before the first is asked. */
export function prepare(options: Sought, real: readonly NamedCompany[], say: Say): Prepared {
  const { companies, half, seed, names: most } = options;
  const { names, generated, others } = surveyRegistry(
    { companies, beside: real },
    { half, most, mostOthers: WARM_UP_NAMES },
    (done) => say(`names: ${done.toLocaleString("en")} companies read`),
  );
  const wanted: Readonly<Record<Source, readonly NamedCompany[]>> = {
    real: spread(
      real.filter(({ kvkNumber }) => halfOf(kvkNumber) === half),
      most,
    ),
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

/** So many of a list, from all over it. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, list.length / most);
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Asks ours every query, in a registry that is made first where `registry` does not hold it. */
export async function measureOurs(
  { companies, registry }: Pick<Options, "companies" | "registry">,
  real: readonly NamedCompany[],
  { sets, warmUp }: Prepared,
  say: Say,
): Promise<Measured[]> {
  const folder = registry ?? folderOfRun();
  try {
    const snapshot = await openRegistry(folder, { companies, beside: real }, say);
    try {
      const find = findIn(snapshot);
      askEach(find, warmUp, new Map());
      const answered = new Map<string, Answer>();
      const measured: Measured[] = [];
      for (const set of sets) {
        const texts = set.queries.map(({ q }) => q);
        const one = measuredOf(set, askEach(find, texts, answered));
        const { first, among } = one.relevance;
        say(`${set.source} names, ${set.queryClass.title}: ${percent(first)} first, ${percent(among)} shown`);
        measured.push(one);
      }
      return measured;
    } finally {
      snapshot.close();
    }
  } finally {
    if (registry === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function folderOfRun(): string {
  const out = new URL("../out", import.meta.url).pathname;
  mkdirSync(out, { recursive: true });
  return mkdtempSync(join(out, "relevance-"));
}
