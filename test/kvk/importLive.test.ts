/** `opzoek import live`: companies in the cache of KVK's answers join the registry. */
import { describe, expect, it, onTestFinished } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { codeOf, jsonOf } from "../kit/answer.ts";
import { paidCalls, serveOverKvkHere } from "../kit/kvk.ts";
import { opzoek } from "../kit/opzoek.ts";
import { makeTestKeys } from "../kit/published.ts";
import { bytesOf } from "../kit/registry.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";
import { NORTH, SOUTH, WEST } from "./herons.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const at = (daysAgo: number) => NOW_MS - daysAgo * DAY_MS;
const isoAt = (ms: number) => new Date(ms).toISOString();

const stores = [
  ["the embedded store", async () => ({})],
  ["PostgreSQL", async () => ({ DATABASE_URL: await (await sharedPostgres()).database("live") })],
] as const;

/** The state of a world, next to the commands that use it. */
async function stateOf(world: World): Promise<StateStore> {
  const state = await openCommandState(readSettings(world.environment));
  onTestFinished(() => state.close());
  return state;
}

const keep = (state: StateStore, facts: CompanyFacts, atMs: number) =>
  state.live.storeCompany(facts.kvkNumber, JSON.stringify(facts), atMs);

async function importLive(world: World, ...words: string[]) {
  const { code, out, err } = await opzoek(["import", "live", "--json", ...words], world.environment);
  return { code, err, report: out === "" ? undefined : JSON.parse(out) };
}

/** The data of a registry that has nothing to do with KVK. */
const others: readonly SourcedFacts[] = Array.from({ length: 30 }, (_, index) => ({
  origin: "import:list",
  asOf: isoAt(at(20)),
  facts: {
    ...NORTH,
    kvkNumber: `5000${1000 + index}` as CompanyFacts["kvkNumber"],
    name: `Rietzanger ${index}`,
  },
}));

const companyIn = (world: World, { kvkNumber }: CompanyFacts) => {
  const snapshot = openCurrentSnapshot(registryDirectory(world.dataDir));
  const facts = snapshot?.facts(kvkNumber);
  snapshot?.close();
  return facts;
};

describe.each(variants(stores, { ordinary: 1 }))("import live with %s", (_name, environment) => {
  it("adds each company with the date of its answer, and changes nothing the second time", async () => {
    const world = await makeWorld({ companies: others, environment: await environment() });
    const state = await stateOf(world);
    const branches = JSON.stringify([
      { branchNumber: "000060000001", name: NORTH.name, isMain: true, isActive: true },
    ]);
    await keep(state, NORTH, at(3));
    await state.live.storeBranches(NORTH.kvkNumber, at(3), {
      facts: JSON.stringify(NORTH),
      branches,
      branchesAtMs: at(2),
    });
    await keep(state, SOUTH, at(1));
    await state.live.storeCompany(WEST.kvkNumber, null, at(1));

    const first = await importLive(world);
    expect(first).toMatchObject({
      code: 0,
      report: { format: "live", read: 2, used: 2, new: 2, changed: 0, skipped: 0, wrote: "segment" },
    });
    expect(companyIn(world, NORTH)).toMatchObject({
      origin: "kvk-api",
      asOf: isoAt(at(3)),
      facts: { name: NORTH.name, branches: [{ branchNumber: "000060000001" }] },
    });
    expect(companyIn(world, SOUTH)).toMatchObject({ asOf: isoAt(at(1)) });
    expect(companyIn(world, WEST)).toBeUndefined();

    const before = bytesOf(registryDirectory(world.dataDir));
    const second = await importLive(world);
    expect(second).toMatchObject({ code: 0, report: { new: 0, changed: 0, unchanged: 2, wrote: "nothing" } });
    expect(bytesOf(registryDirectory(world.dataDir)) === before).toBe(true);
  });

  it("keeps newer data of the registry, and branches that the answer lacks", async () => {
    const branches = [{ branchNumber: "000060000009", name: "Zuid", isMain: true, isActive: true }];
    const storedAnswer = (facts: CompanyFacts, daysAgo: number) => ({
      origin: "kvk-api",
      asOf: isoAt(at(daysAgo)),
      facts,
    });
    const world = await makeWorld({
      companies: [
        ...others,
        storedAnswer({ ...NORTH, name: "Reiger Nieuwer" }, 1),
        storedAnswer({ ...SOUTH, branches } as CompanyFacts, 9),
        storedAnswer({ ...WEST, name: "Reiger Ouder" }, 9),
      ],
      environment: await environment(),
    });
    const state = await stateOf(world);
    for (const one of [NORTH, SOUTH, WEST]) await keep(state, one, at(5));
    const { code, report } = await importLive(world);
    expect([code, report]).toMatchObject([0, { read: 3, used: 2, changed: 1, unchanged: 1, skipped: 1 }]);
    expect(report.skippedByReason).toMatchObject([{ reason: expect.stringContaining("opzoek refresh") }]);
    expect(companyIn(world, NORTH)).toMatchObject({ asOf: isoAt(at(1)), facts: { name: "Reiger Nieuwer" } });
    expect(companyIn(world, SOUTH)).toMatchObject({ asOf: isoAt(at(9)), facts: { branches } });
    expect(companyIn(world, WEST)).toMatchObject({ asOf: isoAt(at(5)), facts: { name: WEST.name } });
  });

  it("omits companies hidden by opzoek forget, in any order of the two commands", async () => {
    const world = await makeWorld({ companies: others, environment: await environment() });
    const state = await stateOf(world);
    for (const one of [NORTH, SOUTH]) await keep(state, one, at(1));
    expect((await importLive(world)).report).toMatchObject({ new: 2 });
    expect((await opzoek(["forget", SOUTH.kvkNumber], world.environment)).code).toBe(0);
    await keep(state, WEST, at(1));
    expect((await importLive(world)).report).toMatchObject({ read: 2, new: 1 });
    expect(companyIn(world, SOUTH)).toBeUndefined();
    expect(bytesOf(registryDirectory(world.dataDir))).not.toContain(SOUTH.name);
    expect(companyIn(world, NORTH)).toBeDefined();
  });
});

