/** The sources that watch monitored companies, and changes that wait for tokens, as callers see them. */
import { describe, expect, it } from "vitest";
import type { SourcedFacts } from "../../src/company/facts.ts";
import type { Monitor, MonitorSettings } from "../../src/contract/monitors.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, COMPANIES, FERRY, FROM_GLEIF } from "../kit/companies.ts";
import { expectDocumented } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { startMailServer } from "../kit/mailServer.ts";
import { startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld, type WorldOptions } from "../kit/world.ts";
import { callerOf, MonitorCalls, monitorService } from "./calls.ts";

/** A port on which no one listens. */
const NO_KVK = "http://127.0.0.1:1";
const STATUS = ["company.deregistered", "company.reactivated"];
const IN_GLEIF = [
  ...["company.renamed", "company.moved", "company.legal_form_changed", "company.lei_changed"],
  ...STATUS,
];
const IN_A_FILE = [
  ...IN_GLEIF.slice(0, 4),
  ...["company.activities_changed", "company.branches_changed", ...STATUS],
];
const NOT_IN_GLEIF = ["company.activities_changed", "company.branches_changed", "company.insolvency_changed"];

const fromGleif = COMPANIES.filter(({ origin }) => origin === "gleif");
const ofGleif = (kvkNumber: string, more: object = {}): SourcedFacts => {
  const company = COMPANIES.find(({ facts }) => facts.kvkNumber === kvkNumber);
  if (company === undefined) throw new Error(`no company ${kvkNumber}`);
  return { ...company, origin: "gleif", facts: { ...company.facts, ...more } };
};

async function serviceOf(options: WorldOptions): Promise<InProcess> {
  return composeInProcess(await makeWorld(options));
}

const settingsOf = async (calls: MonitorCalls) => {
  const answer = await calls.call("GET", "/v1/monitor-settings");
  expectDocumented({ method: "GET", path: "/v1/monitor-settings" }, answer);
  return jsonOf(answer) as MonitorSettings;
};

describe("GET /v1/monitor-settings", () => {
  it("lists the sources of the service with the changes that each can show, and how long events are kept", async () => {
    const service = await serviceOf({
      companies: [...COMPANIES.filter(({ origin }) => origin.startsWith("import:")), ...fromGleif],
      environment: { EVENT_RETENTION_DAYS: "30" },
    });
    const { sources, retentionDays } = await settingsOf(await callerOf(service));
    expect(retentionDays).toBe(30);
    const names = sources.map(({ source }) => source);
    expect(new Set(names)).toEqual(new Set(COMPANIES.map(({ origin }) => origin)));
    for (const { source, lastDataAt, reports, roundSeconds } of sources) {
      const own = COMPANIES.filter(({ origin }) => origin === source).map(({ asOf }) => asOf);
      expect(lastDataAt).toBe(own.toSorted().at(-1));
      expect(reports.toSorted()).toEqual((source === "gleif" ? IN_GLEIF : IN_A_FILE).toSorted());
      expect(roundSeconds).toBeUndefined();
    }
  });

  it("says how long KVK is asked about all monitored companies, and when it last answered", async () => {
    const service = await serviceOf({
      companies: fromGleif,
      environment: {
        ...{ KVK_API_KEY: "unused-key-of-a-test", KVK_API_URL: NO_KVK, KVK_OPEN_DATA_URL: NO_KVK },
        ...{ KVK_OPEN_DATA_PER_MINUTE: "3", KVK_DAILY_CALLS: "1000", MONITOR_KVK_SHARE: "0.5" },
      },
    });
    const [calls, others] = [await callerOf(service), await callerOf(service)];
    const rounds = async () =>
      (await settingsOf(calls)).sources.map(({ source, roundSeconds }) => [source, roundSeconds]);
    expect(await rounds()).toEqual([
      ["gleif", undefined],
      ["kvk-api", 0],
      ["kvk-open-data", 0],
    ]);
    await calls.added([FROM_GLEIF]);
    await others.added([FROM_GLEIF]);
    expect(await rounds()).toEqual([
      ["gleif", undefined],
      ["kvk-api", 173],
      ["kvk-open-data", 20],
    ]);
    const [, api, openData] = (await settingsOf(calls)).sources;
    expect([api?.lastDataAt, openData?.lastDataAt]).toEqual([undefined, undefined]);
    expect(openData?.reports).toEqual([
      "company.activities_changed",
      ...STATUS,
      "company.insolvency_changed",
    ]);
    await service.state.monitors.storeInsolvency(FROM_GLEIF, { isActive: true, observedAtMs: NOON });
    expect((await settingsOf(calls)).sources[2]?.lastDataAt).toBe(new Date(NOON).toISOString());
  });

  it("says that a service without any data has no source", async () => {
    expect((await settingsOf(await callerOf(await serviceOf({ companies: [] })))).sources).toEqual([]);
  });

  it("shows the source of test keys to them", async () => {
    const service = await monitorService();
    const { account } = await callerOf(service);
    const test = new MonitorCalls(
      service,
      (await service.accounts.createKey(account.id, "test", "test")).key,
    );
    const { sources } = await settingsOf(test);
    expect(sources).toEqual([{ source: "import:test", reports: expect.arrayContaining(NOT_IN_GLEIF) }]);
    const answer = await test.post({ kvkNumbers: ["99990301"] });
    expect(jsonOf(answer)).toMatchObject({
      results: [{ watchedBy: ["import:test"], checkedAt: expect.any(String) }],
      notReported: [],
    });
    expect((await test.list()).monitors).toMatchObject([
      { company: { name: expect.any(String), isActive: true } },
    ]);
  });
});

