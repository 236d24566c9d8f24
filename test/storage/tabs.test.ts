/** Accounts' tabs on PostgreSQL: what is charged to one is told everywhere at once, and whatever forbids it closes it. */
import { describe, expect, it } from "vitest";
import { LINES_IN_A_STEP } from "../../src/metering/ledger.ts";
import type { ChargeRequest } from "../../src/metering/store.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { call, keysOf, newKey, reserve } from "../kit/stores/fixture.ts";
import { APRIL, ask, openTwoNodes } from "./tabbed.ts";

const server = await sharedPostgres();
const { fixture, store, other, rowsOf, tabOf, linesOf, tabbed } = await openTwoNodes(
  await server.newDatabase("tabs"),
);

const search = (keyId: string, price: number): ChargeRequest => ({
  ...call(keyId, price),
  operation: "search",
});
/** All that is told of an account's use, wherever it is read. */
async function toldOf(accountId: string, key: string) {
  const tiers = [{ name: "small", tokens: 20 }];
  const { accounts } = await store.people.findAccounts(`${accountId}@`, 2026 * 12 + 3, {
    offset: 0,
    limit: 9,
  });
  const { notices } = await store.people.dueNotices(tiers, "", 1_000);
  const { counts } = await store.people.allowanceCounts(tiers, "", 1_000);
  return {
    spent: await store.ledger.spent(accountId),
    lines: await linesOf(accountId),
    sums: await store.ledger.sums(accountId, "2026-04-01", "2026-04-30", "key", undefined, [key]),
    listed: accounts.map(({ used }) => used),
    notices: notices.filter((notice) => notice.accountId === accountId),
    counts: counts.map(({ accounts: count }) => count),
    keys: (await keysOf(store, accountId)).map(({ lastUsedAt }) => lastUsedAt),
    named: (await store.people.keysNamed(accountId, [key])).map(({ lastUsedAt }) => lastUsedAt),
    ahead: await store.ledger.aheadOfClock(),
  };
}

