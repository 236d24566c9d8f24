/**
 * `npm run relevance`: how well, and how fast, companies are found by names as people type them; see docs/relevance.md.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { positiveNumber, runCommand, say } from "../options.ts";
import { measure, prepare } from "./measure.ts";
import { HALVES, openRegistryOf, REAL_NAMES_FILE, readRealNames, registryFacts } from "./registry.ts";
import { missedMinimums, renderMisses, renderReport } from "./report.ts";

const USAGE = `npm run relevance -- [options]

  --companies N     generated companies in the registry, in addition to the real ones (25000)
  --half NAME       the half of the names to search for: measured (default) or tune
  --names N         search for at most N companies of each source (4000)
  --check           exit with 1 and a list if a promised figure is missed
  --registry PATH   keep the registry in this folder, and use the one that is there;
                    by default it is built in bench/out for this run only
  --misses PATH     write the queries that do not find their company first as lines of JSON; needs --half tune
`;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      companies: { type: "string", default: "25000" },
      half: { type: "string", default: "measured" },
      names: { type: "string", default: "4000" },
      check: { type: "boolean", default: false },
      registry: { type: "string" },
      misses: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const half = HALVES.find((name) => name === values.half);
  if (half === undefined) throw new Error(`--half must be one of ${HALVES.join(", ")}`);
  if (values.misses !== undefined && half !== "tune") {
    throw new Error("--misses needs --half tune: the misses of the other half must stay unseen");
  }
  const real = readRealNames();
  if (real.length === 0) say(`Real names are left out: there is no ${REAL_NAMES_FILE}`);
  const size = { companies: positiveNumber("--companies", values.companies), real };
  say("reading the names");
  const prepared = prepare(size, half, positiveNumber("--names", values.names));
  const out = new URL("../out", import.meta.url).pathname;
  mkdirSync(out, { recursive: true });
  const folder =
    values.registry === undefined ? mkdtempSync(join(out, "relevance-")) : resolve(values.registry);
  try {
    say("building the registry, unless the folder has it");
    const snapshot = await openRegistryOf(folder, registryFacts(size), size.companies + real.length);
    say("asking");
    const measured = measure((q, limit) => snapshot.autocomplete(q, limit), prepared);
    snapshot.close();
    if (values.misses !== undefined) writeFileSync(values.misses, renderMisses(measured));
    process.stdout.write(`${renderReport(size, half, measured)}\n`);
    const missed = values.check ? missedMinimums(measured) : [];
    for (const line of missed) say(`missed: ${line}`);
    if (missed.length > 0) process.exitCode = 1;
  } finally {
    if (values.registry === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

await runCommand(run);
