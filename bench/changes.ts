/** `npm run bench:changes`: what it costs to change a large registry, to start from it, and to ask it by its number of segments; see README.md. */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Accounts } from "../src/accounts/accounts.ts";
import type { SourcedFacts } from "../src/company/facts.ts";
import { parseKvkNumber } from "../src/contract/numbers.ts";
import { DEMO_SEED, generateCompanies } from "../src/demo/generateCompanies.ts";
import { Random } from "../src/demo/random.ts";
import { formatFacts } from "../src/import/jsonl.ts";
import { openCurrentSnapshot } from "../src/snapshot/openSnapshot.ts";
import { registryDirectory } from "../src/snapshot/places.ts";
import { typing } from "./cases/typing.ts";
import { startOurs } from "./ours.ts";
import { type PartCost, timeWork } from "./parts/timing.ts";
import { usageOf } from "./processes.ts";
import { opzoek } from "./program.ts";
import type { Setup } from "./setups.ts";
import { wholeNumber } from "./words.ts";
import { buildWorld, UNLIMITED_TIERS, type World, withState } from "./world.ts";

const USAGE = `node bench/changes.ts [options]

  --companies N     generated companies in the registry (200000)
  --registry PATH   a DATA_DIR that holds them already, made by \`opzoek generate\` and \`opzoek import jsonl\`; it is left as it is
  --folder PATH     where the data of the run is put (bench/out)`;

const { values } = parseArgs({
  options: {
    companies: { type: "string", default: "200000" },
    registry: { type: "string" },
    folder: { type: "string", default: new URL("out", import.meta.url).pathname },
    help: { type: "boolean", default: false },
  },
});

/** Shares of the registry that change, one after the other; as small as this they are merged with nothing until eight lie on the base. */
const SHARES = [0.01, 0.01, 0.01, 0.0025, 0.0025, 0.0025, 0.00125, 0];
const LOOK_EVERY_MS = 20;
const SERVED_WITHIN_MS = 120_000;
const DROPDOWN = 8;

interface Change {
  readonly companies: number;
  readonly commandSeconds: number;
  /** From the start of the command until the service tells the new name. */
  readonly servedSeconds: number;
  /** The same file once more. */
  readonly againSeconds: number;
  readonly segments: number;
}

interface Asked {
  readonly segments: number;
  readonly costs: readonly PartCost[];
}

/** Where the service listens, and a key that may call as often as it likes. */
interface Service {
  readonly port: number;
  readonly key: string;
}

const EMBEDDED: Setup = { name: "sqlite", title: "one node, embedded state", isOnPostgres: false, nodes: 1 };
/** Nothing here asks VIES. */
const NO_VIES = "http://127.0.0.1:1";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Every so many-th company, under another name; one company for a share of 0. */
function* changed(companies: number, share: number, mark: string): Generator<SourcedFacts> {
  const step = share === 0 ? companies : Math.round(1 / share);
  let index = 0;
  for (const one of generateCompanies({ companies, seed: DEMO_SEED })) {
    if (index++ % step !== 0) continue;
    yield {
      ...one,
      asOf: new Date().toISOString(),
      facts: { ...one.facts, name: `${one.facts.name} ${mark}` },
    };
  }
}

