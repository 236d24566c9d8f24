/** Accounts' tabs where several nodes charge and change the same accounts at once, and beside nodes that know no tabs. */
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import type { PostgresState } from "../../src/storage/postgres/postgresState.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, reserve, StoreFixture, settle } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";
import { APRIL, AT_ONCE, ask, openTwoNodes } from "./tabbed.ts";

const server = await sharedPostgres();
const { fixture, store, other, rowsOf, tabOf, linesOf, tabbed } = await openTwoNodes(
  await server.newDatabase("tabs_meetings"),
);

it("gives out an allowance to the last token and no more, to two nodes that charge, decide and set aside at once", async () => {
  fixture.nowIso = APRIL;
  const { accountId, keyIds } = await fixture.addAccount(store, "wide", 2);
  const [one = "", two = ""] = keyIds;
  let granted = 0;
  const caller = async (node: PostgresState, key: string, name: number) => {
    for (let turn = 0; turn < 25; turn++) {
      const isHeld = turn % 8 === 7;
      const id = `r_${name}_${turn}`;
      const asked = isHeld ? [reserve(key, id, 1), settle(key, id, 1)] : [call(key, 1)];
      for (const one of asked) if ((await ask(node, one)).includes("granted 1")) granted += 1;
    }
  };
  await Promise.all(
    Array.from({ length: 12 }, (_, name) =>
      caller(name % 2 === 0 ? store : other, name % 6 === 5 ? two : one, name),
    ),
  );
  expect((await store.ledger.spent(accountId))?.used).toBe(100);
  expect(granted).toBe(100);
  const { sums } = await store.ledger.sums(
    accountId,
    "2026-04-01",
    "2026-04-30",
    "month",
    undefined,
    undefined,
  );
  expect(sums.map(({ tokens }) => tokens)).toEqual([100]);
});

it.each<[string, (account: { accountId: string; key: string }) => Promise<unknown>, string]>([
  ["its key is revoked", ({ key }) => other.accounts.revokeKey(key, APRIL), "revoked"],
  [
    "its account is suspended",
    ({ accountId }) => other.accounts.setSuspended(accountId, true, APRIL),
    "suspended",
  ],
])(
  "no call is granted that is asked after %s, however many are under way",
  async (_what, change, expected) => {
    for (let round = 0; round < 15; round++) {
      const account = await tabbed("endless");
      let isOver = false;
      const late: string[] = [];
      const caller = async () => {
        while (!isOver) await ask(store, call(account.key, 1));
      };
      const callers = [caller(), caller(), caller(), caller()];
      await ask(store, call(account.key, 1));
      await change(account);
      for (const node of [store, other]) late.push(...(await ask(node, call(account.key, 1))));
      isOver = true;
      await Promise.all(callers);
      expect(late).toEqual([expected, expected]);
      expect(await tabOf(account.accountId)).toBeUndefined();
      const spent = (await store.ledger.spent(account.accountId))?.used;
      const lines = await store.ledger.lines(account.accountId, "2000-01-01", "2999-12-31");
      expect(lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(spent);
    }
  },
);

it("two nodes that charge and change the same accounts, in any order, never wait for each other in a circle", async () => {
  fixture.nowIso = APRIL;
  const accounts = await Promise.all(Array.from({ length: 40 }, () => fixture.addAccount(store, "endless")));
  const keyIds = accounts.map((account) => account.keyIds[0] ?? "");
  const deadlocks = async () =>
    (await rowsOf("select deadlocks from pg_stat_database where datname = current_database()"))[0]?.deadlocks;
  const before = await deadlocks();
  const turned = (by: number) => [...keyIds.slice(by), ...keyIds.slice(0, by)];
  const batches = async (node: PostgresState, way: number) => {
    for (let turn = 0; turn < 30; turn++) {
      const order = turned((turn * 7 + way * 13) % keyIds.length);
      const asked = (way + turn) % 2 === 0 ? order : order.toReversed();
      const decisions = await ask(node, ...asked.map((key) => call(key, 1)));
      expect(decisions.every((decision) => decision === "granted 1")).toBe(true);
      const some = accounts[(turn * 11 + way) % accounts.length]?.accountId ?? "";
      if (turn % 5 === way) await node.accounts.setTier(some, "endless");
      if (turn % 9 === way) await node.metering.decide(asked.slice(0, 15).map((key) => call(key, 0)));
    }
  };
  await Promise.all([store, other].flatMap((node) => [0, 1, 2].map((way) => batches(node, way))));
  expect(await deadlocks()).toBe(before);
  const spent = await Promise.all(accounts.map(({ accountId }) => store.ledger.spent(accountId)));
  expect(spent.map((one) => one?.used)).toEqual(accounts.map(() => 180));
  const lines = await Promise.all(accounts.map(({ accountId }) => linesOf(accountId)));
  expect(new Set(lines.map(([line = ""]) => line.split(" ").at(-1)))).toEqual(new Set(["180"]));
}, 60_000);

describe("nodes of the version before, which know no tabs", () => {
  const noted = (client: Client, id: string) =>
    client.query("insert into applied_batches (id, is_void, noted_at_ms) values ($1, 0, 0)", [id]);

  /** A state as the version before leaves it once this one has changed its tables, and an account that calls. */
  async function earlierState(name: string) {
    const url = await server.database(name);
    const looker = new Client(url);
    await looker.connect();
    afterFile(() => looker.end());
    await looker.query("alter table applied_batches alter column layout set default 1");
    const node = new StoreFixture((options) => openByClock(url, options, AT_ONCE), APRIL);
    afterFile(() => node.close());
    const tabs = async () => (await looker.query("select from account_tabs")).rows.length;
    const callOften = async (state: PostgresState) => {
      const { keyIds } = await node.addAccount(state, "wide");
      const [key = ""] = keyIds;
      for (let batch = 0; batch < 3; batch++) await ask(state, call(key, 1));
    };
    return { url, looker, node, tabs, callOften };
  }

  it.each(["opzoek", "opzoek - 192.0.2.1:5432"])(
    "keep tabs from being used while they have a connection by the name %s, and batches of theirs are let in",
    async (name) => {
      const { url, looker, node, tabs, callOften } = await earlierState(`tabs of ${name.length}`);
      const earlier = new Client({ connectionString: url, application_name: name });
      await earlier.connect();
      const state = await node.connect();
      await callOften(state);
      expect(await tabs()).toBe(0);
      await noted(looker, "theirs");
      await earlier.end();
      await until("its session is gone", async () => {
        const { rows } = await looker.query("select from pg_stat_activity where application_name = $1", [
          name,
        ]);
        return rows.length === 0;
      });
      // A batch of theirs is noted still.
      await callOften(await node.connect());
      expect(await tabs()).toBe(0);
      await looker.query("delete from applied_batches where id = 'theirs'");
      await callOften(await node.connect());
      expect(await tabs()).toBe(1);
    },
  );

  it("are refused when they write a batch later, and nothing of it is kept", async () => {
    const { looker, node, tabs, callOften } = await earlierState("tabs_late");
    await callOften(await node.connect());
    expect(await tabs()).toBe(1);
    await expect(noted(looker, "theirs")).rejects.toMatchObject({ code: "23502" });
  });
});
