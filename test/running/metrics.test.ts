/** `/metrics` as Prometheus scrapes it, `/livez` and `/readyz`, of a service in its own process. */

import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { METRICS } from "../../build/metrics.ts";
import { writeBackupRecord } from "../../src/database/backup/lastBackup.ts";
import { ACCOUNT_ROUTES } from "../../src/http/account/routes/all.ts";
import { ENDPOINTS } from "../../src/http/endpoints/all.ts";
import { ROUTE_LABELS } from "../../src/http/routeLabels.ts";
import { TEST_COMPANIES } from "../../src/lookup/sandbox/companies.ts";
import { begun, completed } from "../jobs/lists.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { scrape, valuesOf } from "../kit/metrics.ts";
import { parseAnswer, requestBytes, sendBytes } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

/**
 * The metrics that a service without a live source, the court's register, a mail server, a database, monitors or
 * imports by command lacks.
 */
const ABSENT_HERE = [
  "opzoek_kvk_paid_calls_limit",
  "opzoek_kvk_paid_calls_left",
  "opzoek_mails_waiting",
  "opzoek_wal_archived_timestamp_seconds",
  "opzoek_wal_archiving_failed",
  "opzoek_monitors_compared_timestamp_seconds",
  "opzoek_registry_work_failed_timestamp_seconds",
  "opzoek_court_list_timestamp_seconds",
  "opzoek_court_cases",
  "opzoek_court_unplaced_cases",
];
const BACKED_UP_AT_MS = Date.UTC(2026, 2, 1);
/** Long enough for a busy machine to observe it. */
const DRAIN_DELAY_MS = 4_000;

let service: Service;
let key: string;
let testKey: string;
let metricsPort: number;

const path = (kvkNumber: string) => `/v1/lookup/${kvkNumber}`;

beforeAll(async () => {
  const world = await makeWorld({
    environment: { METRICS_PORT: "0", DRAIN_DELAY_MS: String(DRAIN_DELAY_MS), KEYLESS_PER_MINUTE: "20000" },
  });
  const account = await world.account("plenty");
  ({ key } = account);
  ({ key: testKey } = await world.withAccounts((accounts) => accounts.createKey(account.id, "test", "test")));
  const good = { atMs: BACKED_UP_AT_MS, path: "backup.sqlite", bytes: 1 };
  writeBackupRecord(world.dataDir, { good });
  service = await startService(world);
  const logged = service.log().find(({ msg }) => msg === "metrics are served");
  metricsPort = Number(new URL(String(logged?.["address"])).port);
});

