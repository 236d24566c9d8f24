/** `npm run bench`: our server beside a bare one, in one run; see README.md. */
import { rmSync } from "node:fs";
import { ledgerDifferences } from "./ledger.ts";
import { type CaseResult, measureCase, type Parts } from "./measure.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { profilesFolder, startOurs } from "./ours.ts";
import { Helper } from "./processes.ts";
import { readProfiles, renderProfiles } from "./profile.ts";
import { circumstances, renderReport } from "./report.ts";
import { startVies, type Vies } from "./vies/vies.ts";
import { buildWorld, type World } from "./world.ts";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Measures every case of the run, with all processes started before and ended after. */
async function measureAll(world: World, options: Options, vies: Vies): Promise<CaseResult[]> {
  const ours = await startOurs(world, options.profile);
  const bareHelper = new Helper(new URL("bare/server.ts", import.meta.url));
  const client = new Helper(new URL("client/process.ts", import.meta.url));
  try {
    const bare = { pid: bareHelper.pid, port: portOf(await bareHelper.heard()), helper: bareHelper };
    const parts: Parts = { ours, bare, client, vies };
    const results: CaseResult[] = [];
    for (const prepared of world.cases) {
      say(`measuring ${prepared.bench.name}: ${options.rounds} rounds of twice ${options.seconds} s`);
      results.push(await measureCase(prepared, options, parts));
    }
    return results;
  } finally {
    await Promise.all([bareHelper.stop(), client.stop()]);
    const code = await ours.stop();
    if (code !== 0) say(`the server ended with ${code}; its log is ${ours.logFile}`);
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

/** @returns whether everything held: the statuses, the ledger and the promised ratios */
async function bench(options: Options): Promise<boolean> {
  const vies = await startVies();
  const world = await buildWorld({ ...options, viesUrl: vies.url }, say);
  try {
    const results = await measureAll(world, options, vies);
    const differences = await ledgerDifferences(world, results);
    const around = circumstances(world.folder);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ circumstances: around, options: { ...options, cases: undefined }, results, ledger: differences }, null, 2)}\n`
        : `${renderReport(results, around, options)}\n`,
    );
    for (const difference of differences) say(`the ledger differs: ${difference}`);
    if (differences.length === 0) say("the ledger holds exactly what the client saw");
    if (options.profile) say(renderProfiles(readProfiles(profilesFolder(world)), answersIn(results)));
    const missed = results.filter(({ ratio, leastRatio = 0 }) => ratio < leastRatio);
    for (const { name, ratio, leastRatio } of missed) {
      say(`${name}: ratio ${ratio.toFixed(2)} is below the promised ${leastRatio}`);
    }
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
