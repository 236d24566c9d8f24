/**
 * The node that processes a list is killed at each moment of its work, alternating between two: each number is charged
 * once and has its result.
 */
import { Client } from "pg";
import { expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { type DatabaseProxy, type Message, startDatabaseProxy } from "../kit/databaseProxy.ts";
import { isCommit, isStatement, killedInTurn, type Moment, type Node } from "../kit/killedInTurn.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { begun, completed, results } from "./lists.ts";

const UNKNOWN_FOR_EACH = 29;
/** Each chunk has some hits, so that each kill can lose a charge. */
const KNOWN = PLAIN.slice(0, 100);
const NUMBERS = KNOWN.flatMap((known, nth) => [
  known,
  ...Array.from({ length: UNKNOWN_FOR_EACH }, (_, more) =>
    String(70_000_000 + nth * UNKNOWN_FOR_EACH + more),
  ),
]);

const isReservation = ({ type, text }: Message) => type === "B" && text === "opzoek_reserve";
const isChunk = ({ type, text }: Message) => type === "B" && text === "opzoek_job_taken";
const isClaim = isStatement(/^update "jobs" set "status" = case when/);
const isHold = isStatement(/^update "jobs" set "lease_until_ms" = \$1 where .*due_at_ms/);
const isEnd = isStatement(/^update "jobs" set .*"ended_at_ms" = /);

const beforeReservation: Moment = { steps: [isReservation], fate: "cut" };
const reserved: Moment = { steps: [isReservation, isCommit], fate: "pass" };
const beforeResults: Moment = { steps: [isChunk], fate: "cut" };
const written: Moment = { steps: [isChunk, isCommit], fate: "cut" };
const committed: Moment = { steps: [isChunk, isCommit], fate: "pass" };
/** Or extended, if it was taken just before the other node died. */
const taken: Moment = { steps: [(message) => isClaim(message) || isHold(message)], fate: "pass" };
const betweenChunks: Moment = { steps: [isChunk, isCommit, isHold], fate: "cut" };
const beforeEnd: Moment = { steps: [isEnd], fate: "cut" };

/** The moments at which one node is killed, and then the other node that took the list over. */
const ALL_MOMENTS: readonly (readonly [Moment, Moment])[] = [
  [beforeReservation, reserved],
  [committed, taken],
  [written, beforeResults],
  [betweenChunks, beforeEnd],
];
const MOMENTS = ALL_MOMENTS.slice(0, amount({ ordinary: 1, thorough: ALL_MOMENTS.length }));

it(`a list charges each number once over ${MOMENTS.length * 2} alternating kills of two nodes`, async () => {
  const server = await sharedPostgres();
  const DATABASE_URL = await server.newDatabase("lists on killed nodes");
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const database = new Client({ connectionString: DATABASE_URL });
  await database.connect();
  /** No node takes the list before the moments are set. */
  const HOUR_MS = 3_600_000;
  const putOff = () => database.query("update jobs set due_at_ms = $1", [Date.now() + HOUR_MS]);
  /** Expires the lease of a killed node repeatedly. */
  const endingLeases = async (killing: Promise<unknown>): Promise<void> => {
    let isOver = false;
    void killing.then(() => {
      isOver = true;
    });
    await until("both nodes reach their moments and are killed", async () => {
      await database.query(
        "update jobs set lease_until_ms = 0, due_at_ms = case when due_at_ms > 1 then 1 else due_at_ms end",
      );
      return isOver;
    });
  };
  const proxies = [await startDatabaseProxy(server.port), await startDatabaseProxy(server.port)];
  const start = async (proxy: DatabaseProxy): Promise<Node> => {
    proxy.open();
    const environment = { ...world.environment, DATABASE_URL: proxy.through(DATABASE_URL) };
    return { proxy, service: await startService({ environment }) };
  };
  let id: string | undefined;
  for (const moments of MOMENTS) {
    await putOff();
    const both = await Promise.all(proxies.map(start));
    const killing = killedInTurn(both, moments);
    const [one] = both;
    if (one !== undefined) id ??= (await begun(one.service, key, NUMBERS)).id;
    await endingLeases(killing);
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
