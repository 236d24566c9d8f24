/** `npm run bench`: the cost of calls, suggestions, imports and a start; see docs/benchmarks.md. */
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { startViesSimulator } from "../src/demo/vies/server.ts";
import { openCurrentSnapshot } from "../src/registry/openSnapshot.ts";
import { registryDirectory } from "../src/registry/paths.ts";
import { freePort } from "../test/kit/freePort.ts";
import { CASES, type Store } from "./cases.ts";
import { formatCount } from "./figures.ts";
import { gleifLines } from "./gleif.ts";
import { type CaseResult, ledgerDifferences, measureCase } from "./measure.ts";
import { type Options, parseOptions, runCommand, say, USAGE } from "./options.ts";
import { startPlain } from "./plain/start.ts";
import { startPostgres } from "./postgres.ts";
import { type Call, fetchCall, memoryOf, type Server, startServer } from "./processes.ts";
import { type Measured, measure, prepare } from "./relevance/measure.ts";
import { type Figure, renderReport, type StoreResults } from "./report.ts";
import {
  buildWorld,
  generated,
  importCompanies,
  importLines,
  type PreparedCase,
  prepareCase,
  renamed,
  type World,
} from "./world.ts";

/** Names that are typed in each way for the suggestions in process. */
const TYPED_NAMES = 300;
const CALLED_AFTER_START = ["lookup", "autocomplete"];

async function startLogged({ folder, environment }: World, firstCall?: Call, processes = 1) {
  const [port, stdout] = [await freePort(), openSync(join(folder, "server.log"), "a")];
  try {
    const options = { port, stdout, ...(firstCall !== undefined && { firstCall }) };
    const own = { ...environment, WORKERS: String(processes) };
    return { ...(await startServer(own, options)), port };
  } finally {
    closeSync(stdout);
  }
}

async function prepareCases(names: readonly string[], world: World, store: Store = "sqlite") {
  const prepared: PreparedCase[] = [];
  for (const one of CASES) {
    if (names.includes(one.name) && (one.processes === 1 || store === "postgres"))
      prepared.push(await prepareCase(one, world));
  }
  return prepared;
}

/** Measures the calls on one store. @throws {Error} if the ledger differs from what the client saw */
async function measureStore(world: World, options: Options): Promise<CaseResult[]> {
  const url = world.environment["DATABASE_URL"];
  const cases = await prepareCases(options.cases, world, url === undefined ? "sqlite" : "postgres");
  const bare = new Worker(new URL("bareServer.ts", import.meta.url));
  const client = new Worker(new URL("loadThread.ts", import.meta.url));
  const results: CaseResult[] = [];
  try {
    for (const prepared of cases) {
      const { title, processes, minPlainRatio } = prepared.bench;
      say(title);
      const servers: Server[] = [];
      try {
        const plain = minPlainRatio && (await startPlain(prepared, world));
        if (plain !== undefined) servers.push(plain);
        const server = await startLogged(world, undefined, processes);
        servers.push(server);
        const parts = { server, plainPort: plain?.port, bare, client };
        results.push(await measureCase(prepared, options.rounds, parts));
      } finally {
        await Promise.all(servers.map((server) => server.stop()));
      }
    }
  } finally {
    await Promise.all([bare.terminate(), client.terminate()]);
  }
  const differences = await ledgerDifferences(world, results);
  if (differences.length > 0) throw new Error(differences.join("\n"));
  return results;
}

async function measureOnPostgres(world: World, options: Options): Promise<CaseResult[]> {
  const postgres = await startPostgres();
  try {
    const environment = { ...world.environment, DATABASE_URL: postgres.url };
    return await measureStore({ ...world, environment }, options);
  } finally {
    await postgres.stop();
  }
}

function measureSuggestions({ environment }: World, companies: number): Measured[] {
  const prepared = prepare({ companies, real: [] }, "measured", TYPED_NAMES);
  const snapshot = openCurrentSnapshot(registryDirectory(environment["DATA_DIR"] ?? ""));
  if (snapshot === undefined) throw new Error("The import has left no registry.");
  try {
    return measure((q, limit) => snapshot.autocomplete(q, limit), prepared);
  } finally {
    snapshot.close();
  }
}

async function measureStart(world: World): Promise<Figure[]> {
  const calls = (await prepareCases(CALLED_AFTER_START, world)).flatMap((one) => one.calls);
  const server = await startLogged(world, calls[0]);
  const mib = () => `${formatCount(memoryOf(server.child.pid) / 2 ** 20)} MiB`;
  try {
    const atStart = mib();
    for (const call of calls) await (await fetchCall(server.port, call)).text();
    return [
      ["first answer after a start", `${formatCount(server.readyMs)} ms`],
      ["memory of the server then", atStart],
      [`memory after ${formatCount(calls.length)} calls`, mib()],
    ];
  } finally {
    await server.stop();
  }
}

async function bench(options: Options): Promise<void> {
  const { companies, gleifRows, cases } = options;
  const vies = await startViesSimulator();
  say(`importing ${companies} companies`);
  const world = await buildWorld(options.folder, companies, vies.url);
  const { environment } = world;
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const figures: Figure[] = [
    [`full import of ${formatCount(companies)} companies`, seconds(world.importSeconds)],
  ];
  try {
    say("suggestions in process");
    const suggestions = cases.includes("suggestions") ? measureSuggestions(world, companies) : [];
    say("starts");
    if (cases.includes("start")) figures.push(...(await measureStart(world)));
    const stores: StoreResults[] = [];
    for (const store of CASES.some(({ name }) => cases.includes(name)) ? options.stores : []) {
      say(`calls on ${store}`);
      stores.push([store, await (store === "sqlite" ? measureStore : measureOnPostgres)(world, options)]);
    }
    if (cases.includes("changes")) {
      say("changes");
      const same = generated(companies).map((one, nth) => (nth % 100 === 0 ? renamed(one, "A") : one));
      figures.push(["the same file, 1 % renamed", seconds(await importCompanies(same, environment))]);
      const alone = generated(companies).filter((_, nth) => nth % 100 === 50);
      const changed = alone.map((one) => renamed(one, "B"));
      figures.push(["a file of the renamed 1 % alone", seconds(await importCompanies(changed, environment))]);
    }
    if (cases.includes("gleif")) {
      say("GLEIF's layout");
      const own = { ...environment, DATA_DIR: join(world.folder, "gleif") };
      const took = await importLines("gleif", gleifLines(gleifRows), own);
      figures.push([`${formatCount(gleifRows)} rows in GLEIF's layout`, seconds(took)]);
    }
    process.stdout.write(`${renderReport({ options, figures, suggestions, stores })}\n`);
  } finally {
    await vies.stop();
    rmSync(world.folder, { recursive: true, force: true });
  }
}

await runCommand(async () => {
  const options = parseOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(USAGE);
  else await bench(options);
});
