/** `opzoek refresh` renews old companies through KVK's API: most requested first, then oldest, and never pays twice. */
import { beforeEach, expect, it } from "vitest";
import type { CompanyFacts, SourcedFacts } from "../../src/company/facts.ts";
import type { KvkSimulator } from "../../src/demo/kvk/server.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { jsonOf } from "../kit/answer.ts";
import { kvkNumber } from "../kit/companies.ts";
import { callsTo, paidCalls, startKvk } from "../kit/kvk.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { awayFromDutchDayEnd, until } from "../kit/until.ts";
import { makeWorld, type World, type WorldOptions } from "../kit/world.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

interface Report {
  readonly told: number;
  readonly notFound: number;
  readonly failed: number;
  readonly paidCalls: number;
  readonly stopped?: string;
  readonly counts: { readonly changed: number };
}

/** A snapshot of KVK's first companies, each a day older than the previous one, with other names. */
function snapshotOf(kvk: KvkSimulator, count: number, origin = "import:oud"): readonly SourcedFacts[] {
  return [...kvk.register.all].slice(0, count).map(({ facts }, index) => {
    const old: CompanyFacts = { ...facts, name: `Was ${index}` };
    return { origin, asOf: daysAgo(40 + index), facts: old };
  });
}

async function worldOver(kvk: KvkSimulator, options: WorldOptions): Promise<World> {
  return makeWorld({
    ...options,
    environment: { KVK_API_URL: kvk.url, KVK_API_KEY: kvk.apiKey, ...options.environment },
  });
}

async function refresh(
  world: World,
  ...words: string[]
): Promise<Report & { code: number | null; err: string }> {
  const { code, out, err } = await opzoek(["refresh", "--json", ...words], world.environment);
  return { ...(out === "" ? {} : JSON.parse(out)), code, err };
}

/** The numbers whose names differ from the old snapshot. */
function renewed(world: World): readonly string[] {
  const snapshot = openCurrentSnapshot(registryDirectory(world.dataDir));
  const all = [...(snapshot?.all() ?? [])].map(({ company }) => company);
  snapshot?.close();
  return all.filter(({ name }) => !name.startsWith("Was ")).map(({ kvkNumber }) => kvkNumber);
}

beforeEach(awayFromDutchDayEnd);

it("refresh renews the oldest first, up to the given number of calls, and the next run continues from there", async () => {
  const kvk = await startKvk();
  const companies = snapshotOf(kvk, 12);
  const world = await worldOver(kvk, { companies });
  const numbers = companies.map(({ facts }) => facts.kvkNumber);
  const first = await refresh(world, "--older-than", "30d", "--max-calls", "5");
  expect(first).toMatchObject({ code: 0, told: 5, paidCalls: 5, stopped: "calls", counts: { changed: 5 } });
  expect(paidCalls(kvk)).toBe(5);
  expect([...renewed(world)].sort()).toEqual(numbers.slice(7).sort());
  const second = await refresh(world, "--older-than", "30d");
  expect(second).toMatchObject({ code: 0, told: 7, paidCalls: 7, counts: { changed: 7 } });
  expect(second.stopped).toBeUndefined();
  expect(renewed(world).length).toBe(12);
  expect(await refresh(world, "--older-than", "30d")).toMatchObject({ told: 0, paidCalls: 0 });
  expect(paidCalls(kvk)).toBe(12);
});

it("refresh renews the companies that callers requested first, and does not pay again for answers they received", async () => {
  const kvk = await startKvk();
  const companies = snapshotOf(kvk, 8);
  const world = await worldOver(kvk, { companies, environment: { KVK_FRESH_FOR: "0" } });
  const account = await world.account("plenty");
  const { service, get } = callsTo(await startService(world), account);
  // The most recent of the old companies, which would come last.
  const [requested = ""] = companies.map(({ facts }) => facts.kvkNumber);
  expect((await get(`/v1/lookup/${requested}`)).status).toBe(200);
  expect((await get(`/v1/lookup/${requested}`)).status).toBe(200);
  expect(paidCalls(kvk)).toBe(2);
  const report = await refresh(world, "--older-than", "30d", "--max-calls", "1");
  expect(report).toMatchObject({ told: 2, paidCalls: 1 });
  expect(renewed(world)).toContain(requested);
  const log = () => service.log().some(({ msg }) => msg === "a new registry snapshot is being served");
  await until("the running service has it", log);
  expect(jsonOf(await get(`/v1/lookup/${requested}`))).toMatchObject({ source: { kvk: "kvk-api" } });
});

it("refresh stays within the day's budget, reports it, and leaves companies unknown to KVK unchanged", async () => {
  const kvk = await startKvk();
  const [one, ...rest] = snapshotOf(kvk, 6);
  if (one === undefined) throw new Error("there is no such value");
  const unknown = {
    ...one,
    facts: { ...one.facts, kvkNumber: kvkNumber(`7${one.facts.kvkNumber.slice(1)}`) },
  };
  const world = await worldOver(kvk, {
    companies: [...rest, { ...unknown, asOf: daysAgo(400) }],
    environment: { KVK_DAILY_CALLS: "4" },
  });
  const report = await refresh(world, "--older-than", "30d");
  expect(report).toMatchObject({ code: 0, told: 3, notFound: 1, paidCalls: 4, stopped: "budget" });
  expect(paidCalls(kvk)).toBe(4);
  expect(renewed(world).length).toBe(3);
});

it("refresh also fetches the branches known from KVK, so that none is lost", async () => {
  const kvk = await startKvk();
  const companies = snapshotOf(kvk, 4, "kvk-api").filter(({ facts }) => (facts.branches?.length ?? 0) > 0);
  const world = await worldOver(kvk, { companies });
  const report = await refresh(world);
  expect(report).toMatchObject({ told: companies.length, paidCalls: 2 * companies.length });
  const snapshot = openCurrentSnapshot(registryDirectory(world.dataDir));
  for (const { facts } of companies) {
    expect(snapshot?.branches(facts.kvkNumber)?.branches?.length).toBe(
      facts.branches?.filter(({ isActive }) => isActive || !facts.isActive).length,
    );
  }
  snapshot?.close();
});

it("refresh ends with exit code 1 on an outage, and keeps the answers so far", async () => {
  const kvk = await startKvk();
  const world = await worldOver(kvk, { companies: snapshotOf(kvk, 60) });
  kvk.setFault("*", { kind: "gateway", status: 502 });
  const report = await refresh(world, "--older-than", "30d");
  expect(report).toMatchObject({ code: 1, stopped: "outage", told: 0 });
  kvk.clearFaults();
  expect(await refresh(world, "--older-than", "30d")).toMatchObject({ code: 0, told: 60 });
});

it.each([
  [["--older-than", "soon"], 2, "--older-than"],
  [["--max-calls", "many"], 2, "--max-calls"],
] as const)("refresh refuses %o", async (words, code, message) => {
  const kvk = await startKvk();
  const world = await worldOver(kvk, { companies: snapshotOf(kvk, 1) });
  const report = await refresh(world, ...words);
  expect(report.code).toBe(code);
  expect(report.err).toContain(message);
});

it("refresh reports a missing key or snapshot", async () => {
  const kvk = await startKvk();
  const keyless = await worldOver(kvk, { companies: snapshotOf(kvk, 1), environment: { KVK_API_KEY: "" } });
  expect(await refresh(keyless)).toMatchObject({ code: 1, err: expect.stringContaining("KVK_API_KEY") });
  const empty = await worldOver(kvk, { companies: [] });
  expect(await refresh(empty)).toMatchObject({ code: 1, err: expect.stringContaining("opzoek import") });
});
