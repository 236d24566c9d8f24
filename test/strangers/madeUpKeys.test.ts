/** A made-up key with a valid checksum is looked up in the store; a caller that hangs up meanwhile affects no other. */
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

/** Sends a call with a made-up key and resets the connection at once: the response has no reader. */
function callAndReset(path?: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: service.port, host: "127.0.0.1" });
    socket.once("error", () => {}).once("close", () => resolve());
    socket.write(madeUp(path), () => socket.resetAndDestroy());
  });
}

/** The same on a connection that has already made a call, so the service knows its address. */
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

it("callers with made-up keys that reset their connections do not end the process", async () => {
  const { pid } = service.program.child;
  await often(CALLERS, () => callAndReset());
  await until("the service answers", async () => (await ask(service, { path: "/v1/health" })).status === 200);
  expect(service.program.child.pid).toBe(pid);
  expect(service.program.child.exitCode).toBeNull();
});

it("a call counts against its client's address even if the caller hung up", async () => {
  // Repeated if a minute began meanwhile.
  await until("a call without a key is refused", async () => {
    await often(KEYLESS_PER_MINUTE, callAndResetWhenKnown);
    return (await ask(service, { path: PATH })).status === 429;
  });
});

it("a call without a response is logged at debug, without a status", async () => {
  await often(CALLERS, () => callAndReset());
  const logged = await until("an aborted call is logged", () =>
    service.log().find(({ msg }) => msg === "a client disconnected before the response"),
  );
  expect(logged).toMatchObject({ level: 20, method: "GET", route: "/v1/lookup/:kvkNumber" });
  expect(logged).not.toHaveProperty("status");
});

it("a call without a response is logged the same if its path cannot be decoded, for which no hook runs", async () => {
  const logged = await until("an aborted call to such a path is logged", async () => {
    await often(CALLERS, () => callAndReset("/v1/lookup/%zz"));
    return service
      .log()
      .find(({ msg, route }) => msg === "a client disconnected before the response" && route === "-");
  });
  expect(logged).toMatchObject({ level: 20, method: "GET" });
});
