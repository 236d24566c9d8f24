/** `npm run failures`: nodes under mixed load while something fails every minute, and whether all promises held. */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../../src/demo/registry/random.ts";
import { positiveNumber, runCommand, say } from "../options.ts";
import { FAULTS } from "./faults.ts";
import { type Happened, judge } from "./judge.ts";
import { keepCalling, type Tally } from "./load.ts";
import type { TestNode } from "./node.ts";
import { buildWorld, type World } from "./world.ts";

const USAGE = `npm run failures -- [options]

  --minutes N   length of the run (60); the faults follow each other
  --every S     seconds from one fault to the next (60)
  --only TEXT   only faults whose names match this regular expression
`;

/** The effects of a fault last this long: breakers are open, connections are re-established. */
const FELT_FOR_MS = 15_000;
const SEED = 7;

interface Options {
  readonly durationMs: number;
  readonly everyMs: number;
  readonly only: RegExp;
}

/** @returns the exit code */
async function run(options: Options): Promise<number> {
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
  const cleanUps: (() => unknown)[] = [];
  try {
    const world = await buildWorld(cleanUps);
    const happened: Happened[] = [];
    const tally: Tally = { calls: 0, unanswered: 0, charged: new Map(), violations: [] };
    const calling = callAll(world, happened, tally, ending.signal);
    // The first failure ends the run.
    await Promise.race([calling, causeFaults(world, happened, options, ending.signal)]);
    ending.abort();
    await calling;
    const codes = await Promise.all(world.nodes.map((node) => node.stop("SIGTERM")));
    codes.forEach((code, nth) => {
      if (code !== 0) tally.violations.push(`${world.nodes[nth]?.name} ended with ${code} at SIGTERM`);
    });
    const { report, problems } = await judge(world, tally, happened);
    process.stdout.write(`${report}\n`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    ending.abort();
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

/** Makes calls for every account on every node until the signal. */
async function callAll(
  world: World,
  happened: readonly Happened[],
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const isFaulty = (node: TestNode) =>
    happened.some(
      ({ nodes, endedMs }) =>
        nodes.includes(node) && (endedMs === undefined || performance.now() - endedMs < FELT_FOR_MS),
    );
  const onOutcome = (node: TestNode, outcome: string, tookMs: number) => {
    const fault = happened.at(-1);
    if (fault === undefined || (fault.nodes.length > 0 && !fault.nodes.includes(node))) return;
    fault.outcomes.set(outcome, (fault.outcomes.get(outcome) ?? 0) + 1);
    fault.slowestMs = Math.max(fault.slowestMs, tookMs);
    if (!/^[234]/.test(outcome)) fault.failedUntilMs = performance.now() - fault.startedMs;
  };
  const callers = world.places.flatMap(({ nodes, accounts }) =>
    nodes.flatMap((node) => accounts.map((account) => ({ node, account }))),
  );
  await Promise.all(
    callers.map((caller, nth) => {
      const random = new Random(SEED + nth);
      return keepCalling({ ...caller, world, random, tally, isFaulty, onOutcome, signal });
    }),
  );
}

/** Causes every fault in turn until the time is over. @throws {Error} if the signal ends the run */
async function causeFaults(
  world: World,
  happened: Happened[],
  { durationMs, everyMs, only }: Options,
  signal: AbortSignal,
): Promise<void> {
  const waitUntil = (atMs: number) => pause(Math.max(0, atMs - performance.now()), undefined, { signal });
  const chosen = FAULTS.filter(({ name }) => only.test(name));
  const faults = chosen.filter((one) => one.needsSmallDisk !== true || world.smallDisk !== undefined);
  if (faults.length < chosen.length) say("no file system can be mounted here: the disk is never full");
  const endMs = performance.now() + durationMs;
  for (let nth = 0; performance.now() < endMs - everyMs; nth++) {
    const startedMs = performance.now();
    const fault = faults[nth % faults.length];
    if (fault === undefined) throw new Error(`No fault matches ${only}`);
    const nodes = fault.affects(world);
    const seen = { outcomes: new Map(), slowestMs: 0, failedUntilMs: 0 };
    const one: Happened = { fault, nodes, startedMs, endedMs: undefined, ...seen };
    happened.push(one);
    say(fault.name);
    await fault.run(world, nodes);
    one.endedMs = performance.now();
    await waitUntil(startedMs + everyMs);
  }
  await waitUntil(endMs);
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "60" },
      every: { type: "string", default: "60" },
      only: { type: "string", default: "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const durationMs = 60_000 * positiveNumber("--minutes", values.minutes);
  const everyMs = 1_000 * positiveNumber("--every", values.every);
  process.exitCode = await run({ durationMs, everyMs, only: new RegExp(values.only) });
});
