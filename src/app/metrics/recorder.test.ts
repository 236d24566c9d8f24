import { expect, it } from "vitest";
import * as kvkCodes from "../../kvk/api/codes.ts";
import { UNREACHABLE } from "../../vat/vies/codes.ts";

import { countersOf, exposition } from "./exposition.ts";
import { OPERATION_LABELS, Recorder, STATUS_LABELS } from "./recorder.ts";

const call = { route: "/v1/lookup/:kvkNumber", status: 200, operation: "lookup", durationMs: 2 };

/** The lines of a scrape with values, by their series. */
async function scraped(...recorders: readonly Recorder[]): Promise<ReadonlyMap<string, number>> {
  return valuesIn(await exposition(await Promise.all(recorders.map(partOf))));
}

const partOf = ({ metrics }: Recorder) => metrics.registry.getMetricsAsJSON();

function valuesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

it("sums the counts of all processes, including ended ones", async () => {
  const [first, ended, replacement] = [new Recorder("1"), new Recorder("2"), new Recorder("2")];
  first.answered(call);
  ended.answered(call);
  ended.sampled({ delayMs: 3, busyMs: 250, heapBytes: 10, waitingRequests: 4 });
  replacement.answered({ ...call, status: 404 });
  replacement.sampled({ delayMs: 600, busyMs: 500, heapBytes: 20, waitingRequests: 1 });
  const before = await countersOf([[], await partOf(ended)]);
  const values = valuesIn(await exposition([before, await partOf(first), await partOf(replacement)]));
  const requests = 'opzoek_http_requests_total{route="/v1/lookup/:kvkNumber",status=';
  expect(values.get(`${requests}"200",operation="lookup"}`)).toBe(2);
  expect(values.get(`${requests}"404",operation="lookup"}`)).toBe(1);
  expect(values.get('opzoek_event_loop_busy_seconds_total{worker="2"}')).toBe(0.75);
  expect(values.get('opzoek_event_loop_delay_seconds_bucket{le="0.005",worker="2"}')).toBe(1);
  expect(values.get('opzoek_event_loop_delay_seconds_count{worker="2"}')).toBe(2);
  // Gauges end with their process.
  expect(values.get('opzoek_heap_bytes{worker="2"}')).toBe(20);
  expect(values.get("opzoek_store_waiting_requests")).toBe(1);
});

it("does not measure calls with test keys, which choose their duration", async () => {
  const recorder = new Recorder("1");
  recorder.answered(call);
  recorder.answered({ ...call, isTest: true, durationMs: 3_000 });
  const metrics = await scraped(recorder);
  const route = 'route="/v1/lookup/:kvkNumber"';
  expect(metrics.get(`opzoek_http_requests_total{${route},status="200",operation="test"}`)).toBe(1);
  expect(metrics.get(`opzoek_http_request_duration_seconds_count{${route}}`)).toBe(1);
  expect(metrics.get(`opzoek_http_request_duration_seconds_sum{${route}}`)).toBeCloseTo(0.002);
});

it("exports cumulative histograms with sum and count, as Prometheus expects", async () => {
  const recorder = new Recorder("1");
  for (const requests of [1, 2, 2, 512, 513]) recorder.batch(requests, requests);
  const metrics = await scraped(recorder);
  const bucket = (le: string) => metrics.get(`opzoek_store_batch_requests_bucket{le="${le}"}`);
  expect([bucket("1"), bucket("2"), bucket("200"), bucket("512"), bucket("+Inf")]).toEqual([1, 3, 3, 4, 5]);
  expect(metrics.get("opzoek_store_batch_requests_sum")).toBe(1_030);
  expect(metrics.get("opzoek_store_batch_requests_count")).toBe(5);
  expect(metrics.get("opzoek_store_batch_duration_seconds_sum")).toBeCloseTo(1.03);
});