describe("types of events that no source can show", () => {
  it("are accepted, and returned", async () => {
    const calls = await callerOf(await serviceOf({ companies: fromGleif }));
    const add = async (body: object) => {
      const answer = await calls.post({ kvkNumbers: [FROM_GLEIF], ...body });
      expectDocumented({ method: "POST", path: "/v1/monitors" }, answer);
      return jsonOf(answer) as { results: Monitor[]; notReported: string[] };
    };
    const wanted = ["company.insolvency_changed", "company.moved"];
    const some = await add({ events: wanted });
    expect(some).toMatchObject({
      results: [{ events: wanted, notReported: ["company.insolvency_changed"] }],
      notReported: ["company.insolvency_changed"],
    });
    const path = `/v1/monitors/${some.results[0]?.id}`;
    const change = async (events: unknown) => jsonOf(await calls.call("PATCH", path, { events })) as Monitor;
    expect(await change(["company.moved"])).not.toHaveProperty("notReported");
    expect(await change(["company.branches_changed"])).toMatchObject({
      notReported: ["company.branches_changed"],
    });
    // The wanted ones of a monitor that exists stay.
    expect((await add({})).notReported).toEqual(["company.branches_changed"]);
    // All types are wanted by default.
    expect((await change(null)).notReported).toEqual(NOT_IN_GLEIF);
    expect((await add({})).notReported).toEqual(NOT_IN_GLEIF);
    expect((await add({ events: ["company.deregistered"] })).notReported).toEqual([]);
    expect(jsonOf(await calls.call("GET", path))).not.toHaveProperty("notReported");
  });
});

