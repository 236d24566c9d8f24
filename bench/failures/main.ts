/** `npm run failures`: nodes under mixed load while something goes wrong every minute, and whether all that was promised held. */
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../../src/demo/random.ts";
import { callMix } from "./calls.ts";
import { FAULTS, type Happened, type Stage } from "./faults.ts";
import { judge } from "./judge.ts";
import { callOn, emptyTally, type Tally } from "./load.ts";
import type { SoakNode } from "./node.ts";
import { report } from "./report.ts";
import { setStage } from "./stage.ts";
import { buildSoakWorld, type SoakWorld } from "./world.ts";

const USAGE = `npm run failures -- [options]

  --minutes N   how long (60); each minute has a fault, all of them come in turn
  --short       ten minutes, with a fault every thirty seconds
  --only TEXT   only faults whose names match this regular expression
  --out FILE    where the report is put (on stdout alone without it)`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    short: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    out: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

/** The faults so far, and what callers saw. */
interface Run {
  readonly happened: Happened[];
  readonly tally: Tally;
}

const MINUTE_MS = 60_000;
const SHORT_MINUTES = 10;
/** What was wrong is felt for so long: breakers open, connections are made anew. */
const FELT_FOR_MS = 15_000;
const PAUSE_MS = 25;
const SEED = 7;

if (values.help) process.stdout.write(`${USAGE}\n`);
else process.exitCode = await soak(values.short ? SHORT_MINUTES : Number(values.minutes), values.short);

async function soak(minutes: number, isShort: boolean): Promise<number> {
  const world = await buildSoakWorld(say);
  const ending = new AbortController();
  const nodes: SoakNode[] = [];
  // A signal ends the process at once, as the library that runs PostgreSQL has it: no node may outlive it.
  process.once("exit", () => {
    for (const node of nodes) node.killNow();
  });
  try {
    const stage = await setStage(world, (node) => nodes.push(node));
    const [happened, tally]: [Happened[], Tally] = [[], emptyTally()];
    const called = callAll(world, stage, { happened, tally, signal: ending.signal });
    // Awaited below, unless a fault fails first.
    called.catch(() => {});
    await runFaults(stage, { happened, tally }, { minutes, everyMs: isShort ? MINUTE_MS / 2 : MINUTE_MS });
    ending.abort();
    await called;
    const codes = await Promise.all(nodes.map((node) => node.stop()));
    const verdict = await judge({ world, nodes, tally, happened, codes });
    const filledDisk = world.smallDisk !== undefined;
    const text = report({ minutes, tally, happened, verdict, filledDisk });
    process.stdout.write(text);
    if (values.out !== undefined) writeFileSync(values.out, text);
    return verdict.problems.length === 0 ? 0 : 1;
  } finally {
    ending.abort();
    for (const node of nodes) await node.kill();
    await world.close();
  }
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** Has every account of every node called until the signal. */
async function callAll(
  world: SoakWorld,
  { shared, embedded }: Stage,
  { happened, tally, signal }: Run & { readonly signal: AbortSignal },
): Promise<void> {
  const next = callMix(world.companies, world.unknown);
  const isFaulty = (node: SoakNode) =>
    happened.some(
      (one) =>
        one.nodes.includes(node) &&
        (one.endedMs === undefined || performance.now() - one.endedMs < FELT_FOR_MS),
    );
  const onSeen = (node: SoakNode, outcome: string, tookMs: number) => {
    const fault = happened.at(-1);
    if (fault === undefined) return;
    const isFailure = !/^[234]/.test(outcome);
    if (fault.nodes.length > 0 && !fault.nodes.includes(node)) {
      if (isFailure) fault.failedElsewhere++;
      return;
    }
    const { outcomes } = fault.seen;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    fault.seen.slowestMs = Math.max(fault.seen.slowestMs, tookMs);
    if (isFailure) fault.seen.failedUntilMs = performance.now() - fault.beganMs;
  };
  const callers = [
    ...shared.flatMap((node) => world.shared.accounts.map((account) => ({ node, account }))),
    ...world.embedded.accounts.map((account) => ({ node: embedded, account })),
  ];
  await Promise.all(
    callers.map((caller, nth) => {
      const random = new Random(SEED + nth);
      return callOn({ ...caller, next, random, tally, isFaulty, onSeen, pauseMs: PAUSE_MS, signal });
    }),
  );
}

/** Has every fault happen in its turn until the time is over. @throws {Error} when the run was ended by a signal */
async function runFaults(
  stage: Stage,
  { happened, tally }: Run,
  { minutes, everyMs }: { readonly minutes: number; readonly everyMs: number },
): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
  }
  const waitUntil = (atMs: number) =>
    pause(Math.max(0, atMs - performance.now()), undefined, { signal: interrupted.signal });
  const faults = FAULTS.filter(({ name }) => new RegExp(values.only).test(name));
  const endMs = performance.now() + minutes * MINUTE_MS;
  for (let nth = 0; performance.now() < endMs - everyMs; nth++) {
    const beganMs = performance.now();
    const fault = faults[nth % faults.length];
    if (fault !== undefined) {
      const one: Happened = {
        fault,
        nodes: fault.strikes(stage),
        beganMs,
        endedMs: undefined,
        seen: { outcomes: new Map(), slowestMs: 0, failedUntilMs: 0 },
        failedElsewhere: 0,
      };
      happened.push(one);
      say(`${fault.name} (${tally.calls} calls, ${tally.violations.length} violations)`);
      await fault.run(stage);
      one.endedMs = performance.now();
    }
    await waitUntil(beganMs + everyMs);
  }
  await waitUntil(endMs);
}
