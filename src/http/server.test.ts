import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { fastify } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { drain, listen } from "./server.ts";

const WAITING = 40;
const WITHIN_MS = 60_000;

/**
 * Sends requests over separate connections, and counts those that the system has accepted. The output of a reset one is
 * empty.
 */
const ASKING = `
  const { connect } = require("node:net");
  const { parentPort, workerData: { port, count, connected } } = require("node:worker_threads");
  const taken = new Int32Array(connected);
  const asked = () => new Promise((resolve) => {
    let text = "";
    const socket = connect({ port, host: "127.0.0.1" });
    // A connection without a request is idle, so draining may close it.
    socket.write("GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n", () => {
      Atomics.add(taken, 0, 1);
      Atomics.notify(taken, 0);
    });
    socket.on("data", (part) => { text += part; });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
  Promise.all(Array.from({ length: count }, asked)).then((answers) => parentPort.postMessage(answers));
`;

/** @returns the output of each connection; `taken` is how many the system has accepted so far */
function ask(port: number, count: number) {
  const connected = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const worker = new Worker(ASKING, { eval: true, workerData: { port, count, connected } });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const answers: Promise<string[]> = once(worker, "message").then(([texts]) => texts);
  return { answers, taken: new Int32Array(connected) };
}

/** Waits without a turn of the event loop, in which connections would be accepted. */
function waitUntilTaken(taken: Int32Array, count: number): void {
  const endsMs = performance.now() + WITHIN_MS;
  for (let now = 0; now < count; now = Atomics.load(taken, 0)) {
    if (performance.now() > endsMs) throw new Error(`only ${now} of ${count} connections were taken`);
    Atomics.wait(taken, 0, now, WITHIN_MS);
  }
}

it("answers waiting connections while draining, and accepts no others", async () => {
  const app = fastify();
  app.get("/", () => "answered");
  const address = await listen(app, "127.0.0.1", 0);
  const port = Number(new URL(address).port);
  const { answers, taken } = ask(port, WAITING);
  waitUntilTaken(taken, WAITING);
  const drained = drain(app, WITHIN_MS);
  expect((await answers).filter((answer) => answer.endsWith("answered"))).toHaveLength(WAITING);
  await drained;
  expect(await ask(port, 1).answers).toEqual([""]);
});

it("answers a request that was not read when its connection was accepted, however slow a turn is", async () => {
  const app = fastify();
  app.get("/", () => "answered");
  const port = Number(new URL(await listen(app, "127.0.0.1", 0)).port);
  // Longer than the interval between checks for idle connections.
  app.server.on("connection", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150));
  const { answers, taken } = ask(port, 3);
  waitUntilTaken(taken, 3);
  const drained = drain(app, WITHIN_MS);
  expect((await answers).filter((answer) => answer.endsWith("answered"))).toHaveLength(3);
  await drained;
});

it("cuts open connections when the drain timeout is over", async () => {
  const app = fastify();
  app.server.on("connect", () => app.server.emit("tunnel"));
  const address = await listen(app, "127.0.0.1", 0);
  const client = connect(Number(new URL(address).port), "127.0.0.1");
  client.on("error", () => {});
  const [taken, cut] = [once(app.server, "tunnel"), once(client, "close")];
  client.write("CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n");
  await taken;
  await drain(app, 1);
  await cut;
});
