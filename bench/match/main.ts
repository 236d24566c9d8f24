/** `npm run match:quality`: how well, and how fast, names with a city or an address are matched to companies. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { matcherOf } from "../../src/match/matcher.ts";
import { positiveNumber, runCommand, say } from "../options.ts";
import { HALVES, type Half } from "../relevance/registry.ts";
import { openMatchRegistry, readRealCompanies, surveyCompanies } from "./data.ts";
import { familyQuerySets, makeFamilies, openFamilyRegistry } from "./families.ts";
import { type Match, measure } from "./measure.ts";
import { noiseSets, querySets } from "./queries.ts";
import { renderFamilies, renderMisses, renderReport } from "./report.ts";

const USAGE = `npm run match:quality -- [options]

  --companies N     generated companies in the registry, in addition to the real ones (25000)
  --half NAME       the half of the real companies to match: measured (default) or tune
  --names N         match at most N companies of the half
  --registry PATH   keep the registry in this folder, and use the one that is there;
                    by default it is built in bench/out for this run only
  --misses PATH     write the queries that are not matched right as lines of JSON; needs --half tune
`;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      companies: { type: "string", default: "25000" },
      half: { type: "string", default: "measured" },
      names: { type: "string", default: "1000000" },
      registry: { type: "string" },
      misses: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const companies = positiveNumber("--companies", values.companies);
  const names = positiveNumber("--names", values.names);
  const half = HALVES.find((name) => name === values.half);
  if (half === undefined) throw new Error(`--half must be one of ${HALVES.join(", ")}`);
  if (values.misses !== undefined && half !== "tune") {
    throw new Error("--misses needs --half tune: the misses of the other half must stay unseen");
  }
  const real = readRealCompanies();
  say("reading the names");
  const survey = surveyCompanies(real, companies);
  const setsOf = (one: Half) => [
    ...querySets(survey.halves[one].slice(0, names), survey.names),
    ...noiseSets(survey.halves[one], survey.names),
  ];
  const sets = { tune: setsOf("tune"), measured: setsOf("measured") };
  const out = new URL("../out", import.meta.url).pathname;
  mkdirSync(out, { recursive: true });
  const folder = values.registry === undefined ? mkdtempSync(join(out, "match-")) : resolve(values.registry);
  try {
    say("building the registry, unless the folder has it");
    const snapshot = await openMatchRegistry(folder, real, companies);
    const match: Match = (query, options) => matcherOf(snapshot).match(query, options);
    say("matching");
    const measured = measure(match, sets[half], sets[half === "tune" ? "measured" : "tune"]);
    const present = snapshot.info.companies - companies;
    process.stdout.write(`${renderReport({ companies, present, half, twins: survey.twins }, measured)}\n`);
    if (values.misses !== undefined) writeFileSync(values.misses, renderMisses(measured));
    snapshot.close();
    say("matching families");
    const families = makeFamilies(survey.halves.tune);
    const familyRegistry = await openFamilyRegistry(join(folder, "families"), families, companies);
    const ofFamilies = measure(
      (query, options) => matcherOf(familyRegistry).match(query, options),
      familyQuerySets(families),
      [],
    );
    process.stdout.write(`\n${renderFamilies(families.length, ofFamilies)}\n`);
    if (values.misses !== undefined) appendFileSync(values.misses, renderMisses(ofFamilies));
    familyRegistry.close();
  } finally {
    if (values.registry === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

await runCommand(run);
