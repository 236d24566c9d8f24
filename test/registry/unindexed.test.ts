/** A registry whose name index is missing or damaged is served at once; search works once the index is built. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { importFacts } from "../../src/registry/importFacts.ts";
import { takeNamesLock } from "../../src/registry/lock.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { openRegistry } from "../../src/registry/registry.ts";
import { jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { damage } from "../kit/published.ts";
import { companyFacts, NAMES, sourcedFacts, temporaryFolder } from "../kit/registry.ts";
import { startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

it("a registry without an index serves lookups, refuses searches without a charge and reports it, until the index is built", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  const directory = registryDirectory(world.dataDir);
  rmSync(join(directory, `snapshot-1.${NAMES}`));
  // The lock makes the build wait as long as this test needs.
  const lock = takeNamesLock(directory);
  const service = await startService(world);
  const get = (path: string) => ask(service, { path, key });

  const looked = await get(`/v1/lookup/${BAKERY}`);
  expect([looked.status, numberIn(looked, "x-tokens-charged")]).toEqual([200, 1]);
  const body = { queries: [{ name: "Bakkerij De Fabelkorst" }] };
  for (const call of [
    { path: "/v1/autocomplete?q=fabelkorst" },
    { path: "/v1/search?q=fabelkorst" },
    { path: "/v1/search?city=Verzinstad" },
    { path: "/v1/match", method: "POST", body },
  ]) {
    const refused = await ask(service, { ...call, key });
    expectError(refused, "SERVICE_UNAVAILABLE");
    expect(refused.text).toContain("index is being built");
    expect(numberIn(refused, "retry-after")).toBeGreaterThan(0);
    expect(numberIn(refused, "x-tokens-charged")).toBe(0);
  }
  const health = await ask(service, { path: "/v1/health" });
  expectDocumented({ method: "GET", path: "/v1/health" }, health);
  expect([health.status, jsonOf(health)]).toMatchObject([
    200,
    {
      status: "degraded",
      services: { kvk: "degraded" },
      reason: expect.stringContaining("index is being built"),
    },
  ]);

  const ready = async () => {
    const { status, text } = await ask(service, { path: "/readyz" });
    return [status, JSON.parse(text)];
  };
  expect(await ready()).toEqual([
    503,
    { status: "not ready", reason: expect.stringContaining("index is being built"), search: "building" },
  ]);

  lock.release();
  const found = await until("names can be searched", async () => {
    const answer = await get("/v1/autocomplete?q=fabelkorst");
    return answer.status === 200 ? answer : undefined;
  });
  expect(jsonOf(found)).toMatchObject({ results: [{ kvkNumber: BAKERY }] });
  const well = jsonOf(await ask(service, { path: "/v1/health" }));
  expect(well).toMatchObject({ services: { kvk: "up" } });
  expect(well).not.toHaveProperty("reason");
  expect(await ready()).toEqual([200, { status: "ready", search: "ready" }]);
  const logged = () => service.log().filter(({ msg }) => String(msg).startsWith("the index of names"));
  await until("the log reports the finished index", () => logged().some((line) => "seconds" in line));
  // On a busy machine, progress messages may come in between.
  expect([logged()[0], logged().at(-1)]).toMatchObject([
    { level: 30, file: "snapshot-1.sqlite", companies: expect.any(Number), reason: "it is missing" },
    { level: 30, file: "snapshot-1.sqlite", seconds: expect.any(Number) },
  ]);
  expect(existsSync(join(directory, `snapshot-1.${NAMES}`))).toBe(true);
});

it("a registry without an index applies imports meanwhile, and builds an index shared by two snapshots once", async () => {
  const directory = temporaryFolder();
  const maxDeltaShare = 9;
  const add = (number: number) =>
    importFacts(directory, [sourcedFacts(number)], { replace: false, maxDeltaShare });
  await add(1);
  await add(2);
  damage(join(directory, `snapshot-1.${NAMES}`));
  rmSync(join(directory, `snapshot-1.verified-${NAMES}`));
  const lock = takeNamesLock(directory);
  const logged: unknown[] = [];
  const options = { pollMs: 5, reportEveryMs: 0, onBuilding: (building: unknown) => logged.push(building) };
  const registry = await openRegistry(directory, options);
  expect([registry.current?.info.companies, registry.current?.isFindable]).toEqual([2, false]);
  await add(3);
  await until("the import is served", () => registry.current?.info.companies === 3);
  expect(registry.current?.isFindable).toBe(false);
  for (const number of [1, 2, 3])
    expect(registry.current?.basic(companyFacts(number).kvkNumber)).toBeDefined();
  expect(() => registry.current?.autocomplete("voorbeeld", 8)).toThrow();
  lock.release();
  await until("names can be searched", () => registry.current?.isFindable);
  expect(registry.current?.autocomplete("voorbeeld", 8)).toHaveLength(3);
  registry.close();
  const whole = { file: "snapshot-1.sqlite", companies: 1 };
  expect(logged).toEqual([
    { ...whole, state: "begun", reason: "its checksum does not match" },
    { ...whole, state: "under way", done: 1, secondsLeft: 0 },
    { ...whole, state: "done", seconds: expect.any(Number) },
  ]);
});

it("a registry stops building an index when it is closed", async () => {
  const directory = temporaryFolder();
  await importFacts(directory, [sourcedFacts(1)], { replace: false });
  rmSync(join(directory, `snapshot-1.${NAMES}`));
  const lock = takeNamesLock(directory);
  const states: string[] = [];
  const registry = await openRegistry(directory, { onBuilding: ({ state }) => states.push(state) });
  registry.close();
  lock.release();
  const again = await openRegistry(directory);
  await until("names can be searched", () => again.current?.isFindable);
  again.close();
  expect(states).toEqual(["begun"]);
});
