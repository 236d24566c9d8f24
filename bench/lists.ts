/** `npm run bench:lists`: what lists that are worked take of the service while callers ask, by calls answered with and without them; see README.md. */

import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Job } from "../src/contract/jobs.ts";
import { lookup } from "./cases/lookup.ts";
import { middle } from "./measure.ts";
import { startOurs } from "./ours.ts";
import { Helper } from "./processes.ts";
import { checkStatuses, runRound, type Target } from "./round.ts";
import { SETUPS } from "./setups.ts";
import { named, wholeNumber } from "./words.ts";
import { buildWorld, type PreparedCase, prepareCase, type World } from "./world.ts";

const USAGE = `node bench/lists.ts [options]

  --companies N     companies in the registry (25000)
  --pairs N         measurements with and without lists, in turn (12)
  --setup NAME      ${SETUPS.map(({ name }) => name).join(", ")} (sqlite)
  --folder PATH     where the data of the run is put (bench/out)`;

const { values } = parseArgs({
  options: {
    companies: { type: "string", default: "25000" },
    pairs: { type: "string", default: "12" },
    setup: { type: "string", default: "sqlite" },
    folder: { type: "string", default: new URL("out", import.meta.url).pathname },
    help: { type: "boolean", default: false },
  },
});

const SECONDS = 1.5;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 64;
/** Of accounts of their own, so that each thread has one. */
const LISTS = 2;
const NUMBERS = 100_000;
const FIRST_NUMBER = 10_000_000;

const tell = ({ perSecond, processorUs }: Answered) =>
  `${perSecond.toFixed(0)} calls/s of ${processorUs.toFixed(0)} µs`;

/** The middle of the pairs, and how far they lie apart. */
function spread(ratios: readonly number[]): string {
  return `${middle(ratios).toFixed(3)}, from ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`;
}

const say = (line: string) => process.stderr.write(`${line}\n`);

interface RunningList {
  change(how: "pause" | "resume"): Promise<void>;
  done(): Promise<number>;
}

async function sendList(port: number, key: string, numbers: readonly string[]): Promise<RunningList> {
  const address = `http://127.0.0.1:${port}/v1/jobs`;
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (path: string, init: RequestInit): Promise<Job> => {
    const answer = await fetch(address + path, init);
    if (!answer.ok) throw new Error(`a call about a list was answered with ${answer.status}`);
    return (await answer.json()) as Job;
  };
  const { id } = await ask("?kind=lookup", {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-ndjson" },
    body: numbers.map((number) => `"${number}"\n`).join(""),
  });
  const show = () => ask(`/${id}`, { headers });
  return {
    async change(how) {
      const { status } = await ask(`/${id}/${how}`, { method: "POST", headers });
      if (status === "completed") throw new Error("a list has ended: measure fewer pairs");
    },
    done: async () => (await show()).counts.done,
  };
}

/** Numbers of the registry and such as nobody has, in equal parts where there are enough. */
function numbersOf({ sample }: World): readonly string[] {
  const known = sample.map(({ kvkNumber }) => String(kvkNumber));
  const unknown = Array.from({ length: NUMBERS - known.length }, (_, nth) => String(FIRST_NUMBER + nth));
  return known.flatMap((number, nth) => [number, unknown[nth] ?? number]).concat(unknown.slice(known.length));
}

interface Answered {
  readonly perSecond: number;
  /** Microseconds of a core for one call, over all threads of the service: other work on the machine changes it the least. */
  readonly processorUs: number;
}

async function measure(
  target: Target,
  { calls, bench }: PreparedCase,
  client: Helper,
  seconds: number,
): Promise<Answered> {
  const job = { client: "lean" as const, connections: CONNECTIONS, calls: [...calls], seconds };
  const { outcome, serverMs, answersPerSecond } = await runRound(
    target,
    { ...job, ports: [...target.ports] },
    client,
  );
  checkStatuses(bench, outcome);
  if (serverMs === undefined) throw new Error("this system does not tell what a process used");
  return { perSecond: answersPerSecond, processorUs: (serverMs * 1_000) / outcome.answers };
}

async function main(): Promise<void> {
  const wishes = {
    companies: wholeNumber("companies", values.companies),
    folder: values.folder,
    logLevel: "info",
    viesUrl: "http://127.0.0.1:1",
  };
  const world = await buildWorld(wishes, say);
  const prepared = await prepareCase(lookup, world);
  const { keys } = await prepareCase({ ...lookup, name: "lists", accounts: LISTS }, world);
  const setup = named("setup", SETUPS, values.setup);
  const client = new Helper(new URL("client/process.ts", import.meta.url));
  const ours = await startOurs(world, setup, { profile: false, databasePid: undefined });
  try {
    const port = ours.ports[0] ?? 0;
    await measure(ours, prepared, client, WARM_UP_SECONDS);
    const numbers = numbersOf(world);
    const lists = await Promise.all(keys.map((key) => sendList(port, key, numbers)));
    const all = (how: "pause" | "resume") => Promise.all(lists.map((list) => list.change(how)));
    const doneOfAll = async () =>
      (await Promise.all(lists.map((list) => list.done()))).reduce((a, b) => a + b);
    const pairs: { without: Answered; beside: Answered; numbers: number }[] = [];
    const measureWithout = async () => {
      await all("pause");
      return measure(ours, prepared, client, SECONDS);
    };
    const measureBeside = async () => {
      const before = await doneOfAll();
      await all("resume");
      const beside = await measure(ours, prepared, client, SECONDS);
      return { beside, numbers: ((await doneOfAll()) - before) / SECONDS };
    };
    for (let pair = 0; pair < wholeNumber("pairs", values.pairs); pair += 1) {
      const early = pair % 2 === 0 ? undefined : await measureBeside();
      const without = await measureWithout();
      const { beside, numbers } = early ?? (await measureBeside());
      pairs.push({ without, beside, numbers });
      say(`without lists ${tell(without)}; beside them ${tell(beside)}, and ${numbers.toFixed(0)} numbers/s`);
    }
    const middleOf = (pick: (pair: (typeof pairs)[number]) => number) => middle(pairs.map(pick));
    const calls = pairs.map(({ without, beside }) => beside.perSecond / without.perSecond);
    const shares = pairs.map(({ without, beside }) => 1 - without.processorUs / beside.processorUs);
    process.stdout.write(
      `${[
        `charged lookups on ${setup.title}: ${middleOf(({ without }) => without.perSecond).toFixed(0)} a second, ${middleOf(({ without }) => without.processorUs).toFixed(0)} µs of processor time each`,
        `beside ${LISTS} lists: ${middleOf(({ beside }) => beside.perSecond).toFixed(0)} and ${middleOf(({ beside }) => beside.processorUs).toFixed(0)} µs, with ${middleOf(({ numbers }) => numbers).toFixed(0)} numbers of the lists a second`,
        `calls beside lists to calls without: ${spread(calls)}`,
        `the lists' share of the processor time: ${spread(shares)}`,
      ].join("\n")}\n`,
    );
  } finally {
    await ours.stop();
    await client.stop();
    rmSync(world.folder, { recursive: true, force: true });
  }
}

if (values.help) process.stdout.write(`${USAGE}\n`);
else await main();
