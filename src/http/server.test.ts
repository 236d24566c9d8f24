import { connect } from "node:net";
import { fastify } from "fastify";
import { expect, it } from "vitest";
import { drain, listen } from "./server.ts";

const WAITING = 40;
const WITHIN_MS = 10_000;

/** Asks over a connection of its own. @returns all that came back; empty where the connection was reset */
function asked(port: number): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(parts).toString()));
  });
}

it("what drains answers the connections that waited to be accepted, and takes no other", async () => {
  const app = fastify();
  app.get("/", () => "answered");
  const address = await listen(app, "127.0.0.1", 0, { isShared: false });
  const port = Number(new URL(address).port);
  const waiting = Array.from({ length: WAITING }, () => asked(port));
  // Node.js connects once this turn's promises are through; the system takes the connection, and this thread has not looked yet.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const drained = drain(app, WITHIN_MS);
  const answers = await Promise.all(waiting);
  expect(answers.filter((answer) => answer.endsWith("answered"))).toHaveLength(WAITING);
  await drained;
  expect(await asked(port)).toBe("");
});