it("keeps the bucket limits that queries use", async () => {
  const limits = new Map<string, string[]>();
  const recorder = new Recorder("1");
  recorder.answered(call);
  recorder.sampled({ delayMs: 3, busyMs: 250, heapBytes: 10, waitingRequests: 4 });
  for (const series of (await scraped(recorder)).keys()) {
    const [, name, limit] = /^opzoek_(\w+)_bucket\{le="(.*?)"/.exec(series) ?? [];
    if (name !== undefined && limit !== undefined) limits.set(name, [...(limits.get(name) ?? []), limit]);
  }
  const store = "0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1";
  const upstream = "0.05 0.1 0.25 0.5 1 2.5 5 10 30 +Inf";
  expect(Object.fromEntries([...limits].map(([name, all]) => [name, all.join(" ")]))).toEqual({
    http_request_duration_seconds: `${store} 2.5 5 10 30 +Inf`,
    store_batch_requests: "1 2 5 10 20 50 100 200 512 +Inf",
    store_batch_duration_seconds: `${store} 5 +Inf`,
    vies_call_duration_seconds: upstream,
    kvk_call_duration_seconds: upstream,
    event_loop_delay_seconds: "0.005 0.01 0.02 0.05 0.1 0.25 0.5 1 5 +Inf",
  });
});

it("creates no series from a caller's input", async () => {
  const recorder = new Recorder("1");
  for (let made = 0; made < 2_000; made += 1) {
    recorder.answered({ ...call, route: `/made/up/${made}`, status: made, operation: `made-up-${made}` });
  }
  for (const status of [-1, 1.5, 99_999, Number.NaN]) recorder.answered({ ...call, status });
  const series = [...(await scraped(recorder)).keys()].filter((name) => name.includes("_requests_total{"));
  for (const one of series) {
    const [, route, status, operation] = /route="(.*?)",status="(.*?)",operation="(.*?)"/.exec(one) ?? [];
    expect(["file", "/v1/lookup/:kvkNumber"]).toContain(route);
    expect(STATUS_LABELS).toContain(status);
    expect(OPERATION_LABELS).toContain(operation);
  }
});

it("reports the reasons of refused calls, with a valid key and without one", async () => {
  const recorder = new Recorder("1");
  recorder.called("lookup", undefined, 1);
  recorder.called("lookup", "NOT_FOUND", 0);
  recorder.called("lookup", "RATE_LIMIT_EXCEEDED", 0);
  recorder.called("search", "QUOTA_EXCEEDED", 0);
  recorder.called("search", "SERVICE_UNAVAILABLE", 0);
  const keyless = { ...call, operation: undefined };
  for (const status of [401, 429, 503]) recorder.answered({ ...keyless, status });
  // Not refusals of the API: an ended session, too many sign-in attempts, a health that is down.
  recorder.answered({ ...keyless, route: "/account/session", status: 401 });
  recorder.answered({ ...keyless, route: "/account/session", status: 429 });
  recorder.answered({ ...keyless, route: "/v1/health", status: 503 });
  const metrics = await scraped(recorder);
  const refusals = ["rate", "allowance", "forbidden", "key", "address", "unavailable"].map((reason) =>
    metrics.get(`opzoek_refusals_total{reason="${reason}"}`),
  );
  expect(refusals).toEqual([1, 1, 0, 1, 1, 2]);
  expect(metrics.get('opzoek_tokens_charged_total{operation="lookup"}')).toBe(1);
});

it("counts every attempt at an upstream, and measures those that reached it", async () => {
  const recorder = new Recorder("1");
  const answer = { kind: "answer", valid: true, validatedAt: "2026-10-03T21:02:05.698Z" } as const;
  recorder.viesTried("PL", UNREACHABLE, 100);
  recorder.viesTried("PL", answer, 200);
  recorder.viesTried("PL", UNREACHABLE, undefined);
  recorder.kvkTried("basisprofiel", kvkCodes.SERVER_FAILED, 100);
  recorder.kvkTried("basisprofiel", kvkCodes.CUT_SHORT, 400);
  for (const unasked of [kvkCodes.NOT_ASKED, kvkCodes.TOO_MANY_UNANSWERED, kvkCodes.QUEUED_TOO_LONG])
    recorder.kvkTried("basisprofiel", unasked, undefined);
  recorder.kvkTried("basisprofiel", kvkCodes.BUDGET_SPENT, undefined);
  recorder.kvkTried("basisprofiel", kvkCodes.SHARE_SPENT, undefined);
  const metrics = await scraped(recorder);
  const vies = ["no-answer", "valid", "not-asked"].map((outcome) =>
    metrics.get(`opzoek_vies_calls_total{state="PL",outcome="${outcome}"}`),
  );
  expect(vies).toEqual([1, 1, 1]);
  const kvk = ["outage", "not-asked", "budget", "free-share"].map((outcome) =>
    metrics.get(`opzoek_kvk_calls_total{product="basisprofiel",outcome="${outcome}"}`),
  );
  expect(kvk).toEqual([2, 3, 1, 1]);
  const durations = ["vies", "kvk"].map((upstream) => [
    metrics.get(`opzoek_${upstream}_call_duration_seconds_count`),
    metrics.get(`opzoek_${upstream}_call_duration_seconds_sum`),
  ]);
  expect(durations).toEqual([
    [2, expect.closeTo(0.3)],
    [2, expect.closeTo(0.5)],
  ]);
});
