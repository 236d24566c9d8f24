import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { parseAnswer, requestBytes, sendBytes } from "../../../test/kit/rawSocket.ts";
import { listenForMetrics } from "./server.ts";

/** As many as the server accepts at once. */
const MOST = 32;
const KEPT = { connection: "keep-alive" };

async function serving(render: () => Promise<string>): Promise<number> {
  const server = await listenForMetrics({ host: "127.0.0.1", port: 0, render, onError: () => {} });
  onTestFinished(() => server.close());
  return Number(new URL(server.address).port);
}

/** A connection that sends `bytes` and stays open. */
async function held(port: number, bytes: Buffer | string = ""): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

const scraped = async (port: number) => parseAnswer(await sendBytes(port, requestBytes("GET /metrics")));

it.each([
  ["GET /metrics", 200],
  ["HEAD /metrics", 200],
  ["GET /", 404],
  ["PUT /metrics", 405],
  ["GET /metrics?fails", 500],
])(
  "closes the connection after the response, even if the client wants to keep it: %s",
  async (line, status) => {
    const port = await serving(() =>
      line.includes("fails") ? Promise.reject(new Error("unavailable")) : Promise.resolve("metrics"),
    );
    const answer = parseAnswer(await sendBytes(port, requestBytes(line, KEPT)));
    expect([answer.status, answer.headers["connection"]]).toEqual([status, "close"]);
  },
);

it("stays available when idle connections fill it: the one that has waited longest is closed", async () => {
  const port = await serving(async () => "metrics");
  const ended: number[] = [];
  for (let nth = 0; nth < MOST; nth += 1) {
    const socket = await held(port, nth % 2 === 0 ? "" : "GET /metrics HTTP/1.1\r\nhost: x\r\n");
    socket.on("close", () => ended.push(nth));
  }
  expect(await scraped(port)).toMatchObject({ status: 200, text: "metrics" });
  await expect.poll(() => ended.length).toBeGreaterThan(0);
  await held(port);
  await held(port);
  await expect.poll(() => ended.length).toBeGreaterThan(1);
  expect(await scraped(port)).toMatchObject({ status: 200, text: "metrics" });
  expect(ended).toEqual(ended.map((_, nth) => nth));
});

it("closes no connection that is being answered: at the limit the next one is refused", async () => {
  const rendered = Promise.withResolvers<string>();
  const port = await serving(() => rendered.promise);
  // "100 Continue" shows a caller that its request was read.
  const asked = await Promise.all(
    Array.from({ length: MOST }, async () => {
      const socket = await held(port, requestBytes("GET /metrics", { ...KEPT, expect: "100-continue" }));
      await once(socket, "data");
      return socket;
    }),
  );
  expect(await sendBytes(port, requestBytes("GET /metrics"))).toHaveLength(0);
  const answers = asked.map(async (socket) => {
    let text = "";
    for await (const part of socket) text += String(part);
    return text;
  });
  rendered.resolve("metrics");
  expect((await Promise.all(answers)).filter((text) => text.endsWith("metrics"))).toHaveLength(MOST);
  expect(await scraped(port)).toMatchObject({ status: 200 });
});
