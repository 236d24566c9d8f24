/**
 * A webhook that is down for a day gets every event once it works again, on a clock that the test sets, across a
 * restart.
 */
import { expect, it } from "vitest";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { servingPort } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const HOUR_MS = 3_600_000;
/** The longest pause between attempts that no receiver asked for. */
const PAUSE_MS = 3.75 * HOUR_MS;

it("delivers all events of a day to a webhook that was down, and leaves it enabled", async () => {
  let isDown = true;
  const refused = new Set<string>();
  const accepted: string[] = [];
  const port = await servingPort((request, response) => {
    const id = String(request.headers["webhook-id"]);
    if (isDown) refused.add(id);
    else accepted.push(id);
    response.writeHead(isDown ? 503 : 204).end();
  });
  const world = await makeWorld({ environment: { WEBHOOK_NETWORKS: "127.0.0.1" } });
  let nowMs = NOON;
  let deferred = 0;
  const compose = () =>
    composeInProcess(world, {
      nowMs,
      listOptions: { pollEveryMs: 20 },
      replace: ({ state }) => ({
        state: {
          ...state,
          webhooks: {
            ...state.webhooks,
            deferMessage: async (...args) => {
              const isRetried = await state.webhooks.deferMessage(...args);
              deferred += 1;
              return isRetried;
            },
          },
        },
      }),
    });
  let service = await compose();
  const { key } = await service.account("plenty");
  const send = async (method: string, path: string, body?: object) =>
    jsonOf(await inject(service.app, { method, path, key, ...(body && { body }) }));
  await send("POST", "/v1/webhook-secret");
  const webhook = `http://127.0.0.1:${port}/hook`;
  const added = await send("POST", "/v1/monitors", { kvkNumbers: [BAKERY], webhook });
  const { id } = (added as { results: { id: string }[] }).results[0] ?? { id: "" };

  for (let hour = 0; hour < 24; hour += 6) {
    await send("POST", `/v1/monitors/${id}/test`);
    // One attempt per pause: the address is busy, not only for the first message.
    for (let nth = 0; nth < 2; nth += 1) {
      const before = deferred;
      nowMs += PAUSE_MS;
      service.setClock(nowMs);
      await until("a message is sent", () => deferred > before);
    }
    if (hour === 12) {
      await service.close();
      service = await compose();
    }
  }
  expect(refused.size).toBeGreaterThan(0);

  isDown = false;
  // In steps, because an attempt that was refused at the end may be put off from any of them.
  await until("all events arrive", () => {
    nowMs += HOUR_MS / 6;
    service.setClock(nowMs);
    return accepted.length === 4;
  });
  expect(new Set(accepted).size).toBe(4);
  expect(await send("GET", "/v1/changes")).toMatchObject({ events: [] });
  expect((await send("GET", `/v1/monitors/${id}`)) as object).toMatchObject({ webhook: { url: webhook } });
  expect(JSON.stringify(await send("GET", `/v1/monitors/${id}`))).not.toContain("disabledAt");
});
