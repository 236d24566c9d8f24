/** Usage is summed in the database: an account may have tens of thousands of lines a month. */
import { expect, it } from "vitest";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

it("an account's usage of all keys this month is computed without reading lines of the ledger", async () => {
  const lines = () => Promise.reject(new Error("the lines were read"));
  const service = await composeInProcess(await makeWorld(), {
    nowMs: NOON,
    replace: ({ state }) => ({ state: { ...state, ledger: { ...state.ledger, lines } } }),
  });
  const { key: first, keys } = await service.account("plenty", 2);
  for (const nowMs of [NOON, NOON + 86_400_000]) {
    service.setClock(nowMs);
    for (const { key } of keys) {
      await inject(service.app, { path: `/v1/lookup/${BAKERY}`, key });
      await inject(service.app, { path: `/v1/lookup/${UNKNOWN}`, key });
      await inject(service.app, { path: "/v1/search?q=fabel", key });
    }
  }
  const usage = await inject(service.app, { path: "/v1/usage", key: first });
  expect(usage.status).toBe(200);
  expect(jsonOf(usage)).toMatchObject({
    operations: expect.arrayContaining([
      { operation: "lookup", requests: 8, tokens: 4, refusals: 0 },
      { operation: "search", requests: 4, tokens: 4, refusals: 0 },
      { operation: "usage", requests: 1, tokens: 0, refusals: 0 },
    ]),
  });
});
