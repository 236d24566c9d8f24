/**
 * `/metrics` and `opzoek doctor` show what stands still: failed imports, webhooks, monitors, archived WAL, restarts.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { imports } from "../../src/app/doctor/kept.ts";
import { kvkNumberOf } from "../../src/contract/numbers.ts";
import { readLastWork, recordWork } from "../../src/registry/lastWork.ts";
import { begun, completed } from "../jobs/lists.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { scrape, valuesOf } from "../kit/metrics.ts";
import { opzoek } from "../kit/opzoek.ts";
import { servingPort } from "../kit/server.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

const HOUR_MS = 3_600_000;

let world: World;
let service: Service;
let key: string;
let metricsPort: number;

const portOf = (of: Service) =>
  Number(new URL(String(of.log().find(({ msg }) => msg === "metrics are served")?.["address"])).port);
const read = async (name: string, labels = "") =>
  valuesOf(await scrape(metricsPort), `opzoek_${name}`).get(labels);

beforeAll(async () => {
  world = await makeWorld({ environment: { METRICS_PORT: "0", WEBHOOK_NETWORKS: "127.0.0.1" } });
  ({ key } = await world.account("plenty"));
  service = await startService(world);
  metricsPort = portOf(service);
});

describe("a failed import or publication", () => {
  const failed = (command: string) =>
    read("registry_work_failed_timestamp_seconds", `{command="${command}"}`);

  it("has its time until it succeeds, and doctor says why", async () => {
    const file = join(temporaryFolder(), "companies.csv");
    const run = () => opzoek(["import", "csv", file], world.environment);
    expect(await failed("import csv")).toBeUndefined();
    expect((await run()).code).toBe(1);
    expect(Date.now() / 1_000 - ((await failed("import csv")) ?? 0)).toBeLessThan(60);
    const { found, condition } = imports({ DATA_DIR: world.dataDir }, Date.now());
    expect(condition).toBe("warning");
    expect(found).toMatch(/^opzoek import csv failed at 2.*Z: .*companies\.csv/);
    // A file without a usable record.
    writeFileSync(file, "kvkNumber,name,isActive\nx,Fabel,yes\n");
    expect((await run()).code).toBe(1);
    expect(await failed("import csv")).toBeGreaterThan(0);
    writeFileSync(file, "kvkNumber,name,status\n90000123,Fabel,active\n");
    expect(await run()).toMatchObject({ code: 0 });
    expect(await failed("import csv")).toBe(0);
    expect(imports({ DATA_DIR: world.dataDir }, Date.now()).condition).toBe("good");
  });

  it("is reported for a publication without a key, next to imports", async () => {
    expect((await opzoek(["registry", "publish", temporaryFolder()], world.environment)).code).toBe(2);
    expect(await failed("registry publish")).toBeGreaterThan(0);
  });

  it("that was killed is reported six hours after its start", async () => {
    const dataDir = temporaryFolder();
    const killed = Promise.withResolvers<{ failure?: string }>();
    const beganMs = Date.now();
    const running = recordWork(dataDir, "import gleif", () => killed.promise);
    const at = (hours: number) => readLastWork(dataDir, beganMs + hours * HOUR_MS)[0]?.failedAtMs ?? -1;
    expect([at(0), at(5.9)]).toEqual([0, 0]);
    expect(at(6.1)).toBeGreaterThanOrEqual(beganMs + 6 * HOUR_MS);
    killed.resolve({});
    await running;
    expect(at(7)).toBe(0);
    writeFileSync(join(dataDir, "last-import-gleif.json"), "{");
    expect(readLastWork(dataDir)).toEqual([]);
    expect(await recordWork(join(dataDir, "missing"), "import gleif", async () => ({}))).toEqual({});
  });
});

it("a webhook that fails is seen as a waiting message and a failing host", async () => {
  const port = await servingPort((_, response) => response.writeHead(500).end());
  await ask(service, { method: "POST", path: "/v1/webhook-secret", key });
  const webhook = encodeURIComponent(`http://127.0.0.1:${port}/hook`);
  const list = await begun(service, key, [BAKERY], `kind=lookup&webhook=${webhook}`);
  await completed(service, key, list.id);
  await until("the failure is measured", async () => (await read("webhook_hosts_failing")) === 1);
  expect(await read("webhook_messages_waiting")).toBe(1);
  expect(await read("webhook_messages_oldest_seconds")).toBeGreaterThan(0);
  expect(await read("webhooks_disabled")).toBe(0);
  expect(await read("lists_oldest_waiting_seconds")).toBe(0);
});

it("a monitor has the time of its last comparison", async () => {
  expect(await read("monitors_compared_timestamp_seconds")).toBeUndefined();
  await ask(service, { method: "POST", path: "/v1/monitors", key, body: { kvkNumbers: [BAKERY] } });
  await until(
    "the companies are compared",
    async () => ((await read("monitors_compared_timestamp_seconds")) ?? 0) > 0,
  );
  expect(await read("monitor_changes_waiting")).toBe(0);
  expect(await read("monitor_changes_oldest_seconds")).toBe(0);
});

it("the registry has the date of its oldest origin", async () => {
  const newest = (await read("registry_data_timestamp_seconds")) ?? 0;
  const facts = { kvkNumber: kvkNumberOf(90_000_124), name: "Oud", isActive: true };
  await world.import([{ origin: "import:old", asOf: "2001-02-03T00:00:00.000Z", facts }]);
  const old = Date.parse("2001-02-03T00:00:00.000Z") / 1_000;
  await until("it is served", async () => (await read("registry_oldest_data_timestamp_seconds")) === old);
  expect(await read("registry_data_timestamp_seconds")).toBeGreaterThanOrEqual(newest);
});

it("PostgreSQL's archive is read, and several workers have one time of start", async () => {
  const database = await (await sharedPostgres()).newDatabase("waiting_metrics");
  const environment = { METRICS_PORT: "0", DATABASE_URL: database, WORKERS: "2" };
  const beganSeconds = Math.floor(Date.now() / 1_000) - 1;
  const nodes = await startService(await makeWorld({ environment }));
  const text = await scrape(portOf(nodes));
  // The tests' server archives nothing.
  expect(valuesOf(text, "opzoek_wal_archived_timestamp_seconds").get("")).toBe(0);
  expect(valuesOf(text, "opzoek_wal_archiving_failed").get("")).toBe(0);
  const starts = [...valuesOf(text, "opzoek_process_start_time_seconds").values()];
  expect(starts).toHaveLength(1);
  expect(starts[0]).toBeGreaterThanOrEqual(beganSeconds);
  expect(starts[0]).toBeLessThanOrEqual(Date.now() / 1_000 + 1);
  expect(await nodes.end("SIGTERM")).toBe(0);
});
