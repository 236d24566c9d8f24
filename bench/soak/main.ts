/** `npm run soak`: nodes under mixed load while something goes wrong every minute, and whether all that was promised held. */
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../../src/demo/random.ts";
import { opzoek } from "../program.ts";
import { callMix } from "./calls.ts";
import { FAULTS, type Fault, type Stage } from "./faults.ts";
import { judge } from "./judge.ts";
import { callOn, emptyTally } from "./load.ts";
import { SoakNode } from "./node.ts";
import { report } from "./report.ts";
import { buildSoakWorld, type Place } from "./world.ts";

const USAGE = `node bench/soak/main.ts [options]

  --minutes N   how long (60); each minute has a fault, all of them come in turn
  --short       ten minutes, with a fault every thirty seconds
  --out FILE    where the report is put (on stdout alone without it)`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    short: { type: "boolean", default: false },
    out: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const MINUTE_MS = 60_000;
const SHORT_MINUTES = 10;
/** The last part of a run in which no process is killed, so that what it holds can be followed. */
const WITHOUT_KILLS = 0.5;
const SAMPLED_EVERY_MS = 5_000;
/** What was wrong is felt for so long: breakers open, connections are made anew. */
const FELT_FOR_MS = 15_000;
const CALLERS_EACH = 5;
const PAUSE_MS = 25;
const SEED = 7;

/** A fault as it happened. */
export interface Happened {
  readonly fault: Fault;
  readonly nodes: readonly SoakNode[];
  readonly beganMs: number;
  /** Undefined while it lasts. */
  endedMs: number | undefined;
}

if (values.help) process.stdout.write(`${USAGE}\n`);
else process.exitCode = await soak(values.short ? SHORT_MINUTES : Number(values.minutes), values.short);

async function soak(minutes: number, isShort: boolean): Promise<number> {
  const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  const world = await buildSoakWorld(say);
  const { folder } = world;
  const shared = [
    await SoakNode.start("node-0", folder, world.shared.environment),
    await SoakNode.start("node-1", folder, world.shared.environment),
  ];
  const embedded = await SoakNode.start("embedded", folder, world.embedded.environment);
  const nodes = [...shared, embedded];
  const happened: Happened[] = [];
  const tally = emptyTally();
  const ending = new AbortController();
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
  }
  const waitUntil = (atMs: number) =>
    pause(Math.max(0, atMs - performance.now()), undefined, { signal: interrupted.signal });
  const next = callMix(world.companies, world.unknown);
  const isFaulty = (node: SoakNode) =>
    happened.some(
      (one) =>
        one.nodes.includes(node) &&
        (one.endedMs === undefined || performance.now() - one.endedMs < FELT_FOR_MS),
    );
  const callers = nodes.flatMap((node, nth) =>
    placeOf(node)
      .accounts.slice(0, CALLERS_EACH)
      .map((account, index) =>
        callOn({
          node,
          account,
          next,
          random: new Random(SEED + nth * CALLERS_EACH + index),
          tally,
          isFaulty,
          pauseMs: PAUSE_MS,
          signal: ending.signal,
        }),
      ),
  );
  function placeOf(node: SoakNode): Place {
    return node === embedded ? world.embedded : world.shared;
  }
  const sampling = setInterval(() => {
    for (const node of nodes) node.sample();
  }, SAMPLED_EVERY_MS);
  let imports = 0;
  const stage: Stage = {
    shared,
    embedded,
    gate: world.gate,
    database: world.postgres,
    vies: world.vies,
    kvk: world.kvk,
    smallDisk: world.smallDisk,
    async importChanges() {
      const file = world.changedFile(++imports);
      for (const { environment } of [world.shared, world.embedded]) {
        await opzoek(["import", "jsonl", file], environment);
      }
    },
    async rollBack() {
      for (const { environment } of [world.shared, world.embedded]) {
        await opzoek(["registry", "rollback"], environment);
      }
    },
  };
  const startedMs = performance.now();
  const endMs = startedMs + minutes * MINUTE_MS;
  const everyMs = isShort ? MINUTE_MS / 2 : MINUTE_MS;
  try {
    for (let nth = 0; performance.now() < endMs - everyMs; nth++) {
      const beganMs = performance.now();
      const fault = FAULTS[nth % FAULTS.length];
      const isLate = beganMs - startedMs > (endMs - startedMs) * (1 - WITHOUT_KILLS);
      if (
        fault !== undefined &&
        !(isLate && fault.name.endsWith("is killed") && !fault.name.startsWith("the database"))
      ) {
        const one: Happened = { fault, nodes: fault.strikes(stage), beganMs, endedMs: undefined };
        happened.push(one);
        say(`${fault.name} (${tally.calls} calls, ${tally.violations.length} violations)`);
        await fault.run(stage);
        one.endedMs = performance.now();
      }
      await waitUntil(beganMs + everyMs);
    }
    await waitUntil(endMs);
    ending.abort();
    await Promise.all(callers);
    for (const node of nodes) node.sample();
    const codes = await Promise.all(nodes.map((node) => node.stop()));
    const verdict = await judge({ world, nodes, tally, happened, codes });
    const text = report({
      minutes,
      nodes,
      tally,
      happened,
      verdict,
      filledDisk: world.smallDisk !== undefined,
    });
    process.stdout.write(text);
    if (values.out !== undefined) writeFileSync(values.out, text);
    return verdict.problems.length === 0 ? 0 : 1;
  } finally {
    clearInterval(sampling);
    ending.abort();
    for (const node of nodes) await node.kill();
    await world.close();
  }
}
