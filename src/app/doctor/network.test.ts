import { expect, it } from "vitest";
import { freePort } from "../../../test/kit/freePort.ts";
import { serving } from "../../../test/kit/server.ts";
import { service } from "./network.ts";

const health = (status: string, services: object, more: object = {}) =>
  JSON.stringify({ status, services, ...more });

it.each<[string, string, string, RegExp]>([
  [
    "healthy",
    health("ok", { kvk: "up", vies: "up", openData: "up" }),
    "good",
    /ok: kvk up vies up openData up$/,
  ],
  ["without VIES", health("degraded", { kvk: "up", vies: "down" }), "warning", /degraded: kvk up vies down$/],
  ["with part of VIES", health("ok", { kvk: "up", vies: "degraded" }), "warning", /vies degraded/],
  ["with a failing KVK", health("degraded", { kvk: "degraded", vies: "up" }), "warning", /kvk degraded/],
  [
    "without open data",
    health("degraded", { kvk: "up", vies: "up", openData: "down" }),
    "warning",
    /openData down/,
  ],
  [
    "without an index",
    health("degraded", { kvk: "degraded", vies: "up" }, { reason: "no index" }),
    "warning",
    /no index$/,
  ],
  ["without its state", health("down", { kvk: "up", vies: "up" }), "problem", /down: kvk up/],
  ["that is another program", "<html>", "warning", /answers 200$/],
])("a service %s is reported as it says", async (_, body, condition, found) => {
  const { url } = await serving((__, response) => response.end(body));
  const PORT = Number(new URL(url).port);
  expect(await service({ HOST: "127.0.0.1", PORT })).toMatchObject({
    condition,
    found: expect.stringMatching(found),
  });
});

it("a service that does not run is not a problem, but one that hangs up is reported", async () => {
  const PORT = await freePort();
  expect(await service({ HOST: "127.0.0.1", PORT })).toMatchObject({
    condition: "good",
    found: `not checked: no service runs on port ${PORT}`,
  });
  expect(await service({ HOST: "127.0.0.1", PORT: 0 })).toMatchObject({ condition: "good" });
  const { url } = await serving((request) => request.socket.destroy());
  expect(await service({ HOST: "127.0.0.1", PORT: Number(new URL(url).port) })).toMatchObject({
    condition: "warning",
    found: expect.stringContaining("does not answer"),
  });
});
