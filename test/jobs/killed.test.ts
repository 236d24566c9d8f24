/** After `kill -9` at any moment each number of a list is charged once, and its result is there: on one data folder, and over two nodes. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { PLAIN } from "../kit/companies.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { makeWorld } from "../kit/world.ts";
import { begun, completed, list, results } from "./lists.ts";

const KILLS = 5;
/** Those that no company has are answered too: a list long enough to be killed within. */
const NUMBERS = [...PLAIN, ...Array.from({ length: 4_000 }, (_, index) => String(70_000_000 + index))];

/** Each number once, and charged as often as it was found. */
async function expectExact(service: Service, key: string, id: string): Promise<void> {
  const ended = await completed(service, key, id);
  const found = PLAIN.length;
  expect(ended).toMatchObject({
    counts: { numbers: NUMBERS.length, done: NUMBERS.length, found, failed: NUMBERS.length - found },
    tokens: { charged: found },
  });
  const lines = await results(service, key, id);
  expect(lines.map(({ number }) => number)).toEqual(NUMBERS);
  expect(lines.filter(({ result }) => result !== undefined)).toHaveLength(found);
  expect(await usedTokens(service, key)).toBe(found);
}

/** Waits until more of a list is done than was, and a little longer. */
async function furtherThan(
  service: Service,
  key: string,
  id: string,
  done: number,
  ms: number,
): Promise<number> {
  const further = await until("the list goes on", async () => {
    const { counts } = await list(service, key, id);
    return counts.done > done && counts.done;
  });
  await wait(ms);
  return further;
}

it(`holds over ${KILLS} kills on one data folder`, async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  let service = await startService(world);
  const { id } = await begun(service, key, NUMBERS);
  let done = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    done = await furtherThan(service, key, id, done, kill * 7);
    service.program.child.kill("SIGKILL");
    await service.program.ended;
    service = await startService(world);
  }
  await expectExact(service, key, id);
  await service.end("SIGTERM");
  await expectSoundState(world);
});

it("goes on where a service was told to end", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  const first = await startService(world);
  const { id } = await begun(first, key, NUMBERS);
  await furtherThan(first, key, id, 0, 0);
  expect(await first.end("SIGTERM")).toBe(0);
  await expectExact(await startService(world), key, id);
});

it("is taken over by another node when the one that works it is killed", async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("lists killed");
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const first = await startService(world);
  const { id } = await begun(first, key, NUMBERS);
  const done = await furtherThan(first, key, id, 0, 0);
  const second = await startService(world);
  first.program.child.kill("SIGKILL");
  await first.program.ended;
  expect(done).toBeLessThan(NUMBERS.length);
  await expectExact(second, key, id);
  await expectSoundState(world);
});
