/** Whichever of two nodes works a list is killed at each moment of its work, in turn: each number is charged once, and its result is there. */
import { Client } from "pg";
import { expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { type DatabaseProxy, type Fate, type Message, startDatabaseProxy } from "../kit/databaseProxy.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { begun, completed, results } from "./lists.ts";

const UNKNOWN_FOR_EACH = 29;
/** Some of each chunk are found, so that each kill has something to charge or to lose. */
const KNOWN = PLAIN.slice(0, 100);
const NUMBERS = KNOWN.flatMap((known, nth) => [
  known,
  ...Array.from({ length: UNKNOWN_FOR_EACH }, (_, more) =>
    String(70_000_000 + nth * UNKNOWN_FOR_EACH + more),
  ),
]);

const isReservation = ({ type, text }: Message) => type === "B" && text === "opzoek_reserve_reservations";
const isChunk = ({ type, text }: Message) => type === "B" && text === "opzoek_chunks";
const isCommit = ({ type, text }: Message) => type === "Q" && text === "commit";
const isStatement = (begins: RegExp) => (message: Message) =>
  message.type === "P" && begins.test(message.text);
const isClaim = isStatement(/^update "jobs" set "status" = case when/);
const isHold = isStatement(/^update "jobs" set "lease_until_ms" = \$1 where .*"due_at_ms"/);
const isEnd = isStatement(/^update "jobs" set "status" = \$1, "reason" = \$2, "ended_at_ms"/);

interface Moment {
  /** What a node tells the database, one after the other; with the last it is killed. */
  readonly steps: readonly ((message: Message) => boolean)[];
  /** Whether that one arrives. */
  readonly fate: Fate;
}

const beforeReservation: Moment = { steps: [isReservation], fate: "cut" };
const reserved: Moment = { steps: [isReservation, isCommit], fate: "pass" };
const beforeResults: Moment = { steps: [isChunk], fate: "cut" };
const written: Moment = { steps: [isChunk, isCommit], fate: "cut" };
const committed: Moment = { steps: [isChunk, isCommit], fate: "pass" };
const taken: Moment = { steps: [isClaim], fate: "pass" };
const betweenChunks: Moment = { steps: [isChunk, isCommit, isHold], fate: "cut" };
const beforeEnd: Moment = { steps: [isEnd], fate: "cut" };

/** When one node is killed, and when the other that took the list over. */
const MOMENTS: readonly (readonly [Moment, Moment])[] = [
  [beforeReservation, reserved],
  [committed, taken],
  [written, beforeResults],
  [betweenChunks, beforeEnd],
];

interface Node {
  readonly proxy: DatabaseProxy;
  readonly service: Service;
}

/** Kills the first of some nodes that gets as far. */
function killed(nodes: readonly Node[], { fate, steps }: Moment): Promise<Node> {
  const { promise, resolve } = Promise.withResolvers<Node>();
  let isOver = false;
  for (const node of nodes) {
    let step = 0;
    node.proxy.decide((message) => {
      if (isOver) return "pass";
      if (steps[step]?.(message) === true) step += 1;
      if (step < steps.length) return "pass";
      isOver = true;
      node.service.program.child.kill("SIGKILL");
      void node.service.program.ended.then(() => resolve(node));
      return fate;
    });
  }
  return promise;
}

it(`holds over ${MOMENTS.length * 2} kills of two nodes in turn`, async () => {
  const server = await sharedPostgres();
  const DATABASE_URL = await server.newDatabase("lists on killed nodes");
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const database = new Client({ connectionString: DATABASE_URL });
  await database.connect();
  /** As if the time were over again and again for which a killed node holds the list. */
  const endingLeases = async (killing: Promise<Node>): Promise<Node> => {
    let victim: Node | undefined;
    void killing.then((node) => {
      victim = node;
    });
    return until("a node gets as far, and is killed", async () => {
      await database.query("update jobs set lease_until_ms = 0");
      return victim;
    });
  };
  const proxies = [await startDatabaseProxy(server.port), await startDatabaseProxy(server.port)];
  const start = async (proxy: DatabaseProxy): Promise<Node> => {
    proxy.open();
    const environment = { ...world.environment, DATABASE_URL: proxy.through(DATABASE_URL) };
    return { proxy, service: await startService({ environment }) };
  };
  let id: string | undefined;
  for (const [first, second] of MOMENTS) {
    const both = await Promise.all(proxies.map(start));
    const [one, other] = both;
    if (one === undefined || other === undefined) throw new Error("no node runs");
    const killing = killed(both, first);
    id ??= (await begun(one.service, key, NUMBERS)).id;
    const victim = await endingLeases(killing);
    const survivor = victim === one ? other : one;
    await endingLeases(killed([survivor], second));
  }
  await database.end();
  const last = await startService(world);
  expect(await completed(last, key, id ?? "")).toMatchObject({
    counts: { numbers: NUMBERS.length, done: NUMBERS.length, found: KNOWN.length },
    tokens: { charged: KNOWN.length },
  });
  const lines = await results(last, key, id ?? "");
  expect(lines.map(({ number }) => number)).toEqual(NUMBERS);
  expect(lines.filter(({ result }) => result !== undefined)).toHaveLength(KNOWN.length);
  const usage = jsonOf(await ask(last, { path: "/v1/usage", key }));
  expect(usage).toMatchObject({ tokens: { used: KNOWN.length } });
  await expectSoundState(world);
});
