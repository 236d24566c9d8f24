/** A made-up key whose check fits is asked of the store; who hangs up meanwhile must harm nobody. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { makeKey } from "../../src/contract/keyForm.ts";
import { ask } from "../kit/client.ts";
import { requestBytes } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type TestAccount } from "../kit/world.ts";

const CALLERS = 200;
const KEYLESS_PER_MINUTE = 2 * CALLERS;

let service: Service;
let account: TestAccount;
beforeAll(async () => {
  const environment = { KEYLESS_PER_MINUTE: String(KEYLESS_PER_MINUTE), LOG_LEVEL: "debug" };
  const world = await makeWorld({ environment });
  account = await world.account("plenty");
  service = await startService(world);
});

const PATH = "/v1/lookup/50000001";
const madeUp = (path = PATH) =>
  requestBytes(`GET ${path}`, { authorization: `Bearer ${makeKey("live", randomBytes)}` });

/** Sends a call with a made-up key and resets the connection at once: the answer finds nobody. */
function callAndReset(path?: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: service.port, host: "127.0.0.1" });
    socket.once("error", () => {}).once("close", () => resolve());
    socket.write(madeUp(path), () => socket.resetAndDestroy());
  });
}

/** The same on a connection that the service has known for one call: it can tell whose it is. */
function callAndResetWhenKnown(): Promise<void> {
  const authorization = `Bearer ${account.key}`;
  return new Promise((resolve) => {
    const socket = connect({ port: service.port, host: "127.0.0.1" });
    socket.once("error", () => {}).once("close", () => resolve());
    socket.write(requestBytes("GET /v1/usage", { authorization, connection: "keep-alive" }));
    socket.once("data", () => socket.write(madeUp(), () => socket.resetAndDestroy()));
  });
}

async function often(times: number, call: () => Promise<void>): Promise<void> {
  for (let called = 0; called < times; called += 20) await Promise.all(Array.from({ length: 20 }, call));
}

it("callers with made-up keys who reset their connections do not end the process", async () => {
  const { pid } = service.program.child;
  await often(CALLERS, () => callAndReset());
  await until("the service answers", async () => (await ask(service, { path: "/v1/health" })).status === 200);
  expect(service.program.child.pid).toBe(pid);
  expect(service.program.child.exitCode).toBeNull();
});

it("a call is counted against its client's address although nobody waited for the answer", async () => {
  // Anew where a minute began meanwhile.
  await until("a call without a key is refused", async () => {
    await often(KEYLESS_PER_MINUTE, callAndResetWhenKnown);
    return (await ask(service, { path: PATH })).status === 429;
  });
});

it("is told at debug, without a status that nobody was given", async () => {
  await often(CALLERS, () => callAndReset());
  const told = await until("an aborted call is logged", () =>
    service.log().find(({ msg }) => msg === "a client disconnected before the response"),
  );
  expect(told).toMatchObject({ level: 20, method: "GET", route: "/v1/lookup/:kvkNumber" });
  expect(told).not.toHaveProperty("status");
});

it("is told the same when its path cannot be decoded, for which no hook runs", async () => {
  const told = await until("an aborted call to such a path is logged", async () => {
    await often(CALLERS, () => callAndReset("/v1/lookup/%zz"));
    return service
      .log()
      .find(({ msg, route }) => msg === "a client disconnected before the response" && route === "-");
  });
  expect(told).toMatchObject({ level: 20, method: "GET" });
});
