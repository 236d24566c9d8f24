import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { brokenRequestAnswerer } from "./limits.ts";

const WITHIN_MS = 15_000;
const WHOLE = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const HALF = "GET / HTTP/1.1\r\nhos";

/** How often a connection was counted that sent this and was reset when it was read. */
async function countedOf(sent: string): Promise<number> {
  let counted = 0;
  const haveAsked = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    haveAsked.add(request.socket);
    response.end();
  });
  const answer = brokenRequestAnswerer({
    newRequestId: () => "r-1",
    hadRequest: (socket) => haveAsked.has(socket),
    count: () => counted++,
  });
  server.on("clientError", (error, socket) => answer(error, socket as Socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const client = connect({ host: "127.0.0.1", port: typeof address === "object" ? (address?.port ?? 0) : 0 });
  client.on("error", () => {});
  const [socket] = (await once(server, "connection")) as [Socket];
  const closed = new Promise((resolve) => socket.once("close", resolve));
  client.write(sent);
  await vi.waitUntil(() => socket.bytesRead >= sent.length, { timeout: WITHIN_MS });
  client.resetAndDestroy();
  await closed;
  return counted;
}

it.each([
  [1, "a reset within the first header", HALF],
  [0, "a reset before anything was sent, as those who look whether somebody listens do", ""],
  [0, "a reset of an idle connection after a whole request", WHOLE],
  [1, "what is no HTTP", "BREW / HTTP/1.1\r\n\r\n"],
])("counts %i for %s", async (times, _what, sent) => {
  expect(await countedOf(sent)).toBe(times);
});
