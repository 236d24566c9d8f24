/** A request with a content type and neither a length nor chunks, as `curl -X POST -H "Content-Type: …"` sends it. */
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { parseAnswer, sendBytes } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { type Callers, makeCallers } from "./callers.ts";
import { everyRoute, type TestedRoute } from "./routes.ts";

const METHODS = variants(["POST", "GET", "DELETE", "HEAD", "PUT", "PATCH", "OPTIONS", "QUERY"], {
  ordinary: 2,
});
const VERSIONS = variants(["1.1", "1.0"], { ordinary: 1 });

let service: Service;
let callers: Callers;
const routes = everyRoute();
beforeAll(async () => {
  const world = await makeWorld({ environment: { SIGNUP: "open" } });
  callers = await makeCallers(world, routes.length * METHODS.length);
  service = await startService(world);
});

function head(path: string, method: string, version: string, headers: Readonly<Record<string, string>>) {
  const all = { host: "127.0.0.1", connection: "close", "content-type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/${version}\r\n${lines.join("")}\r\n`;
}

/** The status and error code of the response. */
async function ask(request: string): Promise<string> {
  const { status, text } = parseAnswer(await sendBytes(service.port, request));
  const code = /^\{"error":\{"code":"([A-Z_]+)"/.exec(text)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

const openFiles = () => readdirSync(`/proc/${service.program.child.pid}/fd`).length;

it.each(variants(["a good", "no"] as const, { ordinary: 1 }))(
  "is answered like one with an empty body, with %s key",
  async (caller) => {
    const proofOf = ({ shows }: TestedRoute, place: number) =>
      shows === "key" ? callers.withKey(caller) : callers.withSession(caller, place);
    for (const method of METHODS) {
      for (const [nth, route] of routes.entries()) {
        const headers = { ...route.call.headers, ...proofOf(route, nth * METHODS.length) };
        // In the same order for each version, as some calls change the result of the next one.
        for (const version of VERSIONS) {
          const request = head(route.call.path, method, version, headers);
          const empty = head(route.call.path, method, version, { ...headers, "content-length": "0" });
          const [answer, expected] = [await ask(request), await ask(empty)];
          expect(answer, `${method} ${route.name} HTTP/${version}`).toBe(expected);
        }
      }
    }
  },
);

it("a request leaves no socket open when its caller leaves without reading", async () => {
  const before = openFiles();
  const request = head("/v1/nowhere", "POST", "1.1", { connection: "keep-alive" });
  const leave = () =>
    new Promise<void>((resolve) => {
      const socket = connect(service.port, "127.0.0.1", () => socket.write(request, () => socket.destroy()));
      socket.on("error", () => {});
      socket.on("close", () => resolve());
    });
  for (let turn = 0; turn < 10; turn++) await Promise.all(Array.from({ length: 20 }, leave));
  await until("all sockets are closed", () => openFiles() <= before);
});
