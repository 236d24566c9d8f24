/** `npm run bench`: our server beside a bare one, in one run; see README.md. */
import { rmSync } from "node:fs";
import { startKvk } from "./kvk/kvk.ts";
import { ledgerDifferences } from "./ledger.ts";
import { type CaseResult, measureCase } from "./measure.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { profilesFolder, startOurs } from "./ours.ts";
import { startPostgres } from "./postgres.ts";
import { Helper } from "./processes.ts";
import { readProfiles, renderProfiles } from "./profile.ts";
import { circumstances, renderReport } from "./report.ts";
import { isMeasuredOn, type Setup } from "./setups.ts";
import { startVies, type Vies } from "./vies/vies.ts";
import { buildWorld, onPostgres, type PreparedCase, prepareCase, type World, withKvk } from "./world.ts";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

interface Measured {
  readonly results: readonly CaseResult[];
  readonly differences: readonly string[];
}

/** Measures the cases of a setup, with all processes started before and ended after. */
async function measureSetup(
  setup: Setup,
  world: World,
  options: Options,
  { vies, databasePid }: { vies: Vies; databasePid?: number },
): Promise<Measured> {
  const cases: PreparedCase[] = [];
  for (const bench of options.cases) {
    const { setups = ["sqlite"] } = bench;
    if (isMeasuredOn(setup, setups)) cases.push(await prepareCase(bench, world));
  }
  if (cases.length === 0) return { results: [], differences: [] };
  const ours = await startOurs(world, setup, { profile: options.profile, databasePid });
  const bareHelper = new Helper(new URL("bare/server.ts", import.meta.url));
  const client = new Helper(new URL("client/process.ts", import.meta.url));
  const results: CaseResult[] = [];
  try {
    const bare = {
      pids: [bareHelper.pid],
      ports: [portOf(await bareHelper.heard())],
      helper: bareHelper,
    };
    for (const prepared of cases) {
      say(`${setup.title}: ${prepared.bench.name}, ${options.rounds} rounds of twice ${options.seconds} s`);
      const parts = { setup, ours, bare, client, vies };
      results.push(await measureCase(prepared, options, parts));
    }
  } finally {
    await Promise.all([bareHelper.stop(), client.stop()]);
    const codes = await ours.stop();
    if (codes.some((code) => code !== 0)) say(`a server ended with ${codes}; its log: ${ours.logFiles}`);
  }
  return { results, differences: await ledgerDifferences(world, cases, results) };
}

/** Measures all setups, those on PostgreSQL over one server that runs meanwhile. */
async function measureAll(world: World, options: Options, vies: Vies): Promise<Measured> {
  const measured: Measured[] = [];
  for (const setup of options.setups.filter(({ isOnPostgres }) => !isOnPostgres)) {
    measured.push(await measureBeside(setup, world, options, vies));
  }
  const onDatabase = options.setups.filter(({ isOnPostgres }) => isOnPostgres);
  if (onDatabase.length > 0) {
    const postgres = await startPostgres();
    try {
      for (const setup of onDatabase) {
        const parts = { vies, databasePid: postgres.pid };
        measured.push(await measureSetup(setup, onPostgres(world, postgres.url), options, parts));
      }
    } finally {
      await postgres.stop();
    }
  }
  return {
    results: measured.flatMap(({ results }) => results),
    differences: measured.flatMap(({ differences }) => differences),
  };
}

/** Measures a setup on the embedded state, with a simulated KVK where it has one. */
async function measureBeside(setup: Setup, world: World, options: Options, vies: Vies): Promise<Measured> {
  const isWanted = options.cases.some(({ setups = [] }) => isMeasuredOn(setup, setups));
  if (setup.isLive !== true || !isWanted) return measureSetup(setup, world, options, { vies });
  const kvk = await startKvk();
  try {
    return await measureSetup(setup, withKvk(world, kvk), options, { vies });
  } finally {
    await kvk.stop();
  }
}

function portOf(message: unknown): number {
  if (
    typeof message === "object" &&
    message !== null &&
    "port" in message &&
    typeof message.port === "number"
  ) {
    return message.port;
  }
  throw new Error("the bare server did not say where it listens");
}

/** How many answers our server gave in all. */
function answersIn(results: readonly CaseResult[]): number {
  return results
    .flatMap(({ seen }) => Object.values(seen?.statuses ?? {}))
    .reduce((sum, times) => sum + times, 0);
}

/** What a result falls short of. */
function missedBy({ setup, name, ratio, leastRatio = 0, addedUs, mostAddedUs }: CaseResult): string[] {
  const missed: string[] = [];
  if (ratio < leastRatio) missed.push(`ratio ${ratio.toFixed(2)} is below the promised ${leastRatio}`);
  if (mostAddedUs !== undefined && addedUs > mostAddedUs) {
    missed.push(`an answer takes ${addedUs} µs longer than the bare server's, promised: ${mostAddedUs}`);
  }
  return missed.map((what) => `${setup.name}, ${name}: ${what}`);
}

/** @returns whether everything held: the statuses, the ledger and what is promised */
async function bench(options: Options): Promise<boolean> {
  const vies = await startVies();
  const world = await buildWorld({ ...options, viesUrl: vies.url }, say);
  try {
    const { results, differences } = await measureAll(world, options, vies);
    const around = circumstances(world.folder);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ circumstances: around, options: { ...options, cases: undefined }, results, ledger: differences }, null, 2)}\n`
        : `${renderReport(results, around, options)}\n`,
    );
    for (const difference of differences) say(`the ledger differs: ${difference}`);
    if (differences.length === 0) say("the ledger holds exactly what the client saw");
    if (options.profile) say(renderProfiles(readProfiles(profilesFolder(world)), answersIn(results)));
    const missed = results.flatMap(missedBy);
    for (const line of missed) say(line);
    return differences.length === 0 && missed.length === 0;
  } finally {
    await vies.stop();
    rmSync(world.folder, { recursive: true, force: true });
  }
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(USAGE);
  else process.exitCode = (await bench(options)) ? 0 : 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
