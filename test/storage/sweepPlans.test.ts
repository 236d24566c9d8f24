/**
 * A step of a sweep changes at most its number of rows, even if PostgreSQL's plan repeats the subquery for each row.
 */

import { Client } from "pg";
import { expect, it } from "vitest";
import { kyselyOverPostgres, openPool } from "../../src/database/postgres/connect.ts";
import { lapsedQueries, SESSION_RETENTION_MS } from "../../src/database/retention.ts";
import { changeSome, ROWS_PER_STEP } from "../../src/database/sweeping.ts";
import { expiredResponses } from "../../src/metering/queries/storedResponses.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, StoreFixture } from "../kit/stores/fixture.ts";

const NOON = "2026-03-15T12:00:00.000Z";
const DAY_MS = 86_400_000;
const OTHER_PLANS = [
  "hashjoin",
  "mergejoin",
  "hashagg",
  "sort",
  "indexscan",
  "bitmapscan",
  "material",
  "memoize",
];

const server = await sharedPostgres();

/** A state on a database that only plans nested loops, a connection to it, and an account's key. */
async function openNested(name: string) {
  const url = await server.newDatabase(name);
  const client = new Client(url);
  await client.connect();
  const database = new URL(url).pathname.slice(1);
  for (const plan of OTHER_PLANS) await client.query(`alter database "${database}" set enable_${plan} = off`);
  await client.end();
  const fixture = new StoreFixture((options) => openByClock(url, options), NOON);
  afterFile(() => fixture.close());
  const store = await fixture.connect();
  const sweeper = new Client(url);
  await sweeper.connect();
  afterFile(() => sweeper.end());
  const { keyIds } = await fixture.addAccount(store, "endless");
  const db = kyselyOverPostgres(openPool({ url, maxConnections: 1 }));
  afterFile(() => db.destroy());
  const count = async (rows: string) => {
    const { rows: counted } = await sweeper.query(`select count(*)::integer as count from ${rows}`);
    return Number(counted[0]?.count);
  };
  /** Deletes some rows. Nothing is deleted at the first call. */
  const deleteLapsed = async (nowMs: number) => {
    const lapsed = lapsedQueries(db, () => nowMs);
    await lapsed.deleteLapsed();
    await lapsed.deleteLapsed();
  };
  return { fixture, store, sweeper, db, deleteLapsed, count, key: keyIds[0] ?? "" };
}

it("a sweep of expired stored responses changes at most the given rows", async () => {
  const { fixture, store, db, key } = await openNested("plans_of_kept");
  const response = { status: 200, text: "={}", numbers: [], lifetimeMs: DAY_MS };
  await store.metering.apply(
    ["a", "b", "c", "d", "e"].map((id) => ({
      ...call(key, 1),
      idempotency: { id, requestHash: "one", response },
    })),
  );
  const [responses] = expiredResponses(fixture.nowMs + DAY_MS);
  const sweep = () => responses && changeSome(db, responses, 2);
  expect([await sweep(), await sweep(), await sweep(), await sweep()]).toEqual([2, 2, 1, 0]);
});

it("a sweep of typing sessions that expired, or were begun by a wrong clock, changes at most the given rows", async () => {
  const { fixture, store, deleteLapsed, count, key } = await openNested("plans_of_sessions");
  const many = Array.from({ length: ROWS_PER_STEP + 5 }, (_, index) => ({
    ...call(key, 1),
    session: `s${index}`,
  }));
  await store.metering.apply(many);
  const aheadMs = fixture.nowMs - DAY_MS;
  const ahead = () => count(`typing_sessions where began_at_ms > ${aheadMs}`);
  const rewound: number[] = [];
  for (let step = 0; step < 3; step++) {
    const before = await ahead();
    await deleteLapsed(aheadMs);
    rewound.push(before - (await ahead()));
  }
  expect(rewound).toEqual([ROWS_PER_STEP, 5, 0]);
  const deleted: number[] = [];
  for (let step = 0; step < 3; step++) {
    const before = await count("typing_sessions");
    await deleteLapsed(fixture.nowMs + SESSION_RETENTION_MS);
    deleted.push(before - (await count("typing_sessions")));
  }
  expect(deleted).toEqual([ROWS_PER_STEP, 5, 0]);
});

it("a sweep of expired reservations, and of batch ids, changes at most the given rows", async () => {
  const { fixture, sweeper, deleteLapsed, count } = await openNested("plans_of_lapsed");
  const rows = `from generate_series(1, ${ROWS_PER_STEP + 5}) as n(i)`;
  await sweeper.query(`insert into reservations (id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back, is_test)
    select 'r' || i, accounts.id, 'k', 'lookup', 1, 1, 5, 0, 0 ${rows}, accounts`);
  await sweeper.query(`insert into applied_batches (id, is_void, noted_at_ms) select 'b' || i, 0, 5 ${rows}`);
  const left = async () =>
    (await count("reservations")) + (await count("applied_batches where noted_at_ms = 5"));
  const deleted: number[] = [];
  for (let step = 0; step < 4; step++) {
    const before = await left();
    await deleteLapsed(fixture.nowMs);
    deleted.push(before - (await left()));
  }
  expect(deleted).toEqual([ROWS_PER_STEP, ROWS_PER_STEP, 10, 0]);
});
