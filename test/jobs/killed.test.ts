/**
 * After `kill -9` at any moment each number of a list is charged once and has its result: on one data folder, and on
 * two nodes.
 */
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { PLAIN } from "../kit/companies.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount, thoroughIt } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { makeWorld } from "../kit/world.ts";
import { completed, RunningLists, results, rowResults } from "./lists.ts";

const KILLS = amount({ ordinary: 1, thorough: 5 });
/** Unknown numbers get results too: the list is long enough to be killed halfway. */
const UNKNOWN = amount({ ordinary: 2_000, thorough: 4_000 });
const NUMBERS = [...PLAIN, ...Array.from({ length: UNKNOWN }, (_, index) => String(70_000_000 + index))];

/** Each number of the account's lists has one result, and the charges equal the number of hits. */
async function expectExact(service: Service, key: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await expectWhole(service, key, id);
  expect(await usedTokens(service, key)).toBe(ids.length * PLAIN.length);
}

async function expectWhole(service: Service, key: string, id: string): Promise<void> {
  const ended = await completed(service, key, id);
  const found = PLAIN.length;
  expect(ended).toMatchObject({
    counts: { numbers: NUMBERS.length, done: NUMBERS.length, found, failed: NUMBERS.length - found },
    tokens: { charged: found },
  });
  const lines = await results(service, key, id);
  expect(lines.map(({ number }) => number)).toEqual(NUMBERS);
  expect(lines.filter(({ result }) => result !== undefined)).toHaveLength(found);
}

it(`a list charges each number once over ${KILLS} kill${KILLS === 1 ? "" : "s"} on one data folder`, async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  let service = await startService(world);
  const lists = new RunningLists(key, NUMBERS);
  for (let kill = 0; kill < KILLS; kill++) {
    await lists.waitForProgress(service);
    await wait(kill * 7);
    service.program.child.kill("SIGKILL");
    await service.program.ended;
    service = await startService(world);
  }
  await expectExact(service, key, lists.ids);
  await service.end("SIGTERM");
  await expectSoundState(world);
});

it("a list of rows charges each row once and has its result after a kill", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const service = await startService(world);
  // Equal rows are rows of their own.
  const names = Array.from(
    { length: amount({ ordinary: 1_000, thorough: 2_000 }) },
    (_, nth) => `Proefbedrijf ${nth % 100} B.V.`,
  );
  const lists = new RunningLists(key, names, "kind=match");
  await lists.waitForProgress(service);
  service.program.child.kill("SIGKILL");
  await service.program.ended;
  const next = await startService(world);
  for (const id of lists.ids) {
    expect(await completed(next, key, id)).toMatchObject({
      counts: { sent: names.length, duplicates: 0, done: names.length, found: names.length },
      tokens: { charged: names.length },
    });
    const lines = await rowResults(next, key, id);
    expect(lines.map(({ row }) => row)).toEqual(names.map((_, index) => index + 1));
  }
  expect(await usedTokens(next, key)).toBe(lists.ids.length * names.length);
  await next.end("SIGTERM");
  await expectSoundState(world);
});

thoroughIt("a list resumes after the service was stopped", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const first = await startService(world);
  const lists = new RunningLists(key, NUMBERS);
  await lists.waitForProgress(first);
  expect(await first.end("SIGTERM")).toBe(0);
  await expectExact(await startService(world), key, lists.ids);
});

thoroughIt("a list is taken over by another node when the node that processes it is killed", async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("lists killed");
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const first = await startService(world);
  const lists = new RunningLists(key, NUMBERS);
  await lists.waitForProgress(first);
  const second = await startService(world);
  first.program.child.kill("SIGKILL");
  await first.program.ended;
  await expectExact(second, key, lists.ids);
  await expectSoundState(world);
});
