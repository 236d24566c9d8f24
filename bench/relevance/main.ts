/** `npm run relevance`: how well, and how fast, names are found that are typed in the ways of people; see README.md. */
import { writeFileSync } from "node:fs";
import { missedBars } from "./bars.ts";
import { climb, type OtherResult } from "./engines/climb.ts";
import { type Measured, measuredOf, missesOf } from "./measured.ts";
import { REAL_NAMES_FILE, readRealNames } from "./names.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { measureOurs, prepare } from "./ours.ts";
import { renderReport } from "./table.ts";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

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
  const measured = await measureOurs(options, real, prepare(options, real, say), say);
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
