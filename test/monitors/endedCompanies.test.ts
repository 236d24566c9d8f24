/**
 * Lookups, searches and matches say that a monitored company has ended as soon as KVK's open data does, and its
 * monitors report it.
 */
import { expect, it } from "vitest";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { until } from "../kit/until.ts";
import { callerOf, monitorService } from "./calls.ts";

it("says the same everywhere, whichever source said it", async () => {
  const service = await monitorService();
  const caller = await callerOf(service);
  const kvkNumber = parseKvkNumber(BAKERY) ?? expect.fail("no KVK number");
  const get = async (path: string) => jsonOf(await caller.call("GET", path));
  const post = async (path: string, body: object) => jsonOf(await caller.call("POST", path, body));
  const search = `/v1/search?q=${encodeURIComponent("Bakkerij De Fabelkorst")}`;
  const store = (isActive: boolean) =>
    service.state.monitors.storeInsolvency(kvkNumber, { isActive, observedAtMs: Date.now() });
  expect(await post("/v1/monitors", { kvkNumbers: [BAKERY] })).toMatchObject({
    alreadyEnded: 0,
    alreadyInsolvent: 0,
  });
  for (const isActive of [false, true]) {
    await store(isActive);
    await until("lookups follow", async () => {
      const found = (await get(`/v1/lookup/${BAKERY}`)) as { isActive?: boolean };
      return found.isActive === isActive;
    });
    expect(await get(`/v1/lookup/${BAKERY}?enrich=true`)).toMatchObject({ isActive });
    expect(await post("/v1/lookup/batch", { kvkNumbers: [BAKERY] })).toMatchObject({
      results: [{ isActive }],
    });
    const match = await inject(service.app, {
      method: "POST",
      path: "/v1/match",
      key: caller.account.key,
      body: { queries: [{ name: "Bakkerij De Fabelkorst B.V." }] },
    });
    expect(jsonOf(match)).toMatchObject({ results: [{ candidates: [{ kvkNumber: BAKERY, isActive }] }] });
    expect(await get(search)).toMatchObject({ results: [{ kvkNumber: BAKERY, isActive }] });
    const { total } = (await get(`${search}&isActive=true`)) as { total: number };
    expect(total).toBe(isActive ? 1 : 0);
  }
});