describe("an open tab", () => {
  it("is charged in one statement, with the balance of each call in its turn, and told by whoever reads", async () => {
    const { accountId, key } = await tabbed();
    fixture.nowIso = "2026-04-15T12:01:00.000Z";
    const told = await store.metering.charge([call(key, 4), call(key, 5, 0), search(key, 6), call(key, 1)]);
    const balance = (tokensUsed: number, rateRemaining: number) => ({
      outcome: "granted",
      balance: { accountId, tokensUsed, rateRemaining, rateLimit: 6, tokensRemaining: 20 - tokensUsed },
    });
    expect(told).toMatchObject([balance(10, 5), balance(10, 4), balance(16, 3), balance(17, 2)]);
    const whileOpen = await toldOf(accountId, key);
    expect(whileOpen).toMatchObject({
      spent: { month: 2026 * 12 + 3, used: 17 },
      lines: ["04-15 lookup 7 11", "04-15 search 1 6"],
      listed: [17],
      notices: [{ accountId, percent: 80 }],
      keys: ["2026-04-15T12:01:00.000Z"],
      named: ["2026-04-15T12:01:00.000Z"],
    });
    expect(await tabOf(accountId)).toMatchObject({ used: "17", calls_in_minute: "4" });
    // Takes the account's lock, and changes nothing else.
    await store.accounts.setTier(accountId, "small");
    expect(await tabOf(accountId)).toBeUndefined();
    expect(await toldOf(accountId, key)).toEqual(whileOpen);
  });

  it("files the line that another day or operation ends, once", async () => {
    const { accountId, key } = await tabbed("large");
    const lines = () => linesOf(accountId);
    expect(await lines()).toEqual(["04-15 lookup 4 6"]);
    await ask(store, search(key, 2));
    await ask(store, search(key, 2));
    expect(await lines()).toEqual(["04-15 lookup 4 6", "04-15 search 2 4"]);
    fixture.nowIso = "2026-04-16T00:00:00.000Z";
    await ask(store, search(key, 1), call(key, 1), search(key, 0));
    expect(await lines()).toEqual([
      "04-15 lookup 4 6",
      "04-15 search 2 4",
      "04-16 lookup 1 1",
      "04-16 search 2 1",
    ]);
    await ask(store, call(key, 1));
    const all = ["04-15 lookup 4 6", "04-15 search 2 4", "04-16 lookup 2 2", "04-16 search 2 1"];
    expect(await lines()).toEqual(all);
    expect(await tabOf(accountId)).toMatchObject({ used: "13" });
    expect(await ask(store, reserve(key, `r_${key}`, 1))).toEqual(["granted 0"]);
    expect(await tabOf(accountId)).toBeUndefined();
    expect(await lines()).toEqual([...all.slice(0, 2), "04-16 branches 1 0", ...all.slice(2)]);
  });

  it("is on the line of its key also where a step of the ledger ends with it", async () => {
    const { accountId, key } = await tabbed("large");
    const others = LINES_IN_A_STEP - 1;
    await rowsOf(
      `insert into keys (id, account_id, name, hash, prefix, last_four, created_at, minute, calls_in_minute, open_day, open_operation, open_requests, open_tokens)
       select 'a_' || n, account_id, name, hash || n, prefix, last_four, created_at, 0, 0, '2026-04-15', 'lookup', 1, 1
       from keys cross join generate_series(1, ${others}) as n where id = $1`,
      key,
    );
    await rowsOf(
      "update keys set open_day = '2026-04-15', open_operation = 'lookup', open_requests = 1, open_tokens = 2 where id = $1",
      key,
    );
    const lines = await store.ledger.lines(accountId, "2026-04-15", "2026-04-15");
    expect(lines).toHaveLength(LINES_IN_A_STEP);
    expect(lines.at(-1)).toMatchObject({ keyId: key, tokens: 6 + 2 });
  });

  it.each<[string, (account: { accountId: string; key: string }) => Promise<unknown>, string, string?]>([
    ["its key is revoked", ({ key }) => store.accounts.revokeKey(key, APRIL), "revoked"],
    [
      "its key is rolled",
      ({ accountId, key }) =>
        store.people.rollKey(key, newKey(`of ${key}`, accountId, APRIL), "2026-04-15T12:00:30.000Z", 20),
      "revoked",
    ],
    ["its key expires", ({ key }) => store.accounts.changeKey(key, { expiresAt: APRIL }), "expired"],
    [
      "its key is bound to addresses",
      ({ key }) => store.accounts.changeKey(key, { addresses: ["192.0.2.0/24"] }),
      "outside",
    ],
    [
      "its account is suspended",
      ({ accountId }) => store.accounts.setSuspended(accountId, true, APRIL),
      "suspended",
    ],
    ["its plan allows less", ({ accountId }) => store.accounts.setTier(accountId, "two"), "quota"],
    [
      "its account is deleted",
      ({ accountId }) => store.people.deleteAccount(accountId, accountId, 0),
      "revoked",
    ],
    ["tokens are set aside", ({ key }) => ask(other, reserve(key, `r_${key}`, 54)), "quota", "large"],
    ["another node spends what is left", ({ key }) => ask(other, call(key, 54)), "quota", "large"],
    ["another node uses up the minute", ({ key }) => ask(other, call(key, 0), call(key, 0)), "rate"],
  ])("is charged no more once %s, by no node", async (_what, change, expected, tierName) => {
    const account = await tabbed(tierName);
    await change(account);
    for (const node of [store, other]) {
      const [outcome = ""] = await ask(node, call(account.key, 1));
      expect(outcome).toBe(expected);
    }
  });

  it("is left by what it does not cover, which the node decides", async () => {
    const { accountId, key } = await tabbed();
    expect(await store.metering.charge([call(key, 15)])).toEqual([undefined]);
    expect(await ask(store, call(key, 15), call(key, 14))).toEqual(["quota", "granted 14"]);
    expect((await store.ledger.spent(accountId))?.used).toBe(20);
    const rated = await tabbed();
    expect(await ask(store, call(rated.key, 0), call(rated.key, 0), call(rated.key, 0))).toEqual([
      "granted 0",
      "granted 0",
      "rate",
    ]);
  });

  it("begins a new minute, and leaves a new month and a clock that went back to the node", async () => {
    const { accountId, key } = await tabbed();
    await ask(store, call(key, 0), call(key, 0));
    fixture.nowIso = "2026-04-15T12:01:00.000Z";
    expect(await ask(store, call(key, 1))).toEqual(["granted 1"]);
    expect(await tabOf(accountId)).toMatchObject({ used: "7", calls_in_minute: "1" });
    fixture.nowIso = "2026-04-15T12:00:59.999Z";
    expect(await store.metering.charge([call(key, 1)])).toEqual([undefined]);
    const month = await tabbed();
    fixture.nowIso = "2026-05-01T00:00:00.000Z";
    expect(await ask(store, call(month.key, 20))).toEqual(["granted 20"]);
    expect(await store.ledger.spent(month.accountId)).toEqual({ month: 2026 * 12 + 4, used: 20 });
    expect(await linesOf(month.accountId)).toEqual(["04-15 lookup 4 6", "05-01 lookup 1 20"]);
  });

  it("is closed by calls with another key, and the next one is of that", async () => {
    const { accountId, key } = await tabbed("wide");
    const more = await fixture.addKey(store, accountId);
    expect(await tabOf(accountId)).toBeUndefined();
    await ask(store, call(key, 1));
    await ask(store, call(key, 1));
    expect(await tabOf(accountId)).toMatchObject({ key_id: key });
    expect(await ask(store, call(more, 1), call(key, 1), call(more, 1))).toEqual([
      "granted 1",
      "granted 1",
      "granted 1",
    ]);
    await ask(store, call(more, 1));
    await ask(store, call(more, 1));
    expect(await tabOf(accountId)).toMatchObject({ key_id: more });
    expect((await store.ledger.spent(accountId))?.used).toBe(13);
    // A node that knows it as the tab of the other key charges nothing to it.
    await ask(store, call(key, 1));
    for (let batch = 0; batch < 3; batch++) await ask(other, call(key, 1));
    expect(await tabOf(accountId)).toMatchObject({ key_id: key });
    for (let batch = 0; batch < 4; batch++) await ask(store, call(more, 1));
    expect(await tabOf(accountId)).toMatchObject({ key_id: more });
    expect(await other.metering.charge([call(key, 1)])).toEqual([undefined]);
    expect((await store.ledger.spent(accountId))?.used).toBe(21);
  });

  it("is not charged before a call that came first with a key that the node has not heard of", async () => {
    const { accountId, key } = await tabbed("small");
    const unheard = await fixture.addKey(store, accountId);
    await ask(store, call(key, 1));
    await ask(store, call(key, 1));
    expect(await tabOf(accountId)).toMatchObject({ key_id: key, used: "8" });
    fixture.nowIso = "2026-04-15T12:01:00.000Z";
    expect(await ask(store, call(unheard, 12), call(key, 1))).toEqual(["granted 12", "quota"]);
  });

  it("stays open beside calls with a test key of its account", async () => {
    const { accountId, key } = await tabbed("wide");
    const test = await fixture.addKey(store, accountId, 20, "test");
    await ask(store, call(key, 1));
    await ask(store, call(key, 1));
    const before = await tabOf(accountId);
    expect(before).toMatchObject({ key_id: key });
    const tested = { ...call(test, 5), isTest: true as const };
    expect(await ask(store, tested, call(key, 2), tested)).toEqual(["granted 5", "granted 2", "granted 5"]);
    expect(await ask(other, tested)).toEqual(["granted 5"]);
    expect(await tabOf(accountId)).toMatchObject({ used: String(Number(before?.used) + 2) });
    expect((await store.testLedger.spent(accountId))?.used).toBe(15);
  });

  it("is charged by every node", async () => {
    const { accountId, key } = await tabbed("wide");
    const four = Array.from({ length: 4 }, () => call(key, 1));
    // The other node does not know of it: its batch is told, and charges it then.
    await other.metering.decide([call(key, 0)]);
    await ask(store, call(key, 0));
    await ask(store, call(key, 0));
    expect(await tabOf(accountId)).toBeDefined();
    expect(await ask(other, ...four)).toEqual(["granted 1", "granted 1", "granted 1", "granted 1"]);
    expect(await ask(other, call(key, 1))).toEqual(["granted 1"]);
    expect(await ask(store, call(key, 1))).toEqual(["granted 1"]);
    expect(await tabOf(accountId)).toMatchObject({ used: "12" });
  });
});

it.each<[string, (accountId: string, key: string) => Promise<unknown>]>([
  [
    "with a key that expires",
    (_, key) => store.accounts.changeKey(key, { expiresAt: "2026-12-31T00:00:00.000Z" }),
  ],
  [
    "with a key for some addresses",
    (_, key) => store.accounts.changeKey(key, { addresses: ["192.0.2.0/24"] }),
  ],
  [
    "with a key that has been rolled",
    (accountId, key) =>
      store.people.rollKey(key, newKey(`of ${key}`, accountId, APRIL), "2026-04-16T00:00:00.000Z", 20),
  ],
  ["that holds a reservation", (_, key) => ask(store, reserve(key, `r_${key}`, 1))],
])("an account %s gets no tab", async (_what, change) => {
  fixture.nowIso = APRIL;
  const { accountId, keyIds } = await fixture.addAccount(store, "small");
  const [key = ""] = keyIds;
  await ask(store, call(key, 1));
  await change(accountId, key);
  for (let batch = 0; batch < 3; batch++) {
    const asked = { ...call(key, 1), address: "192.0.2.1" };
    expect(await ask(store, asked)).toEqual(["granted 1"]);
  }
  expect(await tabOf(accountId)).toBeUndefined();
});
