/** `npm run bench:metrics`: what counting costs a charged lookup, and what a scrape costs, by processor time; see README.md. */

import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { Recorder } from "../src/app/metrics/recorder.ts";
import { lookup } from "./cases/lookup.ts";
import { freePort, startOurs } from "./ours.ts";
import { type PartCost, timeWork } from "./parts/timing.ts";
import { Helper, usageOf } from "./processes.ts";
import { checkStatuses, runRound, type Target } from "./round.ts";
import { SETUPS } from "./setups.ts";
import { wholeNumber } from "./words.ts";
import { buildWorld, type PreparedCase, prepareCase, type World } from "./world.ts";

const USAGE = `node bench/metrics.ts [options]

  --companies N     companies in the registry (25000)
  --pairs N         measurements with and without METRICS_PORT, in turn (12)
  --folder PATH     where the data of the run is put (bench/out)`;

const { values } = parseArgs({
  options: {
    companies: { type: "string", default: "25000" },
    pairs: { type: "string", default: "12" },
    folder: { type: "string", default: new URL("out", import.meta.url).pathname },
    help: { type: "boolean", default: false },
  },
});

const COUNTED_CALLS = 1_000_000;
const SECONDS = 0.8;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 64;
const SCRAPES = 100;

interface Side extends Target {
  readonly prepared: PreparedCase;
  stop(): Promise<unknown>;
}

const say = (line: string) => process.stderr.write(`${line}\n`);

async function startSide(world: World): Promise<Side> {
  const [setup] = SETUPS;
  if (setup === undefined) throw new Error("there is no setup");
  const prepared = await prepareCase(lookup, world);
  const ours = await startOurs(world, setup, { profile: false, databasePid: undefined });
  return { ...ours, prepared };
}

/** Microseconds of a core for one call, over all threads and processes of the service. */
async function costOf(side: Side, client: Helper, seconds: number): Promise<number> {
  const { calls, bench } = side.prepared;
  const job = {
    client: "lean" as const,
    connections: CONNECTIONS,
    calls: [...calls],
    ports: [...side.ports],
  };
  const round = await runRound(side, { ...job, seconds }, client);
  checkStatuses(bench, round.outcome);
  if (round.serverMs === undefined) throw new Error("this system does not tell what a process used");
  return (round.serverMs * 1_000) / round.outcome.answers;
}

/** Milliseconds of a core for one scrape. */
async function scrapeCost(pid: number, port: number): Promise<{ costMs: number; bytes: number }> {
  const beforeMs = usageOf(pid)?.cpuMs ?? 0;
  let bytes = 0;
  for (let count = 0; count < SCRAPES; count += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (!answer.ok) throw new Error(`a scrape was answered with ${answer.status}`);
    bytes = (await answer.arrayBuffer()).byteLength;
  }
  return { costMs: ((usageOf(pid)?.cpuMs ?? 0) - beforeMs) / SCRAPES, bytes };
}

/** What the recorder itself takes for one charged lookup that was in a batch of its own. */
function recorderCost(): PartCost {
  const recorder = new Recorder("1");
  const answered = { route: "/v1/lookup/:kvkNumber", status: 200, operation: "lookup", durationMs: 0.8 };
  return timeWork("counting a call", COUNTED_CALLS, () => {
    recorder.answered(answered);
    recorder.called("lookup", undefined, 1);
    recorder.batch(1, 0.4);
  });
}

function middle(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function main(): Promise<void> {
  const wishes = {
    companies: wholeNumber("companies", values.companies),
    folder: values.folder,
    logLevel: "info",
    viesUrl: "http://127.0.0.1:1",
  };
  const client = new Helper(new URL("client/process.ts", import.meta.url));
  const worlds = [await buildWorld(wishes, say), await buildWorld(wishes, say)] as const;
  const port = await freePort();
  const [plainWorld, otherWorld] = worlds;
  const countingWorld = {
    ...otherWorld,
    environment: { ...otherWorld.environment, METRICS_PORT: String(port) },
  };
  const sides = [await startSide(plainWorld), await startSide(countingWorld)] as const;
  const [plain, counting] = sides;
  try {
    for (const side of sides) await costOf(side, client, WARM_UP_SECONDS);
    const pairs: { plainUs: number; countingUs: number }[] = [];
    for (let pair = 0; pair < wholeNumber("pairs", values.pairs); pair += 1) {
      const isPlainFirst = pair % 2 === 0;
      const first = await costOf(isPlainFirst ? plain : counting, client, SECONDS);
      const second = await costOf(isPlainFirst ? counting : plain, client, SECONDS);
      const [plainUs, countingUs] = isPlainFirst ? [first, second] : [second, first];
      pairs.push({ plainUs, countingUs });
      say(`without ${plainUs.toFixed(1)} µs, with ${countingUs.toFixed(1)} µs`);
    }
    const ratios = pairs.map(({ plainUs, countingUs }) => countingUs / plainUs);
    const own = recorderCost();
    const scrape = await scrapeCost(counting.pids[0] ?? 0, port);
    process.stdout.write(
      `${[
        `a charged lookup without METRICS_PORT: ${middle(pairs.map(({ plainUs }) => plainUs)).toFixed(1)} µs of processor time`,
        `with it: ${middle(pairs.map(({ countingUs }) => countingUs)).toFixed(1)} µs; middle of the pairs' ratios ${middle(ratios).toFixed(3)}, from ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`,
        `of that the recorder itself, alone and warm: ${own.medianUs.toFixed(3)} µs (p99 ${own.p99Us.toFixed(3)})`,
        `a scrape: ${scrape.costMs.toFixed(1)} ms of processor time, ${scrape.bytes} bytes`,
      ].join("\n")}\n`,
    );
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    await client.stop();
    for (const { folder } of worlds) rmSync(folder, { recursive: true, force: true });
  }
}

if (values.help) process.stdout.write(`${USAGE}\n`);
else await main();
