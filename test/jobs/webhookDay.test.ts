/** A webhook is retried for a day if the receiver refuses it, on a clock that the test sets, across a restart. */
import { expect, it } from "vitest";
import { inject } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { servingPort } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Average delays; each may be a quarter longer. */
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];
const LAST_PAUSE_MS = 3 * HOUR_MS;

it("a webhook is retried with growing delays, continues after a restart, and is abandoned after a day", async () => {
  const ids: string[] = [];
  const port = await servingPort((request, response) => {
    ids.push(String(request.headers["webhook-id"]));
    response.writeHead(503).end();
  });
  const world = await makeWorld({ environment: { WEBHOOK_NETWORKS: "127.0.0.1" } });
  let nowMs = NOON;
  /** Whether each attempt was logged as to be retried. */
  const deferred: boolean[] = [];
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
              deferred.push(await state.webhooks.deferMessage(...args));
              return deferred.at(-1) === true;
            },
          },
        },
      }),
    });
  let service = await compose();
  const { key } = await service.account("plenty");
  await inject(service.app, { method: "POST", path: "/v1/webhook-secret", key });
  const webhook = encodeURIComponent(`http://127.0.0.1:${port}/hook`);
  await inject(service.app, {
    method: "POST",
    path: `/v1/jobs?kind=lookup&webhook=${webhook}`,
    key,
    headers: { "content-type": "application/x-ndjson" },
    body: `"${BAKERY}"\n`,
  });
  await until("the webhook arrives", () => deferred.length === 1);
  for (let at = 0; deferred.at(-1) === true; at += 1) {
    if (at === 4) {
      await service.close();
      service = await compose();
    }
    nowMs += (PAUSES_MS[at] ?? LAST_PAUSE_MS) * 1.25;
    service.setClock(nowMs);
    await until(`webhook attempt ${at + 1}`, () => deferred.length === at + 2);
  }
  const tookMs = nowMs - NOON;
  expect([tookMs > DAY_MS - 1.25 * LAST_PAUSE_MS, tookMs < DAY_MS + 1.25 * LAST_PAUSE_MS]).toEqual([
    true,
    true,
  ]);
  expect([ids.length, new Set(ids).size]).toEqual([deferred.length, 1]);
  expect(deferred.length).toBeGreaterThan(PAUSES_MS.length + 4);
  service.setClock(nowMs + DAY_MS);
  expect(await service.state.webhooks.claimMessage(0)).toBeUndefined();
});
