/** Accounts' tabs when somebody changes keys and accounts who knows no tabs: a node of the version before, or an operator at the database. */
import { expect, it } from "vitest";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { call, keysOf } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";
import { APRIL, ask, openTwoNodes } from "./tabbed.ts";

const server = await sharedPostgres();
const { fixture, store, other, rowsOf, tabOf, linesOf, tabbed } = await openTwoNodes(
  await server.newDatabase("tabs_foreign"),
);

const WAITING =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const REVOKES = `update keys set revoked_at = '${APRIL}' where id = $1`;

it.each([
  ["revokes its key", REVOKES, "key", "revoked"],
  [
    "has its key end",
    `update keys set ends_at = '${APRIL}', revoked_at = '${APRIL}' where id = $1`,
    "key",
    "revoked",
  ],
  ["has its key expire", "update keys set expires_at_ms = 0 where id = $1", "key", "expired"],
  ["binds its key to addresses", "update keys set networks = '192.0.2.0/24' where id = $1", "key", "outside"],
  ["suspends it", "update accounts set suspended = 1 where id = $1", "account", "suspended"],
  [
    "begins what needs the account's lock, as deleting it does",
    "update accounts set suspended = suspended where id = $1",
    "account",
    "granted 1",
  ],
  ["deletes its key", "delete from keys where id = $1", "key", "revoked"],
  ["changes its plan", "update accounts set tier = 'two' where id = $1", "account", "quota"],
])(
  "an account's tab is closed by whoever %s, with all that was charged to it",
  async (_what, change, of, expected) => {
    const { accountId, key } = await tabbed();
    fixture.nowIso = "2026-04-15T12:01:00.000Z";
    await ask(store, call(key, 1));
    await rowsOf(change, of === "key" ? key : accountId);
    expect(await tabOf(accountId)).toBeUndefined();
    expect((await store.ledger.spent(accountId))?.used).toBe(7);
    expect(await linesOf(accountId)).toEqual(["04-15 lookup 5 7"]);
    const lastUsed = (await keysOf(store, accountId)).map(({ lastUsedAt }) => lastUsedAt);
    expect(lastUsed).toEqual(change.startsWith("delete") ? [] : ["2026-04-15T12:01:00.000Z"]);
    for (const node of [store, other]) expect(await ask(node, call(key, 1))).toEqual([expected]);
  },
);

it("no tab is opened for a key that somebody is about to revoke", async () => {
  fixture.nowIso = APRIL;
  const { accountId, keyIds } = await fixture.addAccount(store, "wide");
  const [key = ""] = keyIds;
  await ask(store, call(key, 1));
  await rowsOf("begin");
  await rowsOf(REVOKES, key);
  let isAnswered = false;
  // It has its slot of the minute already, so that nothing but the tab is of the key.
  const asked = ask(store, { ...call(key, 1), hasSlot: true }).finally(() => {
    isAnswered = true;
  });
  await until("it waits or is answered", async () => isAnswered || (await rowsOf(WAITING)).length > 0);
  await rowsOf("commit");
  expect(await asked).toEqual(["granted 1"]);
  expect(await tabOf(accountId)).toBeUndefined();
});

it("a tab stays open through a change that forbids none", async () => {
  const { accountId, key } = await tabbed();
  await rowsOf("update keys set name = 'another' where id = $1", key);
  await rowsOf("update accounts set email = email where id = $1", accountId);
  const second = await fixture.addKey(other, accountId);
  await ask(store, call(key, 0));
  await ask(store, call(key, 0));
  await rowsOf(REVOKES, second);
  expect(await tabOf(accountId)).toMatchObject({ used: "6" });
});

it("a batch that grants nothing opens no tab for a key that somebody is about to revoke", async () => {
  fixture.nowIso = APRIL;
  const { accountId, keyIds } = await fixture.addAccount(store, "wide");
  const [key = ""] = keyIds;
  await ask(store, call(key, 1));
  await ask(store, call(key, 1));
  await rowsOf("begin");
  await rowsOf(REVOKES, key);
  const tooMuch = call(key, 1_000);
  const asked = ask(store, tooMuch, tooMuch, tooMuch, tooMuch);
  await until("it waits for the key", async () => (await rowsOf(WAITING)).length > 0);
  expect(await tabOf(accountId)).toBeUndefined();
  await rowsOf("commit");
  expect(await asked).toEqual(["quota", "quota", "quota", "quota"]);
});

it("a node opens no tab with what an account had used before another one that is about to be closed", async () => {
  const { accountId, key } = await tabbed("wide");
  const second = await fixture.addKey(store, accountId);
  // The other node has the next batch with the second key open a tab.
  await other.metering.decide([call(second, 1)]);
  await other.metering.decide([call(second, 1)]);
  await ask(store, call(key, 1));
  await ask(store, call(key, 20));
  expect(await tabOf(accountId)).toMatchObject({ key_id: key, used: "29" });
  await rowsOf("begin");
  await rowsOf(REVOKES, key);
  const asked = ask(other, call(second, 1), call(second, 1), call(second, 1), call(second, 1));
  await until("it waits for the tab", async () => (await rowsOf(WAITING)).length > 0);
  await rowsOf("commit");
  expect(await asked).toEqual(["granted 1", "granted 1", "granted 1", "granted 1"]);
  expect((await store.ledger.spent(accountId))?.used).toBe(33);
});

it("whoever changes keys may have any path, and is refused in a transaction whose snapshot may be older than the tab", async () => {
  const { accountId, key } = await tabbed();
  await rowsOf("begin isolation level repeatable read");
  await expect(rowsOf(REVOKES, key)).rejects.toThrow(/read committed/);
  await rowsOf("rollback");
  await rowsOf("begin");
  await rowsOf("set local search_path = pg_temp");
  await rowsOf(REVOKES.replace("update keys", "update public.keys"), key);
  await rowsOf("commit");
  expect(await tabOf(accountId)).toBeUndefined();
  expect((await store.ledger.spent(accountId))?.used).toBe(6);
});

it("no call is granted once somebody who knows no tabs has revoked the key, however many are under way and whether a tab is being opened", async () => {
  for (let round = 0; round < 15; round++) {
    fixture.nowIso = APRIL;
    const { accountId, keyIds } = await fixture.addAccount(store, "endless");
    const [key = ""] = keyIds;
    let isOver = false;
    const caller = async () => {
      while (!isOver) await ask(store, call(key, 1));
    };
    const callers = Promise.all([caller(), caller(), caller()]);
    // The tab comes with the second batch: in some rounds it is there, in others it is on its way.
    for (let batch = 0; batch < round % 3; batch++) await ask(store, call(key, 1));
    await rowsOf(REVOKES, key);
    const late = [...(await ask(store, call(key, 1))), ...(await ask(other, call(key, 1)))];
    isOver = true;
    await callers;
    expect(late).toEqual(["revoked", "revoked"]);
    expect(await tabOf(accountId)).toBeUndefined();
    const spent = (await store.ledger.spent(accountId))?.used ?? 0;
    const lines = await store.ledger.lines(accountId, "2000-01-01", "2999-12-31");
    expect(lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(spent);
  }
}, 60_000);
