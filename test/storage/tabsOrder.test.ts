/** In which order tabs are locked, and how they are looked up, whatever the locale of the database is and however many there were when it was planned. */
import { Client } from "pg";
import { expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { call, newKey } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";
import { APRIL, ask, openTwoNodes } from "./tabbed.ts";

const server = await sharedPostgres();

/** Their first two, where the locale and the bytes disagree. */
const FIRST_BY_LOCALE = "a000";
const FIRST_BY_BYTES = "B001";

type Nodes = Awaited<ReturnType<typeof openTwoNodes>>;

const BLOCKED =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Adds accounts whose ids begin with a small and a large letter in turn, and opens their tabs. @returns their keys */
async function withTabs({ store, tabOf }: Nodes, from: number, to: number): Promise<string[]> {
  const keyIds: string[] = [];
  for (let index = from; index < to; index++) {
    const id = `${index % 2 === 0 ? "a" : "B"}${String(index).padStart(3, "0")}`;
    await store.accounts.add({
      id,
      email: `${id}@example.test`,
      tierName: "endless",
      isSuspended: false,
      createdAt: APRIL,
    });
    await store.accounts.addKey(newKey(`key_${id}`, id, APRIL), 20);
    keyIds.push(`key_${id}`);
  }
  const calls = keyIds.map((keyId) => call(keyId, 1));
  for (let batch = 0; batch < 3; batch++) await ask(store, ...calls);
  for (const keyId of keyIds) expect(await tabOf(keyId.slice("key_".length))).toBeDefined();
  return keyIds;
}

it("locks tabs in the order of their index, charging and closing alike, with a plan for many of them and one for few", async () => {
  const url = await server.localeDatabase("tabs_order");
  const nodes = await openTwoNodes(url);
  const { store, rowsOf, tabOf } = nodes;
  const keyIds = await withTabs(nodes, 0, 4);
  const holder = new Client(url);
  await holder.connect();
  afterFile(() => holder.end());
  const plans = ["", "vacuum analyze account_tabs"];
  const all = keyIds.map((keyId) => call(keyId, 1));
  const ways = [() => ask(store, ...all.toReversed()), () => store.metering.decide(all.toReversed())];
  for (const plan of plans) {
    await rowsOf(plan);
    for (const way of ways) {
      for (const calls of [all, all.toReversed()]) await ask(store, ...calls);
      expect(await tabOf(FIRST_BY_BYTES)).toBeDefined();
      await holder.query("begin");
      await holder.query("select from account_tabs where account_id = $1 for update", [FIRST_BY_LOCALE]);
      const asked = way();
      await until("it waits for the first tab", async () => (await rowsOf(BLOCKED)).length > 0);
      const free = await rowsOf("select account_id from account_tabs for update skip locked");
      await holder.query("commit");
      await asked;
      expect(free).toHaveLength(keyIds.length - 1);
    }
  }
});

it("looks a tab up by itself once there are many, though it was planned when there were few", async () => {
  const nodes = await openTwoNodes(await server.newDatabase("tabs_plans"));
  const { store, rowsOf } = nodes;
  await rowsOf("alter table account_tabs set (autovacuum_enabled = false)");
  await rowsOf("vacuum analyze account_tabs");
  const keyIds = await withTabs(nodes, 0, 1);
  const charge = () => ask(store, call(keyIds[0] ?? "", 0));
  await charge();
  for (let from = 1; from < 300; from += 5) await withTabs(nodes, from, from + 5);
  const counters = "select idx_scan, idx_tup_read from pg_stat_user_indexes where relname = 'account_tabs'";
  const counted = async () => {
    const [row] = await rowsOf(counters);
    return { scans: Number(row?.idx_scan), read: Number(row?.idx_tup_read) };
  };
  const told: number[] = [];
  let last = await counted();
  await until("it is told three times", async () => {
    await charge();
    const { scans, read } = await counted();
    // The server tells once a second, as often as plans are made anew at most.
    if (scans < last.scans + 5) return false;
    told.push((read - last.read) / (scans - last.scans));
    last = { scans, read };
    return told.length === 3;
  });
  expect(told.at(-1)).toBeLessThan(2);
});