it("import live works next to a running service, which then finds the companies by a part of their name", async () => {
  const over = await serveOverKvkHere({ kvk: { companies: [NORTH, SOUTH, WEST] }, companies: others });
  const { get, world, kvk } = over;
  expect((await get(`/v1/lookup/${NORTH.kvkNumber}?enrich=true`)).status).toBe(200);
  expect((await get("/v1/autocomplete?q=zilverr")).text).not.toContain(NORTH.name);
  const { code, out } = await opzoek(["import", "live"], world.environment);
  expect([code, out]).toEqual([0, expect.stringMatching(/^new +1$/m)]);
  await until("it is suggested", async () =>
    (await get("/v1/autocomplete?q=zilverr")).text.includes(NORTH.name),
  );
  const calls = paidCalls(kvk);
  expect(jsonOf(await get(`/v1/lookup/${NORTH.kvkNumber}`))).toMatchObject({ source: { kvk: "kvk-api" } });
  expect(paidCalls(kvk)).toBe(calls);
  expect((await opzoek(["forget", NORTH.kvkNumber], world.environment)).code).toBe(0);
  await until("it is hidden", async () => codeOf(await get(`/v1/lookup/${NORTH.kvkNumber}`)) === "NOT_FOUND");
  expect((await get("/v1/autocomplete?q=zilverr")).text).not.toContain(NORTH.name);
});

describe("import live", () => {
  it("does nothing without stored answers, and warns if they are all that the registry contains", async () => {
    const world = await makeWorld({ companies: [] });
    expect(await importLive(world)).toMatchObject({
      code: 0,
      err: "",
      report: { read: 0, wrote: "nothing" },
    });
    await keep(await stateOf(world), NORTH, at(1));
    expect(await importLive(world)).toMatchObject({
      code: 0,
      err: expect.stringContaining("autocomplete finds no others"),
      report: { new: 1, wrote: "base" },
    });
  });

  it("treats a date after today as today", async () => {
    const world = await makeWorld({ companies: others });
    await keep(await stateOf(world), NORTH, at(-3));
    await importLive(world);
    expect(companyIn(world, NORTH)?.asOf).toMatch(/T00:00:00.000Z$/);
  });

  it("is refused for a copy of a published registry, and with unknown options", async () => {
    const world = await makeWorld({ companies: [] });
    const copy = {
      REGISTRY_URL: "https://data.example.com/published",
      REGISTRY_PUBLIC_KEY: makeTestKeys().publicText,
    };
    const refused = await opzoek(["import", "live"], { ...world.environment, ...copy });
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("run it where the registry is published"),
    ]);
    const wrong = await opzoek(["import", "live", "--replace"], world.environment);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--replace")]);
    expect((await opzoek(["import", "live", temporaryFolder()], world.environment)).code).toBe(2);
  });
});