async function writeChanges(path: string, facts: Iterable<SourcedFacts>): Promise<readonly SourcedFacts[]> {
  const written: SourcedFacts[] = [];
  const file = createWriteStream(path);
  for (const one of facts) {
    written.push(one);
    if (!file.write(`${formatFacts(one)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  return written;
}

async function nameServed({ key, port }: Service, kvkNumber: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/lookup/${kvkNumber}`, { headers });
  const body: unknown = await answer.json();
  return typeof body === "object" && body !== null && "name" in body ? String(body.name) : "";
}

async function untilServed(service: Service, wanted: SourcedFacts): Promise<number> {
  const deadlineMs = performance.now() + SERVED_WITHIN_MS;
  while ((await nameServed(service, wanted.facts.kvkNumber)) !== wanted.facts.name) {
    if (performance.now() > deadlineMs) throw new Error("the service does not tell what was imported");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return performance.now();
}

async function change(world: World, service: Service, companies: number, nth: number): Promise<Change> {
  const path = join(world.folder, `changes-${nth}.jsonl`);
  const facts = await writeChanges(path, changed(companies, SHARES[nth] ?? 0, `${nth + 1}e naam`));
  const last = facts.at(-1);
  if (last === undefined) throw new Error("no company changes");
  const startedMs = performance.now();
  const command = opzoek(["import", "jsonl", path], world.environment).then(() => performance.now());
  const [endedMs, servedMs] = await Promise.all([command, untilServed(service, last)]);
  const againMs = performance.now();
  await opzoek(["import", "jsonl", path], world.environment);
  return {
    companies: facts.length,
    commandSeconds: (endedMs - startedMs) / 1_000,
    servedSeconds: (servedMs - startedMs) / 1_000,
    againSeconds: (performance.now() - againMs) / 1_000,
    segments: segmentsOf(world),
  };
}

function segmentsOf(world: World): number {
  const snapshot = openCurrentSnapshot(registryOf(world));
  const segments = (snapshot?.layers.length ?? 1) - 1;
  snapshot?.close();
  return segments;
}

/** What a lookup and a suggestion cost in this process, without HTTP. */
function ask(world: World): Asked {
  const snapshot = openCurrentSnapshot(registryOf(world));
  if (snapshot === undefined) throw new Error("there is no registry");
  try {
    const { sample } = world;
    const numbers = sample.flatMap(({ kvkNumber }) => parseKvkNumber(kvkNumber) ?? []);
    const typed = typing
      .calls(sample, new Random(1))
      .map(({ path }) => new URL(path, "http://opzoek.example").searchParams.get("q") ?? "");
    const costs = [
      timeWork("basic lookup", 100_000, (index) => {
        const number = numbers[index % numbers.length];
        return number === undefined ? undefined : snapshot.basic(number);
      }),
      timeWork("suggestions", 20_000, (index) =>
        snapshot.autocomplete(typed[index % typed.length] ?? "", DROPDOWN),
      ),
    ];
    return { segments: snapshot.layers.length - 1, costs };
  } finally {
    snapshot.close();
  }
}

function registryOf({ environment }: World): string {
  return registryDirectory(environment["DATA_DIR"] ?? "");
}

function makeKey(world: World): Promise<string> {
  return withState(world, async (state) => {
    const accounts = new Accounts(state, UNLIMITED_TIERS);
    const { id } = await accounts.create(`${randomUUID()}@bench.example`, "unlimited");
    return (await accounts.createKey(id, "changes")).key;
  });
}

async function measure(companies: number): Promise<string> {
  const { folder, registry } = values;
  const world = await buildWorld({ companies, registry, folder, logLevel: "info", viesUrl: NO_VIES }, say);
  try {
    const asked = [ask(world)];
    const key = await makeKey(world);
    const startedMs = performance.now();
    const ours = await startOurs(world, EMBEDDED, { profile: false, databasePid: undefined });
    const startSeconds = (performance.now() - startedMs) / 1_000;
    const changes: Change[] = [];
    const service = { key, port: ours.ports[0] ?? 0 };
    const restMb = megabytes(ours.pids[0] ?? 0);
    try {
      for (const nth of SHARES.keys()) {
        changes.push(await change(world, service, companies, nth));
        say(`${changes.at(-1)?.companies} companies changed`);
      }
    } finally {
      await ours.stop();
    }
    asked.push(ask(world));
    return [
      ...(world.importSeconds === undefined
        ? []
        : [`import of ${companies}: ${world.importSeconds.toFixed(1)} s`]),
      `first answer of \`serve\`: ${startSeconds.toFixed(2)} s, then ${restMb} MB resident`,
      "",
      changesTable(changes),
      "",
      askedTable(asked),
    ].join("\n");
  } finally {
    rmSync(world.folder, { recursive: true, force: true });
  }
}

function megabytes(pid: number): number {
  return Math.round((usageOf(pid)?.residentBytes ?? 0) / 1e6);
}

function changesTable(changes: readonly Change[]): string {
  return [
    "| companies that change | command | until served | same file again | segments afterwards |",
    "|--:|--:|--:|--:|--:|",
    ...changes.map(({ companies, commandSeconds, servedSeconds, againSeconds, segments }) => {
      const times = [commandSeconds, servedSeconds, againSeconds].map((seconds) => `${seconds.toFixed(1)} s`);
      return `| ${companies.toLocaleString("en")} | ${times.join(" | ")} | ${segments} |`;
    }),
  ].join("\n");
}

function askedTable(asked: readonly Asked[]): string {
  return [
    "| segments | part | median | p99 |",
    "|--:|---|--:|--:|",
    ...asked.flatMap(({ segments, costs }) =>
      costs.map(
        ({ part, medianUs, p99Us }) =>
          `| ${segments} | ${part} | ${medianUs.toFixed(1)} µs | ${p99Us.toFixed(1)} µs |`,
      ),
    ),
  ].join("\n");
}

if (values.help) process.stdout.write(`${USAGE}\n`);
else process.stdout.write(`${await measure(wholeNumber("--companies", values.companies))}\n`);
