/** What is told of spans that a collector does not take, whatever it does instead; it is a server of this test. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { openTelemetry } from "../../src/tracing/openTelemetry.ts";
import { startProgram } from "../kit/program.ts";
import { servingPort } from "../kit/server.ts";
import { until } from "../kit/until.ts";

const SECRET = "tr0ub4dor";
/** Spans of which one batch is under way, as many wait as may, and the others have no place. */
const BATCH = 512;
const WAITING = 2_048;
const TOO_MANY = 440;

afterEach(() => vi.unstubAllEnvs());

/** Spans on their way to an endpoint, and what was told of lost ones. */
function tracingTo(endpoint: string) {
  const told: string[] = [];
  const tracing = openTelemetry({
    endpoint,
    share: 1,
    secret: "of this test",
    version: "0",
    onLost: (reason) => told.push(reason),
  });
  onTestFinished(() => tracing.close());
  return {
    told,
    close: () => tracing.close(),
    spans(count: number) {
      for (let nth = 0; nth < count; nth += 1) {
        const span = tracing.begin({ method: "GET", route: "/", requestId: "r", parent: undefined });
        span.end({ status: 200, operation: undefined });
      }
    },
  };
}

async function collectorThat(answers: (request: IncomingMessage, response: ServerResponse) => void) {
  const listener: RequestListener = (request, response) => {
    request.resume().on("end", () => answers(request, response));
  };
  return `http://127.0.0.1:${await servingPort(listener)}`;
}

/** Opens connections that nobody takes, until there is no room for another. */
async function fillBacklog(port: number): Promise<void> {
  const connections = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  onTestFinished(() => {
    for (const connection of connections) connection.destroy();
  });
  await until("some wait to be taken", () => connections.filter(({ connecting }) => !connecting).length >= 2);
}

function json(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
}

it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
  ["answers with a page", (_, response) => response.end(`<html>${SECRET}</html>`), /^.*no collector.*$/],
  [
    "takes none of them",
    (_, response) => json(response, { partialSuccess: { rejectedSpans: "20", errorMessage: SECRET } }),
    /^refused by the collector.* \(20 spans\)$/,
  ],
  [
    "refuses with a phrase",
    (_, response) => response.writeHead(401, SECRET).end(SECRET),
    /^HTTP 401 \(20 spans\)$/,
  ],
  [
    "refuses without a phrase",
    ({ socket }) => socket.end("HTTP/1.1 401 \r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
    /^HTTP 401 \(20 spans\)$/,
  ],
  [
    "leads elsewhere",
    (_, response) => response.writeHead(302, { location: "/" }).end(),
    /^HTTP 302 \(20 spans\)$/,
  ],
  [
    "is overloaded",
    (_, response) => response.writeHead(503, { "retry-after": "60" }).end(),
    /^HTTP 429, 502, 503 or 504.* \(20 spans\)$/,
  ],
  ["never answers", () => {}, /^no answer within 3 seconds \(20 spans\)$/],
])("are told of a collector that %s, without a word of its own", async (_, answers, reason) => {
  const { told, spans } = tracingTo(await collectorThat(answers));
  spans(20);
  await until("the loss is told", () => told.length > 0);
  expect(told).toEqual([expect.stringMatching(reason)]);
  expect(told.join()).not.toContain(SECRET);
});

it("are told within seconds where a connection is never answered", async () => {
  // A listener that takes no connection: once two of them wait the system answers no more.
  const program = startProgram(process.execPath, [
    "-e",
    `const { createServer } = require("node:net");
    const server = createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      require("node:fs").writeSync(1, server.address().port + "\\n");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
  ]);
  onTestFinished(() => void program.child.kill("SIGKILL"));
  const port = Number(await until("it listens", () => /^[0-9]+(?=\n)/.exec(program.out())?.[0]));
  await fillBacklog(port);
  const { told, spans } = tracingTo(`http://127.0.0.1:${port}`);
  spans(20);
  // The system itself tries for more than two minutes.
  await until("the loss is told", () => told.length > 0, 60_000);
  expect(told).toEqual(["no answer within 3 seconds (20 spans)"]);
});

it("are told where more end than can wait, with how many", async () => {
  const held = Promise.withResolvers<void>();
  const { told, spans } = tracingTo(
    await collectorThat((_, response) => void held.promise.then(() => json(response, {}))),
  );
  spans(BATCH + WAITING + TOO_MANY);
  held.resolve();
  let more = 0;
  await until("there is room again and the loss is told", () => {
    spans(1);
    more += 1;
    return told.length > 0;
  });
  const dropped = Number(/[0-9]+(?= spans)/.exec(told[0] ?? "")?.[0]);
  expect(dropped).toBeGreaterThanOrEqual(TOO_MANY);
  expect(dropped).toBeLessThanOrEqual(TOO_MANY + more);
  expect(told[0]).toMatch(/^more ended than could wait.* \([0-9]+ spans\)$/);
});

it("are told where the service ends before they are taken", async () => {
  const { told, spans, close } = tracingTo(await collectorThat(() => {}));
  spans(20);
  await close();
  expect(told).toEqual([expect.stringMatching(/^the service ended.* \(20 spans\)$/)]);
});

it.each([
  ["is sent with them", `authorization=Basic%20${SECRET}`, undefined],
  ["holds what no header may", `authorization=${SECRET}%0A`, /^ERR_INVALID_CHAR/],
  ["is no header", `Bearer ${SECRET}=x`, /^ERR_INVALID_HTTP_TOKEN/],
])("have the headers of the environment: a secret that %s is in no reason", async (_, headers, reason) => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", headers);
  const got: unknown[] = [];
  const { told, spans } = tracingTo(
    await collectorThat((request, response) => {
      got.push(request.headers.authorization);
      response.writeHead(403).end();
    }),
  );
  spans(1);
  await until("the loss is told", () => told.length > 0);
  expect(told).toEqual([expect.stringMatching(reason ?? /^HTTP 403/)]);
  expect(told.join()).not.toContain(SECRET);
  expect(got).toEqual(reason === undefined ? [`Basic ${SECRET}`] : []);
});
