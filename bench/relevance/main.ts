/** `npm run relevance`: how well, and how fast, names are found as people type them; see docs/relevance.md. */
import { writeFileSync } from "node:fs";
import { missedBars } from "./bars.ts";
import { missesOf } from "./measured.ts";
import { REAL_NAMES_FILE, readRealNames } from "./names.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { measureOurs, prepare } from "./ours.ts";
import { renderReport } from "./table.ts";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function run(options: Options): Promise<void> {
  const real = readRealNames() ?? [];
  if (real.length === 0) say(`real names are left out: there is no ${REAL_NAMES_FILE}`);
  const measured = await measureOurs(options, real, prepare(options, real, say), say);
  if (options.misses !== undefined) writeFileSync(options.misses, missesOf(measured));
  process.stdout.write(`${renderReport(options, real.length, measured)}\n`);
  const missed = options.check ? missedBars(measured) : [];
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
