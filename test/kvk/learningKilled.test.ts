/** A service that learns is killed at any moment of what it does, and goes on when it is started again. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import type { SourcedFacts } from "../../src/company/facts.ts";
import type { KvkSimulator } from "../../src/simulators/kvk/server.ts";
import { namedLayers, readPointer } from "../../src/snapshot/directory.ts";
import { registryDirectory } from "../../src/snapshot/places.ts";
import { callsTo, startKvk } from "../kit/kvk.ts";
import { type Service, startService } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { bytesOf } from "../kit/upkeep.ts";
import { makeWorld, type World } from "../kit/world.ts";
import {
  expectKept,
  expectNotFound,
  expectWhole,
  filed,
  forget,
  type Life,
  lookUp,
  type Promised,
  refresh,
  search,
} from "./killedLife.ts";
import {
  atKvk,
  base,
  type Colony,
  chosen,
  colonyOf,
  type Moment,
  variablesOf,
  WORKS,
} from "./killedMoments.ts";

const DAY_MS = 86_400_000;

const KILLED_AT = new URL("./killedAt.ts", import.meta.url).href;

async function start(world: World, variables: Readonly<Record<string, string>>): Promise<Service> {
  const NODE_OPTIONS = `--import=${KILLED_AT}`;
  return startService({ environment: { ...world.environment, NODE_OPTIONS, ...variables } });
}

/** Has the work begin after which calls are counted. */
async function begin({ program }: Service): Promise<void> {
  program.child.kill("SIGUSR2");
  await until("the service was told to begin", () => program.err().includes("begun"));
}

const LEARNED = "what KVK told was added to the registry";
const TAKEN_OUT = "companies that had to leave were taken out of the files of the registry";

const isDone = ({ program }: Service, line: string) => program.out().includes(`"${line}"`);

/** Until the service has killed itself, or has done its work: then it is killed here. */
async function killed({ service }: Life, line: string): Promise<"within" | "after"> {
  let hasEnded = false;
  const ended = service.program.ended.then(() => {
    hasEnded = true;
  });
  await until(`the service is killed, or says: ${line}`, () => hasEnded || isDone(service, line));
  service.program.child.kill("SIGKILL");
  await ended;
  return isDone(service, line) ? "after" : "within";
}

/** What the service does until it is killed. */
async function live(
  world: World,
  life: Life,
  moment: Moment,
  promised: Promised,
): Promise<"within" | "after"> {
  const { service, colony } = life;
  const [first] = colony.members;
  if (first === undefined) throw new RangeError("a colony has companies");
  if (moment.work === "keeping") {
    await begin(service);
    const calls = [
      () => lookUp(life, first, promised),
      () => search(life, promised),
      ...colony.members.slice(1).map((one) => () => lookUp(life, one, promised)),
    ];
    for (const call of calls) {
      if (await call()) continue;
      await service.program.ended;
      return "within";
    }
    throw new Error("four calls take more statements than that");
  }
  await lookUp(life, first, promised);
  await search(life, promised);
  if (moment.work === "withdrawing") {
    const held = filed(world);
    const learned = [...promised.told.values()].find(({ kvkNumber }) => held.has(kvkNumber));
    if (learned !== undefined) await forget(world, learned, promised);
    const listed = base.findLast(({ kvkNumber }) => !promised.forgotten.has(kvkNumber));
    if (listed !== undefined) await forget(world, listed, promised);
  } else if (moment.call % 2 === 0) {
    await refresh(world, promised);
  }
  await expectNotFound(life, promised);
  await begin(service);
  return killed(life, moment.work === "withdrawing" ? TAKEN_OUT : LEARNED);
}

it(`loses nothing that was told and tells nothing that was forgotten, over ${chosen.length} kills on one data folder`, async () => {
  await awayFromMonthEnd();
  const kvk = await startKvk({
    companies: atKvk,
    perSecond: 1_000_000,
  });
  const asOf = new Date(Date.now() - 2 * DAY_MS).toISOString();
  const companies = base.map((facts): SourcedFacts => ({ origin: "import:lijst", asOf, facts }));
  const world = await makeWorld({
    companies,
    environment: {
      KVK_API_URL: kvk.url,
      KVK_API_KEY: kvk.apiKey,
      KVK_SEARCH_FRESH_FOR: "86400",
      LEARN: "true",
    },
  });
  const promised: Promised = {
    told: new Map(),
    found: new Map(),
    forgotten: new Map(),
    renewed: 0,
    bills: [],
  };
  const alive = async (service: Service, colony: Colony): Promise<Life> => {
    const bill = { account: await world.account("plenty"), charged: 0, underWay: 0 };
    promised.bills.push(bill);
    return { service, bill, colony };
  };
  const cut: string[] = [];
  for (const [index, moment] of chosen.entries()) {
    const before = filed(world);
    const service = await start(world, variablesOf(moment));
    const life = await alive(service, colonyOf(index));
    await expectKept(life, promised, kvk);
    const end = await live(world, life, moment, promised);
    if (end === "within") cut.push(moment.work);
    await expectWhole(world, promised, before);
  }
  expect(new Set(cut)).toEqual(new Set<string>(WORKS));
  expect(cut.length).toBeGreaterThan(chosen.length / 2);
  await expectAllDone(world, promised, kvk, alive);
});

/** What is left to do is done by a service that is not killed; then all is in its place, and nothing else. */
async function expectAllDone(
  world: World,
  promised: Promised,
  kvk: KvkSimulator,
  alive: (service: Service, colony: Colony) => Promise<Life>,
): Promise<void> {
  const service = await start(world, { UPKEEP_DOES: "learning,withdrawing" });
  const life = await alive(service, colonyOf(-1));
  await expectKept(life, promised, kvk);
  const [first] = base;
  if (first !== undefined) await forget(world, first, promised);
  await search(life, promised);
  await begin(service);
  for (const line of [LEARNED, TAKEN_OUT]) await until(`it says: ${line}`, () => isDone(service, line));
  const directory = registryDirectory(world.dataDir);
  const rows = [...base, ...promised.told.values(), ...promised.found.values()];
  const kept = rows.filter(({ kvkNumber }) => !promised.forgotten.has(kvkNumber));
  const inFiles = filed(world);
  expect(kept.filter(({ kvkNumber }) => !inFiles.has(kvkNumber))).toEqual([]);
  expect([...promised.forgotten.keys()].filter((number) => inFiles.has(number))).toEqual([]);
  const { get } = callsTo(service, life.bill.account);
  for (const { name } of [...promised.told.values(), ...promised.found.values()]) {
    await until("it is suggested", async () =>
      (await get(`/v1/autocomplete?q=${encodeURIComponent(name)}`)).text.includes(name),
    );
  }
  // What is being built when a service ends stays until the next change.
  await until("nothing is being built", () => !readdirSync(directory).includes("building"));
  await expectSoundState(world);
  expect(service.program.out()).not.toMatch(/cannot be (added to the registry|taken out)/);
  expect(await service.end("SIGTERM")).toBe(0);
  const bytes = bytesOf(directory);
  expect([...promised.forgotten.values()].filter(({ name }) => bytes.includes(name))).toEqual([]);
  const layers = new Set(namedLayers(readPointer(directory)).map(({ file }) => file.replace(".sqlite", "")));
  const beside = [...layers].flatMap((layer) =>
    [".sqlite", ".names", ".verified", ".verified-names"].map((end) => `${layer}${end}`),
  );
  expect(readdirSync(directory).sort()).toEqual(
    [...beside, "current.json", "keeping-lock.sqlite", "learned.json", "lock.sqlite"].sort(),
  );
}
