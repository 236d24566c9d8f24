/** Spans that a collector does not accept are reported, whatever it does. The collector is a server of this test. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openTelemetry } from "../../src/app/tracing/openTelemetry.ts";
import { startProgram } from "../kit/program.ts";
import { servingPort } from "../kit/server.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";

/** Spans of which one batch is being sent, the queue is full, and the rest is dropped. */
const BATCH = 512;
const WAITING = 2_048;
const TOO_MANY = 440;

/** Sends spans to an endpoint, and counts reports of lost ones. */
function tracingTo(endpoint: string) {
  let reports = 0;
  const tracing = openTelemetry({
    endpoint,
    share: 1,
    secret: "of this test",
    version: "0",
    onLost: () => reports++,
  });
  onTestFinished(() => tracing.close());
  return {
    reports: () => reports,
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

/** Opens unaccepted connections until the backlog is full. */
async function fillBacklog(port: number): Promise<void> {
  const connections = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  onTestFinished(() => {
    for (const connection of connections) connection.destroy();
  });
  await until(
    "some wait to be accepted",
    () => connections.filter(({ connecting }) => !connecting).length >= 2,
  );
}

function json(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
}

it.each(
  variants<[string, (request: IncomingMessage, response: ServerResponse) => void]>(
    [
      ["answers with a page", (_, response) => response.end("<html></html>")],
      [
        "accepts none of them",
        (_, response) => json(response, { partialSuccess: { rejectedSpans: "20", errorMessage: "full" } }),
      ],
      ["refuses them", (_, response) => response.writeHead(401).end()],
      [
        "refuses without a reason phrase",
        ({ socket }) => socket.end("HTTP/1.1 401 \r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
      ],
      ["redirects", (_, response) => response.writeHead(302, { location: "/" }).end()],
      ["is overloaded", (_, response) => response.writeHead(503, { "retry-after": "60" }).end()],
      ["never answers", () => {}],
    ],
    { ordinary: 2 },
  ),
)("lost spans are reported once if a collector %s", async (_, answers) => {
  const { reports, spans } = tracingTo(await collectorThat(answers));
  spans(20);
  await until("the loss is reported", () => reports() > 0);
  spans(20);
  expect(reports()).toBe(1);
});

thoroughIt("lost spans are reported within seconds if a connection is never answered", async () => {
  // A listener that accepts no connection: once two of them wait, the system ignores further ones.
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
  const { reports, spans } = tracingTo(`http://127.0.0.1:${port}`);
  spans(20);
  // The system itself retries for more than two minutes.
  await until("the loss is reported", () => reports() > 0, 60_000);
});

it("lost spans are reported if more end than the queue holds", async () => {
  const released = Promise.withResolvers<void>();
  const { reports, spans } = tracingTo(
    await collectorThat((_, response) => void released.promise.then(() => json(response, {}))),
  );
  spans(BATCH + WAITING + TOO_MANY);
  released.resolve();
  await until("there is room again and the loss is reported", () => {
    spans(1);
    return reports() > 0;
  });
});