describe("/metrics", () => {
  it("counts calls by route, status and operation, tokens, batches and refusals", async () => {
    await ask(service, { path: path(BAKERY), key });
    await ask(service, { path: `${path(BAKERY)}/branches`, key });
    await ask(service, { path: path("00000001"), key });
    await ask(service, { path: path("00000001") });
    const text = await until("the calls are counted", async () => {
      const now = await scrape(metricsPort);
      const keyless =
        'opzoek_http_requests_total{route="/v1/lookup/:kvkNumber",status="401",operation="-"} 1';
      return now.includes(keyless) && now;
    });
    const requests = valuesOf(text, "opzoek_http_requests_total");
    const lookup = '{route="/v1/lookup/:kvkNumber",status=';
    expect(requests.get(`${lookup}"200",operation="lookup"}`)).toBe(1);
    expect(requests.get(`${lookup}"404",operation="lookup"}`)).toBe(1);
    const tokens = valuesOf(text, "opzoek_tokens_charged_total");
    expect(tokens.get('{operation="lookup"}')).toBe(1);
    expect(tokens.get('{operation="branches"}')).toBe(5);
    expect(valuesOf(text, "opzoek_refusals_total").get('{reason="key"}')).toBe(1);
    expect(valuesOf(text, "opzoek_store_batch_requests_sum").get("")).toBeGreaterThanOrEqual(3);
    expect(valuesOf(text, "opzoek_registry_companies").get("")).toBeGreaterThan(0);
    expect(valuesOf(text, "opzoek_ready").get("")).toBe(1);
    const backedUpAt = valuesOf(text, "opzoek_last_backup_timestamp_seconds").get("");
    expect(backedUpAt).toBe(BACKED_UP_AT_MS / 1_000);
    expect(valuesOf(text, "opzoek_last_backup_failed").get("")).toBe(0);
  });

  it("counts calls of test keys separately, and excludes them from durations, tokens and the numbers of lists", async () => {
    const before = await scrape(metricsPort);
    const kvkNumber = TEST_COMPANIES[0]?.facts.kvkNumber ?? "";
    for (const company of [kvkNumber, "99990500", "99990502"])
      await ask(service, { path: path(company), key: testKey });
    await ask(service, { path: path(BAKERY), key });
    const ofTest = await begun(service, testKey, [kvkNumber, "99990502"]);
    const live = await begun(service, key, [BAKERY, "00000001"]);
    await completed(service, testKey, ofTest.id);
    await completed(service, key, live.id);
    const lookup = '{route="/v1/lookup/:kvkNumber"';
    const text = await until("the calls are counted", async () => {
      const now = await scrape(metricsPort);
      const requestSeries = [...valuesOf(now, "opzoek_http_requests_total")];
      return (
        requestSeries.some(([series]) => series.startsWith(`${lookup},status="502",operation="test"`)) && now
      );
    });
    const more = (name: string, labels: string) =>
      (valuesOf(text, name).get(labels) ?? 0) - (valuesOf(before, name).get(labels) ?? 0);
    expect(more("opzoek_http_request_duration_seconds_count", `${lookup}}`)).toBe(1);
    expect(more("opzoek_tokens_charged_total", '{operation="lookup"}')).toBe(1);
    expect(more("opzoek_tokens_charged_total", '{operation="jobs.lookup"}')).toBe(1);
    expect(more("opzoek_list_numbers_total", '{outcome="found"}')).toBe(1);
    expect(more("opzoek_list_numbers_total", '{outcome="failed"}')).toBe(1);
  });

  it("exports exactly the metrics of the table", async () => {
    const text = await until("the accounts were checked", async () => {
      const now = await scrape(metricsPort);
      return now.includes('opzoek_reading_failed{what="accounts"} 0') && now;
    });
    const exported = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const expected = METRICS.filter(({ name }) => !ABSENT_HERE.includes(name));
    expect(exported.sort()).toEqual(expected.map(({ name, type }) => `${name} ${type}`).sort());
    const failed = [...valuesOf(text, "opzoek_reading_failed")].filter(([, value]) => value !== 0);
    expect(failed).toEqual([]);
    const labels = new Map(METRICS.map(({ name, labels: own }) => [name, own]));
    for (const [, series = "", own = ""] of text.matchAll(/^(opzoek_\w+)\{(.*)\} /gm)) {
      const name = labels.has(series) ? series : series.replace(/_(bucket|sum|count)$/, "");
      const known = [...(labels.get(name) ?? []), "le"];
      for (const [, label = ""] of own.matchAll(/(\w+)="/g)) expect(known).toContain(label);
    }
  });

  it("creates no series for made-up routes, methods and keys", async () => {
    const requests = Array.from({ length: 60 }, (_, made) => ({
      method: ["GET", "PROPFIND", "DELETE", "OPTIONS"][made % 4] ?? "GET",
      path: [`/made-up/${made}`, `/v1/lookup/${made}?x=${made}`, `/assets/${made}.js`][made % 3] ?? "/",
      key: made % 2 === 0 ? key : `opz_live_${made}`,
    }));
    await Promise.all(requests.map((one) => ask(service, one)));
    await sendBytes(service.port, requestBytes("GET /v1/lookup/%zz"));
    await sendBytes(service.port, requestBytes("NONSENSE /v1/lookup/1"));
    const series = [...valuesOf(await scrape(metricsPort), "opzoek_http_requests_total").keys()];
    for (const one of series) {
      const [, route = "", status = ""] = /^\{route="(.*?)",status="(.*?)",operation=/.exec(one) ?? [];
      expect(ROUTE_LABELS).toContain(route);
      expect(status).toMatch(/^([1-5][0-9]{2}|other)$/);
    }
    expect(series.some((one) => one.startsWith('{route="-",status="404"'))).toBe(true);
  });

  it("has every route under its own name", async () => {
    const paths = [...ENDPOINTS, ...ACCOUNT_ROUTES].map(({ path: pattern }) => pattern);
    await Promise.all(
      [...new Set(paths)].map((pattern) =>
        ask(service, { method: "PATCH", path: pattern.replaceAll(/:[a-zA-Z]+/g, "1") }),
      ),
    );
    const text = await scrape(metricsPort);
    const exported = new Set(
      [...valuesOf(text, "opzoek_http_requests_total").keys()].map((one) => /route="(.*?)"/.exec(one)?.[1]),
    );
    expect(paths.filter((pattern) => !exported.has(pattern))).toEqual([]);
  });

  it("serves nothing else on its address, and survives aborted connections", async () => {
    const at = { port: metricsPort };
    expect(await ask(at, { path: "/" })).toMatchObject({ status: 404 });
    expect(await ask(at, { path: "/v1/health" })).toMatchObject({ status: 404 });
    const refused = await ask(at, { method: "POST", path: "/metrics", body: { x: "y" } });
    expect(refused.status).toBe(405);
    expect(refused.headers["allow"]).toBe("GET, HEAD");
    const head = parseAnswer(await sendBytes(metricsPort, requestBytes("HEAD /metrics")));
    expect(head).toMatchObject({ status: 200, text: "" });
    for (const broken of [
      "GET /metrics HTTP/1.1\r\n",
      "\0\0\0",
      "GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n",
    ]) {
      await new Promise((resolve) => {
        const socket = connect({ port: metricsPort, host: "127.0.0.1" }, () => {
          socket.write(broken, () => socket.resetAndDestroy());
        });
        socket.on("error", () => {});
        socket.on("close", resolve);
      });
    }
    const many = await Promise.all(Array.from({ length: 20 }, () => scrape(metricsPort)));
    expect(many.every((text) => text.includes("opzoek_build_info"))).toBe(true);
    expect((await ask(service, { path: "/metrics" })).status).toBe(404);
  });
});

it("a draining service reports it at /readyz while it still accepts calls, then exits with 0", async () => {
  for (const probe of ["/livez", "/readyz"]) {
    const response = await ask(service, { path: `${probe}?probe=1` });
    expect(response).toMatchObject({ status: 200 });
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect((await ask(service, { method: "POST", path: probe })).status).toBe(405);
  }
  service.program.child.kill("SIGTERM");
  const draining = await until("the draining is announced", async () => {
    const answer = await ask(service, { path: "/readyz" });
    return answer.status === 503 && answer;
  });
  expect(jsonOf(draining)).toEqual({
    status: "not ready",
    reason: "draining: this process is stopping",
    search: "ready",
  });
  expect((await ask(service, { path: "/livez" })).status).toBe(200);
  expect((await ask(service, { path: path(BAKERY), key })).status).toBe(200);
  expect(valuesOf(await scrape(metricsPort), "opzoek_ready").get("")).toBe(0);
  expect((await service.program.ended).code).toBe(0);
});

thoroughIt("a taken METRICS_PORT is refused with the remedy", async () => {
  const world = await makeWorld({ environment: { METRICS_PORT: "0" } });
  const first = await startService(world);
  const address = String(first.log().find(({ msg }) => msg === "metrics are served")?.["address"]);
  const taken = new URL(address).port;
  const other = await makeWorld({ environment: { METRICS_PORT: taken } });
  await expect(startService(other)).rejects.toThrow(/is in use\): choose another METRICS_PORT/);
});
