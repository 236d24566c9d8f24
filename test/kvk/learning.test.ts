/** A service that learns: what KVK told is found by name, until it must go; and nobody is told less for it. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { registryDirectory } from "../../src/snapshot/places.ts";
import { type Answer, codeOf, inject, jsonOf } from "../kit/answer.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { callsTo, paidCalls, serveOverKvk, startKvk } from "../kit/kvk.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { bytesOf, namesIn, upkeepOf } from "../kit/upkeep.ts";
import { makeWorld } from "../kit/world.ts";
import { NORTH, SOUTH, WEST } from "./herons.ts";

/** The service in this process over a simulated KVK, and nothing else. */
async function growing() {
  const kvk = await startKvk({ companies: [NORTH, SOUTH, WEST] });
  const world = await makeWorld({
    companies: [],
    environment: { KVK_API_URL: kvk.url, KVK_API_KEY: kvk.apiKey, LEARN: "true", KVK_SEARCH_FRESH_FOR: "0" },
  });
  const inside = await composeInProcess(world, { nowMs: Date.now() });
  const { key } = await inside.account("plenty");
  const get = (path: string): Promise<Answer> => inject(inside.app, { path, key });
  const suggested = async (q: string) => {
    const answer = await get(`/v1/autocomplete?q=${encodeURIComponent(q)}`);
    expect([q, answer.status]).toEqual([q, 200]);
    return (jsonOf(answer) as { results: readonly { name: string }[] }).results.map(({ name }) => name);
  };
  return { kvk, world, get, suggested, state: inside.state, directory: registryDirectory(world.dataDir) };
}

describe("a service with a key for KVK and nothing else", () => {
  it("grows a registry that suggests as one types, looks companies up as before, and forgets", async () => {
    const { kvk, get, suggested, world, state, directory } = await growing();
    const { lines, stop } = upkeepOf(world, state);
    expect(await suggested("zilverr")).toEqual([]);

    // By a lookup.
    const told = await get(`/v1/lookup/${NORTH.kvkNumber}?enrich=true`);
    expect(told.status).toBe(200);
    await until("the company that was looked up is suggested", async () =>
      (await suggested("zilverr")).includes(NORTH.name),
    );
    // It may be suggested a moment before that is told.
    const added = await until("it is told in the log", () => lines[0]);
    expect(added).toEqual({
      level: "info",
      msg: "what KVK told was added to the registry",
      companies: 1,
    });
    // By a search: as little as that tells.
    expect((await get("/v1/search?q=zilverreiger")).status).toBe(200);
    await until("those that were found are suggested", async () => (await suggested("zilverr")).length === 3);
    expect(await suggested("zliverreiger zuid")).toEqual([SOUTH.name]);

    // What a search told is no answer to a lookup, and what a lookup told is told as KVK told it.
    const paid = paidCalls(kvk);
    const south = jsonOf(await get(`/v1/lookup/${SOUTH.kvkNumber}?enrich=true`));
    expect(south).toMatchObject({ legalForm: "BV", address: { street: "Laan" }, source: { kvk: "kvk-api" } });
    expect(paidCalls(kvk)).toBe(paid + 1);
    expect((await get(`/v1/lookup/${NORTH.kvkNumber}?enrich=true`)).text).toBe(told.text);
    expect(paidCalls(kvk)).toBe(paid + 1);
    // What is narrowed by more than KVK can be asked for is refused, as it was: nobody takes what was learned for all there is.
    expect(codeOf(await get("/v1/search?q=zilverreiger&postalCode=1012"))).toBe("INVALID_REQUEST");
    expect(jsonOf(await get("/v1/search?q=zilverreiger&pageSize=3"))).toMatchObject({ total: 3 });

    kvk.setFault("*", { kind: "reset" });
    expect(await suggested("zilverr")).toHaveLength(3);
    const away = await get("/v1/search?q=zilverreig");
    expect(jsonOf(away)).toMatchObject({ total: 3, totalIsExact: false });
    expect((await get("/v1/search?q=onbekend")).status).toBe(502);
    const west = await get(`/v1/lookup/${WEST.kvkNumber}`);
    expect(jsonOf(west)).toMatchObject({ name: WEST.name, source: { kvk: "kvk-api" } });
    kvk.setFault("*", undefined);

    const ended = await opzoek(["forget", SOUTH.kvkNumber], world.environment);
    expect(ended.code).toBe(0);
    await until("it is suggested no more", async () => !(await suggested("zilverr")).includes(SOUTH.name));
    await stop();
    const before = lines.length;
    expect(bytesOf(directory)).toContain(SOUTH.name);
    const taking = upkeepOf(world, state, { withdrawAfterMs: 0 });
    await until(
      "it is in no file",
      () => taking.lines.length > 0 && !bytesOf(directory).includes(SOUTH.name),
    );
    expect(taking.lines).toEqual([
      {
        level: "info",
        msg: "companies that had to leave were taken out of the files of the registry",
        companies: 1,
        files: expect.any(Number),
      },
    ]);
    // It is found at KVK again, and not learned again.
    await until("KVK is asked again after it was away", async () => {
      await get("/v1/search?q=zilverreiger");
      const { text } = await get(`/v1/lookup/${WEST.kvkNumber}?enrich=true`);
      return text.includes("legalForm");
    });
    await until("the other one is learned in full", () =>
      taking.lines.some(({ msg }) => msg === lines[0]?.msg),
    );
    expect(bytesOf(directory)).not.toContain(SOUTH.name);
    expect(namesIn(directory)).toEqual([NORTH.name, WEST.name]);
    expect(lines.slice(before)).toEqual([]);
    expect([...lines, ...taking.lines].filter(({ level }) => level === "warn")).toEqual([]);
    expect(JSON.stringify([...lines, ...taking.lines])).not.toMatch(/6000000|Zilver/);
  }, 120_000);

  it("learns what was told before it was stopped when it starts again, by the built program", async () => {
    const over = await serveOverKvk({ kvk: { companies: [NORTH] }, environment: { LEARN: "true" } });
    expect((await over.get(`/v1/lookup/${NORTH.kvkNumber}`)).status).toBe(200);
    expect(await over.service.end("SIGTERM")).toBe(0);
    const again = callsTo(await startService(over.world), over.account);
    await until("it is suggested", async () =>
      (await again.get("/v1/autocomplete?q=zilverr")).text.includes(NORTH.name),
    );
    const added = { level: 30, companies: 1, msg: "what KVK told was added to the registry" };
    await until("it is told in the log", () =>
      [...over.service.log(), ...again.service.log()].some(({ level, companies, msg }) =>
        isDeepStrictEqual({ level, companies, msg }, added),
      ),
    );
    const listed = await opzoek(["registry"], over.world.environment);
    expect(listed.out).toContain("learned:kvk-api: 1 company");
    expect(await again.service.end("SIGTERM")).toBe(0);
  }, 60_000);
});
