/** Spans are sent to a collector, which is a server of this test. */
import { expect, it } from "vitest";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { startKvk } from "../kit/kvk.ts";
import { servingPort } from "../kit/server.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { simulator } from "../kit/viesSimulator.ts";
import { makeWorld } from "../kit/world.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const OTHER_TRACE = "1bf7651916cd43dd8448eb211c80319c";
const STEP = "b7ad6b7169203331";
const CALLS_OF_A_TRACE = 10;
const VAT_NUMBER = "PL8567346215";

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** Receives spans by OTLP over HTTP, as JSON. */
async function collector() {
  const bodies: string[] = [];
  const port = await servingPort(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (request.url === "/v1/traces") bodies.push(body);
    response.setHeader("content-type", "application/json").end("{}");
  });
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Sent).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
  };
}

function attribute({ attributes }: SentSpan, key: string): unknown {
  return Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];
}

it("spans describe a call, its batch and its waits, in the caller's own trace, and nothing of its input", async () => {
  const [receiver, vies] = await Promise.all([collector(), simulator()]);
  const world = await makeWorld({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, VIES_URL: vies.url },
  });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  const traced = (path: string, traceId: string, flags: string) =>
    ask(service, { path, key, headers: { traceparent: `00-${traceId}-${STEP}-${flags}` } });
  const calls = [
    await traced(`/v1/lookup/${BAKERY}?apikey=${key}`, TRACE, "01"),
    await traced(`/v1/validate/vat/${VAT_NUMBER}`, OTHER_TRACE, "01"),
    await traced("/v1/usage", "2".repeat(32), "00"),
    await ask(service, { path: "/v1/autocomplete?q=zoekterm-zeldzaam", key }),
  ];
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await service.end("SIGTERM")).toBe(0);

  const spans = receiver.spans();
  const named = (name: string, traceId: string) =>
    spans.find((span) => span.name === name && span.traceId === traceId);
  const lookup = named("GET /v1/lookup/:kvkNumber", TRACE);
  expect(lookup).toMatchObject({ parentSpanId: STEP });
  expect(lookup && attribute(lookup, "http.response.status_code")).toBe(200);
  expect(lookup && attribute(lookup, "opzoek.operation")).toBe("lookup");
  expect(named("state batch", TRACE)).toMatchObject({ parentSpanId: lookup?.spanId });
  const validation = named("GET /v1/validate/vat/:vatNumber", OTHER_TRACE);
  const viesSpans = named("VIES", OTHER_TRACE);
  expect(viesSpans).toMatchObject({ parentSpanId: validation?.spanId });
  expect(viesSpans && attribute(viesSpans, "opzoek.outcome")).toBe("answer");
  expect(spans.map(({ name }) => name)).not.toContain("GET /v1/usage");
  expect(spans.map(({ name }) => name)).toContain("GET /v1/autocomplete");

  const inLog = service.log().filter(({ route }) => typeof route === "string");
  expect(inLog.map(({ traceId }) => traceId)).toEqual([
    TRACE,
    OTHER_TRACE,
    "2".repeat(32),
    expect.stringMatching(/^[0-9a-f]{32}$/),
  ]);
  for (const secret of [key, key.slice(9, 30), BAKERY, VAT_NUMBER, "zeldzaam"]) {
    expect(receiver.bodies.join("")).not.toContain(secret);
  }
});

thoroughIt("spans describe a call's wait for KVK, and its outcome", async () => {
  const [receiver, kvk] = await Promise.all([collector(), startKvk()]);
  const world = await makeWorld({
    companies: [],
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, KVK_API_URL: kvk.url, KVK_API_KEY: kvk.apiKey },
  });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  const [known] = [...kvk.register.all].map(({ facts }) => facts.kvkNumber);
  const looked = await ask(service, {
    path: `/v1/lookup/${known}`,
    key,
    headers: { traceparent: `00-${TRACE}-${STEP}-01` },
  });
  expect(looked.status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
  const spans = receiver.spans().filter(({ traceId }) => traceId === TRACE);
  const call = spans.find(({ name }) => name === "GET /v1/lookup/:kvkNumber");
  const kvkSpan = spans.find(({ name }) => name === "KVK");
  expect(kvkSpan).toMatchObject({ parentSpanId: call?.spanId });
  expect(kvkSpan && attribute(kvkSpan, "opzoek.outcome")).toBe("hit");
  for (const secret of [kvk.apiKey, String(known)]) expect(receiver.bodies.join("")).not.toContain(secret);
});

thoroughIt("spans are sampled at a rate that callers cannot influence by their trace ids", async () => {
  const receiver = await collector();
  const world = await makeWorld({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: "0.000001" },
  });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  for (let nth = 1; nth <= 50; nth += 1) {
    const traceId = nth.toString(16).padStart(16, "0").repeat(2);
    const headers = { traceparent: `00-${traceId}-${STEP}-01` };
    expect((await ask(service, { path: "/v1/usage", key, headers })).status).toBe(200);
  }
  expect(await service.end("SIGTERM")).toBe(0);
  expect(receiver.spans()).toEqual([]);
});

thoroughIt("spans are recorded of all calls of a trace or of none, on any process", async () => {
  const receiver = await collector();
  const world = await makeWorld({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER_ARG: "0.5",
      DATABASE_URL: await (await sharedPostgres()).newDatabase("traces"),
      WORKERS: "2",
    },
  });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  const traceIds = Array.from({ length: 12 }, (_, nth) => nth.toString(16).repeat(32).replace(/0$/, "1"));
  for (const traceId of traceIds) {
    const headers = { traceparent: `00-${traceId}-${STEP}-01` };
    // Each on its own connection; the processes accept in turn.
    for (let nth = 0; nth < CALLS_OF_A_TRACE; nth += 1)
      await ask(service, { path: "/v1/usage", key, headers });
  }
  expect(await service.end("SIGTERM")).toBe(0);
  const calls = receiver.spans().filter(({ name }) => name === "GET /v1/usage");
  const counts = traceIds.map((id) => calls.filter(({ traceId }) => traceId === id).length);
  expect(counts.filter((count) => count !== 0 && count !== CALLS_OF_A_TRACE)).toEqual([]);
});

thoroughIt("spans are lost without a collector, which is reported and delays no call", async () => {
  const world = await makeWorld({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" } });
  const { key } = await world.account("plenty");
  const service = await startService(world);
  expect((await ask(service, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
  await until("the loss is reported", () =>
    service.log().find(({ msg }) => typeof msg === "string" && msg.startsWith("spans could not be sent")),
  );
  expect(await service.end("SIGTERM")).toBe(0);
});
