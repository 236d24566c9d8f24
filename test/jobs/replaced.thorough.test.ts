/** Lists while one of several workers or nodes is replaced. */
import { expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { connections } from "../kit/connections.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { storedTexts } from "../kit/storedState.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { type At, completed, RunningLists, results } from "./lists.ts";

/** Some hits, with many unknown numbers between them. */
const numbersOf = (unknown: number): readonly string[] => [
  ...PLAIN.slice(0, 50),
  ...Array.from({ length: unknown }, (_, nth) => String(70_000_000 + nth)),
  ...PLAIN.slice(50),
];

/** Each number of the account's lists has one result, and the charges equal the number of hits. */
async function expectExact(
  service: At,
  key: string,
  ids: readonly string[],
  numbers: readonly string[],
): Promise<void> {
  for (const id of ids) {
    expect(await completed(service, key, id)).toMatchObject({
      counts: { done: numbers.length, found: PLAIN.length },
      tokens: { charged: PLAIN.length },
    });
    const lines = await results(service, key, id);
    expect(lines.map(({ number }) => number)).toEqual(numbers);
    expect(lines.filter(({ result }) => result !== undefined)).toHaveLength(PLAIN.length);
  }
  const usage = jsonOf(await ask(service, { path: "/v1/usage", key }));
  expect(usage).toMatchObject({ tokens: { used: ids.length * PLAIN.length } });
}

thoroughIt(
  "a killed worker's list is completed by another worker or its replacement, without loss",
  async () => {
    const DATABASE_URL = await (await sharedPostgres()).newDatabase("lists on killed workers");
    const world = await makeWorld({ environment: { DATABASE_URL, WORKERS: "2" } });
    const accounts = [await world.account("plenty"), await world.account("plenty")];
    await awayFromMonthEnd();
    const service = await startService(world);
    const agents = await connections(service, 2);
    const numbers = numbersOf(4_000);
    // Each worker receives a list, so the killed one has one.
    const lists = await Promise.all(
      accounts.map(async ({ key }, nth) => {
        const agent = agents[nth];
        const inProgress = new RunningLists(key, numbers);
        await inProgress.waitForProgress({ port: service.port, ...(agent && { agent }) });
        return { key, ids: inProgress.ids };
      }),
    );
    const [pid = 0] = service.workers();
    process.kill(pid, "SIGKILL");
    await until("the worker is replaced", () =>
      service.log().some(({ msg }) => String(msg).startsWith("a restarted worker process is listening")),
    );
    for (const { key, ids } of lists) await expectExact(service, key, ids, numbers);
    await service.end("SIGTERM");
    await expectSoundState(world);
  },
);

it("a node that is replaced hands its list to another at once", async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("lists on replaced nodes");
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const numbers = numbersOf(4_000);
  const [first, second] = await Promise.all([startService(world), startService(world)]);
  const lists = new RunningLists(key, numbers);
  await lists.waitForProgress(first);
  expect(await first.end("SIGTERM")).toBe(0);
  // The test does not have to wait until the first node's lease expires.
  const leased = "select id from jobs where lease_until_ms > 0 and claim = 1";
  expect(await storedTexts(world, leased)).toEqual([]);
  await expectExact(second, key, lists.ids, numbers);
  await expectSoundState(world);
});
