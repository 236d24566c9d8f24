/**
 * The node that has the lease is killed at each moment of its work, alternating between two nodes: each change becomes
 * one event, in order, and is charged once.
 */
import { Client } from "pg";
import { expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { type DatabaseProxy, type Message, startDatabaseProxy } from "../kit/databaseProxy.ts";
import { isCommit, isStatement, killedInTurn, type Moment, type Node } from "../kit/killedInTurn.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { eventsAfter, monitorAll, nameIn, numberedCompanies, ownerOf, version } from "./monitored.ts";

const COMPANIES = numberedCompanies(450);

const isBaseline = isStatement(/^update monitor_baselines set as_of_ms/);
const isChange = isStatement(/^insert into "pending_changes"/);
const isProgress = isStatement(/^update "turns" set "cursor"/);
const isEvent = ({ type, text }: Message) => type === "B" && text === "opzoek_insert_events";

const ALL_MOMENTS: readonly (readonly [Moment, Moment])[] = [
  [
    { steps: [isChange, isCommit], fate: "pass" },
    { steps: [isEvent, isCommit], fate: "pass" },
  ],
  [
    { steps: [isChange, isCommit], fate: "cut" },
    { steps: [isEvent, isCommit], fate: "cut" },
  ],
  [
    { steps: [isBaseline], fate: "cut" },
    { steps: [isChange], fate: "cut" },
  ],
  [
    { steps: [isProgress], fate: "pass" },
    { steps: [isEvent], fate: "cut" },
  ],
  [
    { steps: [isChange, isProgress], fate: "cut" },
    { steps: [isEvent, isCommit, isEvent], fate: "cut" },
  ],
];
const MOMENTS = ALL_MOMENTS.slice(0, amount({ ordinary: 1, thorough: ALL_MOMENTS.length }));

it(`each change is an event once over ${MOMENTS.length * 2} alternating kills of two nodes`, async () => {
  const server = await sharedPostgres();
  const DATABASE_URL = await server.newDatabase("monitors on killed nodes");
  const world = await makeWorld({ environment: { DATABASE_URL }, companies: [...version(0, COMPANIES)] });
  const account = await world.account("plenty");
  const owner = ownerOf(account);
  await awayFromMonthEnd();
  const state = await openCommandState(readSettings(world.environment));
  const database = new Client({ connectionString: DATABASE_URL });
  await database.connect();
  try {
    await monitorAll(state, world, owner, COMPANIES);
    const proxies = [await startDatabaseProxy(server.port), await startDatabaseProxy(server.port)];
    const start = async (proxy: DatabaseProxy): Promise<Node> => {
      proxy.decide(() => "pass");
      const environment = { ...world.environment, DATABASE_URL: proxy.through(DATABASE_URL) };
      return { proxy, service: await startService({ environment }) };
    };
    for (const [nth, moments] of MOMENTS.entries()) {
      const nodes = await Promise.all(proxies.map(start));
      let isOver = false;
      const killing = killedInTurn(nodes, moments).then(() => {
        isOver = true;
      });
      await world.import([...version(nth + 1, COMPANIES)]);
      await until("both nodes reach their moments and are killed", async () => {
        // The leases of killed nodes end.
        await database.query("update turns set lease_until_ms = 0");
        return isOver;
      });
      await killing;
    }
    const last = await startService(world);
    await database.query("update turns set lease_until_ms = 0");
    await until("the last change of each company is an event", async () => {
      const current = (await eventsAfter(state, owner)).map(({ changes }) => changes["name"]?.current);
      return COMPANIES.every((kvkNumber) => current.includes(nameIn(MOMENTS.length, kvkNumber)));
    });
    const events = await eventsAfter(state, owner);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    for (const kvkNumber of COMPANIES) {
      const names = events
        .filter((event) => event.kvkNumber === kvkNumber)
        .map(({ changes }) => changes["name"]);
      // Two imports that were compared at once are one change.
      expect(names.at(0)?.previous).toBe(nameIn(0, kvkNumber));
      expect(names.at(-1)?.current).toBe(nameIn(MOMENTS.length, kvkNumber));
      for (const [index, name] of names.entries()) {
        if (index > 0) expect(name?.previous).toBe(names[index - 1]?.current);
      }
    }
    const usage = jsonOf(await ask(last, { path: "/v1/usage", key: account.key }));
    expect(usage).toMatchObject({ tokens: { used: events.length } });
    await expectSoundState(world);
  } finally {
    await database.end();
    await state.close();
  }
});
