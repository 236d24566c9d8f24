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
import { type At, begun, completed, list, results, UnderWay } from "./lists.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;
const THREADS = 2;
const CHUNK = 100;

/** Some that are found, before and behind a good many that are not. */
const numbersOf = (unknown: number): readonly string[] => [
  ...PLAIN.slice(0, 50),
  ...Array.from({ length: unknown }, (_, nth) => String(70_000_000 + nth)),
  ...PLAIN.slice(50),
];

/** Of each of the lists of an account each number once, and charged as often as it was found. */
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

/** Who is not heard of for longer is taken for gone, and a list takes the time that was left. */
const CALLERS_STAY_MS = 250;

/** What was done of a list beside the calls of a caller, and how many these were; when the caller was held up, neither is counted. */
async function doneBesideCalls(
  service: At,
  key: string,
  id: string,
): Promise<{ readonly calls: number; readonly done: number }> {
  let [calls, done] = [0, 0];
  let before: { readonly sentAtMs: number; readonly done: number } | undefined;
  for (;;) {
    const sentAtMs = performance.now();
    const { status, counts } = await list(service, key, id);
    if (before !== undefined && performance.now() - before.sentAtMs < CALLERS_STAY_MS) {
      calls += 1;
      done += counts.done - before.done;
    }
    if (status === "completed") return { calls, done };
    before = { sentAtMs, done: counts.done };
  }
}

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
    let [calls, done] = [0, 0];
    // Another list where most of one was done while the caller was held up.
    while (done < numbers.length / 2) {
      const { id } = await begun(working, key, numbers);
      const besides = await doneBesideCalls(calling, key, id);
      [calls, done] = [calls + besides.calls, done + besides.done];
    }
    // A chunk asks the state five times, a call here twice: side by side there would be three of these for each chunk.
    expect(calls).toBeGreaterThan((8 * done) / CHUNK);
  }

  // Each thread works what it was sent, so that the one which is lost has a list.
  const numbers = numbersOf(4_000);
  const begin = async (thread: At, key: string) => {
    const lists = new UnderWay(key, numbers);
    await lists.goesOn(thread);
    return { key, ids: lists.ids };
  };
  const lists = await Promise.all([begin(one, keyOfOne), begin(other, keyOfOther)]);
  service.program.child.kill("SIGUSR2");
  await until("the thread is replaced", () =>
    service.log().some(({ msg }) => String(msg).startsWith("a thread answers calls in the place")),
  );
  for (const { key, ids } of lists) await expectExact(service, key, ids, numbers);
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
  const lists = new UnderWay(key, numbers);
  await lists.goesOn(first);
  expect(await first.end("SIGTERM")).toBe(0);
  // Nobody has to wait until the time is over for which the first node held it.
  const held = "select id from jobs where lease_until_ms > 0 and claim = 1";
  expect(await storedTexts(world, held)).toEqual([]);
  await expectExact(second, key, lists.ids, numbers);
  await expectSoundState(world);
});
