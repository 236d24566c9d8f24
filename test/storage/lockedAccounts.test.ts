/** An account locked by another session: its own calls wait, and calls of other accounts do not. */

import { Client } from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { StoreUnavailable } from "../../src/lib/storeErrors.ts";
import { Meter } from "../../src/metering/meter.ts";
import type { Decision } from "../../src/metering/store.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, outcomes, StoreFixture } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";

const server = await sharedPostgres();
const url = await server.newDatabase("held_accounts");

let store: StateStore;
let fixture: StoreFixture;
let holder: Client;
/** Outside a transaction: inside one, the activity of other sessions would be a snapshot. */
let observer: Client;
let locked: { accountId: string; keyIds: string[] };
let free: { accountId: string; keyIds: string[] };

beforeAll(async () => {
  fixture = new StoreFixture((options) => openByClock(url, options), "2026-04-15T12:00:30.000Z");
  store = await fixture.connect();
  [holder, observer] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
  await Promise.all([holder.connect(), observer.connect()]);
  afterFile(async () => {
    await Promise.all([holder.end(), observer.end()]);
    await fixture.close();
  });
});
beforeEach(async () => {
  locked = await fixture.addAccount(store, "wide");
  free = await fixture.addAccount(store, "wide");
  return () => holder.query("rollback");
});

const keyOf = ({ keyIds: [key = ""] }: { keyIds: readonly string[] }) => key;
const hold = async (statement: string) => {
  await holder.query("begin");
  await holder.query(statement);
};
const holdAccount = () => hold(`select from accounts where id = '${locked.accountId}' for update`);

/** Sessions of the state that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await observer.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

describe.each([
  ["its account's row", () => `select from accounts where id = '${locked.accountId}' for update`],
  ["its key's row", () => `update keys set name = 'held' where id = '${keyOf(locked)}'`],
])("while another session locks %s", (_, statement) => {
  it("a call waits, other calls of its batch and later batches do not, and each is charged once", async () => {
    await hold(statement());
    const meter = new Meter(store.metering);
    let decided: Decision | undefined;
    const late = meter.decide(call(keyOf(locked), 5)).then((decision) => {
      decided = decision;
      return decision;
    });
    const other = meter.decide(call(keyOf(free), 1));
    expect(await other).toMatchObject({ outcome: "granted", balance: { tokensUsed: 1 } });
    expect(await meter.decide(call(keyOf(free), 1))).toMatchObject({ balance: { tokensUsed: 2 } });
    await until("the call waits for the lock", async () => (await waiting()) === 1);
    expect(decided).toBeUndefined();
    await holder.query("commit");
    expect(await late).toMatchObject({ outcome: "granted", charged: 5, balance: { tokensUsed: 5 } });
    await meter.close();
    expect((await store.ledger.spent(locked.accountId))?.used).toBe(5);
  });
});

it("calls of a locked account queue up, wait in one session, and are decided in order", async () => {
  await holdAccount();
  // Each returns undecided when its batch meets the lock.
  const applied = await Promise.all(
    Array.from({ length: 20 }, () => store.metering.apply([call(keyOf(locked), 8)])),
  );
  await until("they wait", async () => (await waiting()) === 1);
  await holder.query("commit");
  const all = (await Promise.all(applied.flat())).map(({ outcome }) => outcome);
  expect(all).toEqual([...Array(12).fill("granted"), ...Array(8).fill("quota")]);
});

it("a call whose account stays locked is refused as unavailable, and charged nothing", async () => {
  await holdAccount();
  const late = outcomes(store.metering.apply([call(keyOf(locked), 5)]));
  await expect(late).rejects.toBeInstanceOf(StoreUnavailable);
  await holder.query("rollback");
  expect(await outcomes(store.metering.apply([call(keyOf(locked), 1)]))).toEqual(["granted 1"]);
  expect((await store.ledger.spent(locked.accountId))?.used).toBe(1);
});

it("many locked accounts occupy a few sessions, and other accounts are served", async () => {
  const many = [];
  for (let index = 0; index < 12; index++) many.push(await fixture.addAccount(store, "wide"));
  const ids = many.map(({ accountId }) => `'${accountId}'`).join(", ");
  await hold(`select from accounts where id in (${ids}) for update`);
  const applied = await store.metering.apply([...many, free].map((account) => call(keyOf(account), 1)));
  expect(applied.at(-1)).toMatchObject({ outcome: "granted" });
  await until("some wait for a lock", async () => (await waiting()) === 3);
  expect(await outcomes(store.metering.apply([call(keyOf(free), 1)]))).toEqual(["granted 1"]);
  await holder.query("commit");
  const all = await Promise.all(applied);
  expect(all.map(({ outcome }) => outcome)).toEqual(Array(13).fill("granted"));
});
