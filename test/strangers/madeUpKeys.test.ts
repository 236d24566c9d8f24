/** A made-up key whose check fits is asked of the store; who hangs up meanwhile must harm nobody. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { makeKey } from "../../src/contract/keyForm.ts";
import { ask } from "../support/client.ts";
import { requestBytes } from "../support/rawSocket.ts";
import { type Service, startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";

const CALLERS = 200;

let service: Service;
beforeAll(async () => {
  service = await startService(await makeWorld());
});

/** Sends a call and resets the connection at once: the answer finds nobody. */
function callAndReset(): Promise<void> {
  const authorization = `Bearer ${makeKey("live", randomBytes)}`;
  return new Promise((resolve) => {
    const socket = connect({ port: service.port, host: "127.0.0.1" });
    socket.once("error", () => {}).once("close", () => resolve());
    socket.write(requestBytes("GET /v1/lookup/50000001", { authorization }), () => socket.resetAndDestroy());
  });
}

it("callers with made-up keys who reset their connections do not end the process", async () => {
  const { pid } = service.program.child;
  for (let called = 0; called < CALLERS; called += 20) {
    await Promise.all(Array.from({ length: 20 }, callAndReset));
  }
  await until("the service answers", async () => (await ask(service, { path: "/v1/health" })).status === 200);
  expect(service.program.child.pid).toBe(pid);
  expect(service.program.child.exitCode).toBeNull();
});
