/** `npm run bench`: what lookups, suggestions, VAT checks and an import cost; see docs/benchmarks.md. */
import { rmSync } from "node:fs";
import { registryDirectory } from "../src/registry/places.ts";
import { startViesSimulator } from "../src/simulators/vies/server.ts";
import { CASES } from "./cases.ts";
import { type CaseResult, ledgerDifferences, measureCase } from "./measure.ts";
import { type Options, parseOptions, type Store, USAGE } from "./options.ts";
import { startPostgres } from "./postgres.ts";
import { Helper } from "./processes.ts";
import type { Measured } from "./relevance/measured.ts";
import { measureOurs, prepare } from "./relevance/ours.ts";
import { renderReport } from "./report.ts";
import { startServer } from "./server.ts";
import { buildWorld, type PreparedCase, prepareCase, type World } from "./world.ts";

/** Names that are typed in each way, for the suggestions in process. */
const TYPED_NAMES = 300;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Measures the cases on one store. @throws {Error} when the ledger differs from what the client saw */
async function measureStore(store: Store, world: World, options: Options): Promise<CaseResult[]> {
  const chosen = CASES.filter(({ name }) => options.cases.includes(name));
  const cases: PreparedCase[] = [];
  for (const bench of chosen) cases.push(await prepareCase(bench, world));
  const server = await startServer(world);
  const helper = new Helper(new URL("bareServer.ts", import.meta.url));
  const client = new Helper(new URL("loadProcess.ts", import.meta.url));
  const results: CaseResult[] = [];
  try {
    const { port } = (await helper.next()) as { port: number };
    for (const prepared of cases) {
      say(`${store}: ${prepared.bench.title}`);
      results.push(await measureCase(prepared, options, { server, bare: { port, helper }, client }));
    }
  } finally {
    helper.stop();
    client.stop();
    await server.stop();
  }
  const differences = await ledgerDifferences(world, results);
  if (differences.length > 0) throw new Error(differences.join("\n"));
  return results;
}

async function measureOnPostgres(world: World, options: Options): Promise<CaseResult[]> {
  const postgres = await startPostgres();
  try {
    const environment = { ...world.environment, DATABASE_URL: postgres.url };
    return await measureStore("postgres", { ...world, environment }, options);
  } finally {
    await postgres.stop();
  }
}

/** Asks the registry of a world for suggestions in this process, each text once. */
function measureSuggestions({ environment }: World, companies: number): Promise<Measured[]> {
  const prepared = prepare({ companies, half: "measured", seed: 1, names: TYPED_NAMES }, [], say);
  const registry = registryDirectory(environment["DATA_DIR"] ?? "");
  return measureOurs({ companies, registry }, [], prepared, () => {});
}

async function bench(options: Options): Promise<void> {
  const vies = await startViesSimulator();
  say(`importing ${options.companies} companies`);
  const world = await buildWorld(options.folder, options.companies, vies.url);
  try {
    say("suggestions in process");
    const suggestions = await measureSuggestions(world, options.companies);
    const results: (readonly [Store, CaseResult[]])[] = [];
    for (const store of options.cases.length === 0 ? [] : options.stores) {
      const measure =
        store === "sqlite" ? measureStore("sqlite", world, options) : measureOnPostgres(world, options);
      results.push([store, await measure]);
    }
    const { importSeconds } = world;
    process.stdout.write(`${renderReport({ options, importSeconds, suggestions, results })}\n`);
  } finally {
    await vies.stop();
    rmSync(world.folder, { recursive: true, force: true });
  }
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(USAGE);
  else await bench(options);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
