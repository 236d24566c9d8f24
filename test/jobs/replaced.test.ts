/** Lists on the threads of a service and on nodes, of which one is replaced. */
import { Agent } from "node:http";
import { expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { storedTexts } from "../kit/storedState.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { type At, begun, completed, type Listed, list, listWhen, results } from "./lists.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;
const THREADS = 2;
const CHUNK = 100;

/** Some that are found, before and behind a good many that are not. */
const numbersOf = (unknown: number): readonly string[] => [
  ...PLAIN.slice(0, 50),
  ...Array.from({ length: unknown }, (_, nth) => String(70_000_000 + nth)),
  ...PLAIN.slice(50),
];

async function expectExact(service: At, key: string, id: string, numbers: readonly string[]): Promise<void> {
  expect(await completed(service, key, id)).toMatchObject({
    counts: { done: numbers.length, found: PLAIN.length },
    tokens: { charged: PLAIN.length },
  });
  const lines = await results(service, key, id);
  expect(lines.map(({ number }) => number)).toEqual(numbers);
  expect(lines.filter(({ result }) => result !== undefined)).toHaveLength(PLAIN.length);
  const usage = jsonOf(await ask(service, { path: "/v1/usage", key }));
  expect(usage).toMatchObject({ tokens: { used: PLAIN.length } });
}

/** Services whose calls go to one thread each: the ids of requests begin with what names the thread that took them. */
async function threadsOf(service: At): Promise<readonly [At, At]> {
  const found = new Map<string, At>();
  const [one, other] = await until("each thread has a connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    afterFile(() => agent.destroy());
    const at = { port: service.port, agent };
    const { headers } = await ask(at, { path: "/v1/health" }, agent);
    const thread = headers["x-request-id"]?.split("-")[0] ?? "";
    if (!found.has(thread)) found.set(thread, at);
    return found.size === THREADS && [...found.values()];
  });
  if (one === undefined || other === undefined) throw new Error("a thread has no connection");
  return [one, other];
}

/** Waits until some of a list is done, and not all. */
const isUnderWay = (service: At, key: string, id: string) =>
  listWhen(service, key, id, ({ counts: { done, numbers } }) => done > 0 && done < numbers);

it("threads leave each other's callers their time, and one that is lost loses nothing of its list", async () => {
  const world = await makeWorld({
    environment: {
      WORKERS: String(THREADS),
      NODE_OPTIONS: `--import=${ESCAPE}`,
      ESCAPE: "one of requests, exit",
    },
  });
  const { key } = await world.account("plenty");
  const [{ key: keyOfOne }, { key: keyOfOther }] = [
    await world.account("plenty"),
    await world.account("plenty"),
  ];
  await awayFromMonthEnd();
  const service = await startService(world);
  const [one, other] = await threadsOf(service);
  for (const [working, calling] of [
    [one, other],
    [other, one],
  ] as const) {
    const numbers = numbersOf(2_000 - PLAIN.length);
    const { id } = await begun(working, key, numbers);
    let calls = 0;
    let listed: Listed;
    do {
      listed = await list(calling, key, id);
      calls += 1;
    } while (listed.status !== "completed");
    // A chunk asks the state five times, a call here twice: side by side there would be three of these for each chunk.
    expect(calls).toBeGreaterThan((8 * numbers.length) / CHUNK);
  }

  // Each thread works what it was sent, so that the one which is lost has a list.
  const numbers = numbersOf(4_000);
  const begin = async (thread: At, key: string) => {
    const { id } = await begun(thread, key, numbers);
    await isUnderWay(thread, key, id);
    return { key, id };
  };
  const lists = await Promise.all([begin(one, keyOfOne), begin(other, keyOfOther)]);
  service.program.child.kill("SIGUSR2");
  await until("the thread is replaced", () =>
    service.log().some(({ msg }) => String(msg).startsWith("a thread answers calls in the place")),
  );
  for (const { key, id } of lists) await expectExact(service, key, id, numbers);
  await service.end("SIGTERM");
  await expectSoundState(world);
});

it("a node that is replaced leaves its list to another at once", async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase("lists on replaced nodes");
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const numbers = numbersOf(4_000);
  const [first, second] = await Promise.all([startService(world), startService(world)]);
  const { id } = await begun(first, key, numbers);
  await isUnderWay(first, key, id);
  expect(await first.end("SIGTERM")).toBe(0);
  // Nobody has to wait until the time is over for which the first node held it.
  const isFree = "select lease_until_ms = 0 or claim > 1 from jobs";
  expect(await storedTexts(world, isFree)).toEqual(["true"]);
  await expectExact(second, key, id, numbers);
  await expectSoundState(world);
});