describe("a monitor", () => {
  it("says which sources watch its company, until none does", async () => {
    const world = await makeWorld({ companies: [ofGleif(BAKERY), ofGleif(FERRY)] });
    const { key } = await world.account("plenty");
    const service = await startService(world);
    const call = async (method: string, path: string, body?: unknown) =>
      jsonOf(await ask(service, { method, path, key, body }));
    const { results } = (await call("POST", "/v1/monitors", { kvkNumbers: [BAKERY, FERRY] })) as {
      results: Monitor[];
    };
    expect(results.map(({ watchedBy }) => watchedBy)).toEqual([["gleif"], ["gleif"]]);
    const watched = async (nth: number) => (await call("GET", `/v1/monitors/${results[nth]?.id}`)) as Monitor;
    const directory = registryDirectory(world.dataDir);
    const newer = { asOf: "2026-02-01T00:00:00.000Z" };
    await importFacts(directory, [{ ...ofGleif(BAKERY), ...newer }], { replace: true });
    const left = await until("the company is not watched", async () => {
      const monitor = await watched(1);
      return monitor.watchedBy.length === 0 && monitor;
    });
    expect(left).not.toHaveProperty("checkedAt");
    const kept = await watched(0);
    expect(kept.watchedBy).toEqual(["gleif"]);
    expect(Date.parse(kept.checkedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(results[0]?.checkedAt ?? ""));
    await world.import([{ ...ofGleif(FERRY), origin: "import:fabel", ...newer }]);
    expect(
      await until("it is watched again", async () => {
        const { watchedBy } = await watched(1);
        return watchedBy.length > 0 && watchedBy;
      }),
    ).toEqual(["import:fabel"]);
    expect(await service.end("SIGTERM")).toBe(0);
  });

  it("is not watched by a source that has its number as that of a fund", async () => {
    const companies = [{ ...ofGleif(BAKERY), isFund: true as const }, ofGleif(FERRY)];
    const calls = await callerOf(await serviceOf({ companies }));
    const added = await calls.added([BAKERY, FERRY]);
    expect(added.map(({ watchedBy }) => watchedBy)).toEqual([[], ["gleif"]]);
  });

  it("no longer names a source that the service does not have", async () => {
    const service = await monitorService();
    const calls = await callerOf(service);
    await calls.added([BAKERY]);
    const observation = {
      replaces: undefined,
      baseline: {
        kvkNumber: BAKERY,
        origin: "kvk-api",
        asOfMs: NOON,
        serialMs: 0,
        format: 1,
        fields: { isActive: true },
      },
      changes: [],
    };
    await service.state.monitors.recordObservations([observation]);
    expect((await calls.list()).monitors.map(({ watchedBy }) => watchedBy)).toEqual([["import:fabel"]]);
  });
});

describe("changes that wait for tokens", () => {
  it("are mailed once to the account's address, in its language", async () => {
    await awayFromMonthEnd();
    const server = await startMailServer();
    const world = await makeWorld({
      environment: { SMTP_URL: server.url, PUBLIC_URL: "http://registry.fabel.example" },
    });
    const service = await composeInProcess(world, { nowMs: Date.now(), allowanceCheckIntervalMs: 50 });
    await service.app.ready();
    const calls = await callerOf(service);
    const account = await service.state.accounts.find(calls.account.id);
    await calls.added([BAKERY]);
    await calls.call("PATCH", "/v1/monitor-settings", { maxTokens: 0 });
    const company = COMPANIES.find(({ facts }) => facts.kvkNumber === BAKERY);
    if (company === undefined || account === undefined) throw new Error("there is no company or account");
    const pending = async () => (await settingsOf(calls)).pending;
    for (const nth of [1, 2]) {
      const facts = { ...company.facts, name: `Bakkerij De Korst ${nth} B.V.` };
      await world.import([{ ...company, facts, asOf: `2026-02-0${nth}T00:00:00.000Z` }]);
      await until("a change waits", async () => (await pending()) === nth);
    }
    const [mail] = await server.to(account.email);
    expect(mail?.subject).toBe("Opzoek: Changes of companies you monitor wait for tokens");
    expect(mail?.text).toContain("http://registry.fabel.example");
    expect(mail?.text).not.toContain("Korst");
    await calls.call("PATCH", "/v1/monitor-settings", { maxTokens: 2 });
    await until("the changes are recorded", async () => (await pending()) === 0);
    expect(await server.to(account.email)).toHaveLength(1);
  });
});
