/** A store that cannot be written delivers nothing free of charge; health reports it and still answers. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, it } from "vitest";
import { jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

beforeAll(awayFromMonthEnd);

it("health is down with 503 while another process locks the store, calls are refused free of charge, and it recovers", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  const service = await startService(world);
  const health = () => ask(service, { path: "/v1/health" });
  const look = () => ask(service, { path: `/v1/lookup/${BAKERY}`, key });
  const well = await health();
  // Nothing listens at these services' VIES address.
  expect([well.status, jsonOf(well)]).toEqual([
    200,
    {
      status: "degraded",
      services: { kvk: "up", vies: "down" },
      coverage: expect.anything(),
      timestamp: expect.stringMatching(/Z$/),
    },
  ]);
  expect(numberIn(await look(), "x-tokens-charged")).toBe(1);

  const holder = new DatabaseSync(join(world.dataDir, "state.sqlite"));
  holder.exec("begin immediate");
  const refused = await look();
  expectError(refused, "SERVICE_UNAVAILABLE");
  expect(numberIn(refused, "retry-after")).toBeGreaterThan(0);
  const down = await until("health says down", async () => {
    const answer = await health();
    return answer.status === 503 ? answer : undefined;
  });
  expect(jsonOf(down)).toMatchObject({ status: "down", services: { kvk: "up" } });
  expectDocumented({ method: "GET", path: "/v1/health" }, down);
  holder.exec("rollback");
  holder.close();

  await until("health answers 200 again", async () => (await health()).status === 200);
  const after = await look();
  expect([after.status, numberIn(after, "x-tokens-charged")]).toEqual([200, 1]);
  expect(jsonOf(await ask(service, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 2 } });
});

it("health is down while there is no registry", async () => {
  const service = await startService(await makeWorld({ companies: [] }));
  const answer = await ask(service, { path: "/v1/health" });
  expect(answer.status).toBe(503);
  expect(jsonOf(answer)).toMatchObject({ status: "down", services: { kvk: "down" } });
});
