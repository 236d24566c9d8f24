/** Charge batches of one process on PostgreSQL that run at the same time. */

import { Client } from "pg";
import { expect, it } from "vitest";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { Random } from "../../src/demo/registry/random.ts";
import { StoreUnavailable } from "../../src/lib/storeErrors.ts";
import { Meter } from "../../src/metering/meter.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, hashOf, outcomes, reserve, StoreFixture, settle, TIERS } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const ACCOUNTS = 12;
const KEYS = 3;
const CALLS = 1_200;
const TOKENS = 40;
const tiers = { ...TIERS, few: { monthlyTokens: TOKENS, ratePerMinute: 1_000_000 } };

const server = await sharedPostgres();

let databases = 0;

async function open(processes: number) {
  const url = await server.newDatabase(`side_by_side_${databases++}`);
  const fixture = new StoreFixture(({ clock }) => openByClock(url, { tiers, clock }), NOW);
  const observer = new Client({ connectionString: url });
  await observer.connect();
  afterFile(() => Promise.all([fixture.close(), observer.end()]));
  const stores: StateStore[] = [];
  while (stores.length < processes) stores.push(await fixture.connect());
  const [store = await fixture.connect()] = stores;
  return { fixture, observer, stores, store };
}

const sessionsThat = async (observer: Client, condition: string) =>
  (await observer.query(`select from pg_stat_activity where datname = current_database() and ${condition}`))
    .rows.length;

const WAIT_FOR_ROWS = "wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')";
const WAIT_TO_NOTE = "wait_event_type = 'Lock' and wait_event = 'relation'";

async function untilNoting(observer: Client, batches: number): Promise<void> {
  await until(`${batches} batches have locked their rows`, async () => {
    await observer.query("select pg_stat_clear_snapshot()");
    return (await sessionsThat(observer, WAIT_TO_NOTE)) === batches;
  });
}

it("have no common account: a call of an account with a running batch waits in the process, and others run", async () => {
  const { fixture, observer, store } = await open(1);
  const shared = await fixture.addAccount(store, "few", 2);
  const others = [];
  while (others.length < 3) others.push(await fixture.addAccount(store, "few"));
  const [first = "", second = "", ...rest] = [shared, ...others].flatMap(({ keyIds }) => keyIds);
  const last = rest.pop() ?? "";
  await store.metering.findKeys([first, second].map(hashOf));
  const charge = (keyId: string) => outcomes(store.metering.apply([call(keyId, 1)]));
  // Every batch stops at its id, with its rows locked.
  await observer.query("begin; lock table applied_batches in share mode");
  const decided = [first, ...rest].map(charge);
  await untilNoting(observer, 3);
  decided.push(charge(second));
  // The last of the four connections for batches is free.
  for (let turn = 0; turn < 3; turn++) expect(await charge("key_unknown")).toEqual(["revoked"]);
  decided.push(charge(last));
  await untilNoting(observer, 4);
  expect(await sessionsThat(observer, WAIT_FOR_ROWS)).toBe(0);
  await observer.query("commit");
  expect((await Promise.all(decided)).flat()).toEqual(Array(5).fill("granted 1"));
  expect((await store.ledger.spent(shared.accountId))?.used).toBe(2);
});

it("are four at most, and leave connections for other work", async () => {
  const { fixture, observer, store } = await open(1);
  const all = await Promise.all(Array.from({ length: 9 }, () => fixture.addAccount(store, "few")));
  await observer.query("begin; lock table applied_batches in share mode");
  const decided = all.map(({ keyIds: [keyId = ""] }) => outcomes(store.metering.apply([call(keyId, 1)])));
  await untilNoting(observer, 4);
  expect(await store.ledger.spent(all[0]?.accountId ?? "")).toBeUndefined();
  await observer.query("commit");
  expect((await Promise.all(decided)).flat()).toEqual(all.map(() => "granted 1"));
});

it.each([
  { processes: 1, cuts: 0, seed: 1 },
  { processes: 2, cuts: 0, seed: 2 },
  { processes: 1, cuts: 6, seed: 3 },
  { processes: 2, cuts: 6, seed: 4 },
])(
  "spend no token twice and lose none: $processes processes, $cuts cut connections",
  async ({ processes, cuts, seed }) => {
    const { fixture, observer, stores, store } = await open(processes);
    const accounts = [];
    while (accounts.length < ACCOUNTS) accounts.push(await fixture.addAccount(store, "few", KEYS));
    const keys = accounts.flatMap(({ accountId, keyIds }) => keyIds.map((keyId) => ({ accountId, keyId })));
    const meters = stores.map((each) => new Meter(each.metering, { batchesAtOnce: 4, minBatchSize: 1 }));
    const random = new Random(seed);
    const charged = new Map<string, number>();
    let [made, refusedWrongly] = [0, 0];
    const callOnce = async (): Promise<void> => {
      const { accountId, keyId } = random.pick(keys);
      const meter = random.pick(meters);
      const [id, price] = [`reservation_${made++}`, random.between(1, 3)];
      const first = await meter.decide(made % 4 === 0 ? reserve(keyId, id, price) : call(keyId, price));
      const last =
        made % 4 === 0 && first.outcome === "granted"
          ? await meter.decide(settle(keyId, id, price - 1))
          : first;
      for (const decision of new Set([first, last])) {
        if (decision.outcome !== "granted") continue;
        charged.set(accountId, (charged.get(accountId) ?? 0) + decision.charged);
      }
      if (first.outcome === "quota" && first.balance.tokensRemaining >= price) refusedWrongly += 1;
    };
    const drive = async (): Promise<void> => {
      while (made < CALLS) {
        await callOnce().catch((error: unknown) => {
          // Nothing was charged. Without cuts there is no reason for it.
          if (cuts === 0 || !(error instanceof StoreUnavailable)) throw error;
        });
      }
    };
    const cutting = async (): Promise<void> => {
      for (let cut = 1; cut <= cuts; cut++) {
        await until("some calls were made", () => made >= (CALLS * cut) / (cuts + 1));
        await observer.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
      }
    };
    await Promise.all([...Array.from({ length: 48 }, drive), cutting()]);
    for (const meter of meters) await meter.close();
    expect(refusedWrongly).toBe(0);
    for (const { accountId } of accounts) {
      const lines = await store.ledger.lines(accountId, "2026-05-01", "2026-05-31");
      const spent = charged.get(accountId) ?? 0;
      expect(spent).toBeLessThanOrEqual(TOKENS);
      expect([
        lines.reduce((sum, { tokens }) => sum + tokens, 0),
        (await store.ledger.spent(accountId))?.used,
      ]).toEqual([spent, spent]);
    }
  },
);
