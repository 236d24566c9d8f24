import { expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { jsonOf } from "../kit/answer.ts";
import { serveOverKvk, startKvk } from "../kit/kvk.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { awayFromDayEnd, until } from "../kit/until.ts";
import { eventsAfter, monitorAll, numberedCompanies, ownerOf, version } from "./monitored.ts";

it("reports a change that a lookup at KVK has shown, and charges it besides the lookup", async () => {
  await awayFromDayEnd();
  const companies = numberedCompanies(2);
  const factsIn = (nth: number) => [...version(nth, companies)].map(({ facts }) => facts);
  const { kvk, world, service, account, get } = await serveOverKvk({
    environment: { KVK_FRESH_FOR: "0" },
    kvk: { companies: factsIn(0) },
  });
  const [changed, unchanged] = companies;
  const state = await openCommandState(readSettings(world.environment));
  try {
    for (const kvkNumber of companies) expect((await get(`/v1/lookup/${kvkNumber}`)).status).toBe(200);
    const owner = ownerOf(account);
    await monitorAll(state, world, owner, companies);
    const { port } = kvk;
    await kvk.stop();
    await startKvk({ port, companies: [...factsIn(1).slice(0, 1), ...factsIn(0).slice(1)] });
    const [previous, current] = [0, 1].map((nth) => factsIn(nth)[0]?.name);
    await until("KVK answers again", async () => {
      const { name } = jsonOf(await get(`/v1/lookup/${changed}`)) as { name?: string };
      return name === current;
    });
    expect((await get(`/v1/lookup/${unchanged}`)).status).toBe(200);
    await until("the change is an event", async () => (await eventsAfter(state, owner)).length > 0);
    expect(await eventsAfter(state, owner)).toMatchObject([
      {
        sequence: 1,
        type: "company.renamed",
        kvkNumber: changed,
        source: { origin: "kvk-api" },
        changes: { name: { previous, current } },
      },
    ]);
    const day = new Date().toISOString().slice(0, 10);
    const lines = await state.ledger.lines(account.id, day, day);
    const charges = lines.filter(({ operation }) => operation === "monitors.change");
    expect(charges).toMatchObject([{ keyId: owner.keyId, tokens: 1 }]);
  } finally {
    await state.close();
  }
  expect(await service.end("SIGTERM")).toBe(0);
  await expectSoundState(world);
});
