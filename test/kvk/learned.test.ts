/** What was learned of KVK: until when it is there, who learns it, and how it comes to every node. */
import { describe, expect, it, onTestFinished } from "vitest";
import { openStateHere } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { writeFacts } from "../../src/kvk/cache/factsKept.ts";
import { importFacts } from "../../src/snapshot/importFacts.ts";
import { RegistryBusy, takeLock } from "../../src/snapshot/lock.ts";
import { registryDirectory } from "../../src/snapshot/places.ts";
import { rollback } from "../../src/snapshot/rollback.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { until } from "../kit/until.ts";
import { bytesOf, namesIn, upkeepOf } from "../kit/upkeep.ts";
import { makeWorld, type World } from "../kit/world.ts";
import { company, NORTH, SOUTH, WEST } from "./herons.ts";

const KEEP_MS = 31_536_000_000;

/** A state of a folder's own with what KVK told of a company. */
async function stateOf(world: World): Promise<StateStore> {
  const state = await openStateHere(readSettings(world.environment));
  onTestFinished(() => state.close());
  return state;
}

const learns = { LEARN: "true", KVK_API_KEY: "a-key" };
const tell = (state: StateStore, facts: CompanyFacts, atMs = Date.now()) =>
  state.live.keepCompany(facts.kvkNumber, writeFacts(facts), atMs);
const search = (state: StateStore, hits: readonly CompanyFacts[], atMs = Date.now()) =>
  state.live.keepSearch(JSON.stringify(["q", ...hits.map(({ kvkNumber: number }) => number)]), {
    page: JSON.stringify({
      hits: hits.map(({ kvkNumber: number, name, isActive }) => ({ kvkNumber: number, name, isActive })),
      total: hits.length,
      isTotalExact: true,
    }),
    foundAtMs: atMs,
  });

/** Changes the registry as soon as no round of its upkeep does. */
async function whenFree(change: () => Promise<unknown>): Promise<void> {
  await until("nobody else changes the registry", async () => {
    try {
      await change();
      return true;
    } catch (error) {
      if (error instanceof RegistryBusy) return undefined;
      throw error;
    }
  });
}

describe("what was learned", () => {
  it("goes when its time is over, while what the operator imported of the same company stays", async () => {
    const asOf = new Date(Date.now() - 2 * KEEP_MS).toISOString();
    const own = { ...SOUTH, name: "Eigen Zuid" };
    const companies = [
      { origin: "import:list", asOf, facts: own },
      { origin: "kvk-api", asOf, facts: { ...WEST, name: "Eigen West" } },
    ];
    const world = await makeWorld({ companies, environment: learns });
    const state = await stateOf(world);
    const directory = registryDirectory(world.dataDir);
    for (const one of [NORTH, SOUTH, WEST]) await tell(state, one);
    const learning = upkeepOf(world, state);
    await until("all were learned", () => namesIn(directory).length === 3);
    expect(namesIn(directory)).toEqual([NORTH.name, SOUTH.name, WEST.name]);
    await learning.stop();
    const late = { now: () => Date.now() + KEEP_MS + 1_000, withdrawAfterMs: 0, withdrawEveryMs: 50 };
    const { lines } = upkeepOf(world, state, late);
    await until("what was learned is gone", () => lines.length > 0);
    expect(lines).toEqual([expect.objectContaining({ companies: 1 })]);
    expect(namesIn(directory)).toEqual(["Eigen Zuid", "Eigen West"]);
    for (const { name } of [NORTH, SOUTH, WEST]) expect(bytesOf(directory)).not.toContain(name);
  });

  it("is read again after going back or starting afresh, which lost it", async () => {
    const world = await makeWorld({ environment: learns });
    const state = await stateOf(world);
    const directory = registryDirectory(world.dataDir);
    await tell(state, NORTH);
    upkeepOf(world, state);
    const isLearned = (one: CompanyFacts) => namesIn(directory).includes(one.name);
    await until("it is learned", () => isLearned(NORTH));
    const asOf = "2026-01-01T00:00:00.000Z";
    await whenFree(() => world.import([{ origin: "demo", asOf, facts: SOUTH }]));
    await whenFree(() => rollback(directory));
    expect(isLearned(SOUTH)).toBe(false);
    await until("it is there", () => isLearned(NORTH));
    await whenFree(() => importFacts(directory, [{ origin: "demo", asOf, facts: WEST }], { replace: true }));
    await until("it is there again", () => isLearned(NORTH) && isLearned(WEST));
  });

  it("waits while somebody imports, and is left to one process of a folder", async () => {
    const world = await makeWorld({ companies: [], environment: learns });
    const state = await stateOf(world);
    const directory = registryDirectory(world.dataDir);
    const lock = takeLock(directory);
    await tell(state, NORTH);
    const one = upkeepOf(world, state);
    let reads = 0;
    const counting = {
      ...state.live,
      newsAfter: (mark: number, most: number) => {
        reads++;
        return state.live.newsAfter(mark, most);
      },
    };
    const other = upkeepOf(world, { ...state, live: counting });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(namesIn(directory)).toEqual([]);
    lock.release();
    await until("it is learned", () => namesIn(directory).length === 1);
    expect([...one.lines, ...other.lines].filter(({ level }) => level === "warn")).toEqual([]);
    expect(reads).toBe(0);
    await one.stop();
    await search(state, [SOUTH]);
    await until("the other goes on", () => namesIn(directory).length === 2);
    expect(reads).toBeGreaterThan(0);
  });

  it("comes to each of two nodes that share a state, whichever was told", async () => {
    const server = await sharedPostgres();
    const DATABASE_URL = await server.database("learning");
    const worlds = await Promise.all(
      [1, 2].map(() => makeWorld({ companies: [], environment: { ...learns, DATABASE_URL } })),
    );
    const nodes = await Promise.all(worlds.map(async (world) => ({ world, state: await stateOf(world) })));
    for (const { world, state } of nodes) upkeepOf(world, state);
    await Promise.all(nodes.map(({ state }, at) => tell(state, at === 0 ? NORTH : SOUTH)));
    for (const { world } of nodes) {
      await until("both are learned", () => namesIn(registryDirectory(world.dataDir)).length === 2);
    }
    const [first, second] = nodes;
    // The clock of the second is an hour behind.
    await Promise.all([
      first && search(first.state, [NORTH, WEST]),
      second && tell(second.state, company("60000004", "Zilverreiger Oost B.V."), Date.now() - 3_600_000),
    ]);
    for (const { world } of nodes) {
      await until("all are learned", () => namesIn(registryDirectory(world.dataDir)).length === 4);
      expect(namesIn(registryDirectory(world.dataDir))[0]).toBe(NORTH.name);
    }
  });
});
