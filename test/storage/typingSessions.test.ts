/** Expired typing sessions are deleted in steps; those of a clock that was ahead end too. */

import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import { kyselyOverPostgres, openPool } from "../../src/database/postgres/connect.ts";
import { CLOCK_JUMP_GRACE_MS, lapsedQueries, SESSION_RETENTION_MS } from "../../src/database/retention.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { ROWS_PER_STEP } from "../../src/database/sweeping.ts";
import type { CallRequest } from "../../src/metering/store.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, outcomes, StoreFixture } from "../kit/stores/fixture.ts";

const NOON = "2026-03-15T12:00:00.000Z";
const DAY_MS = 86_400_000;
const MANY = ROWS_PER_STEP + 200;

const typed = (keyId: string, session: string): CallRequest => ({ ...call(keyId, 1), session });
const typists = (keyId: string) => Array.from({ length: MANY }, (_, index) => typed(keyId, `s${index}`));

afterEach(() => {
  vi.useRealTimers();
});

it("expired typing sessions on the embedded state are deleted in steps, and not soon after the clock jumped ahead", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  let folder = "";
  const fixture = new StoreFixture((options) => {
    const cell = new Float64Array(options.clock);
    folder = options.folder;
    return openSqliteState({ path: statePath(folder), tiers: options.tiers, now: () => cell[0] ?? 0 });
  }, NOON);
  afterFile(() => fixture.close());
  const store = await fixture.connect();
  const { accountId, keyIds } = await fixture.addAccount(store, "endless");
  const [key = ""] = keyIds;
  /** Advances both clocks. */
  const pass = (ms: number) => {
    fixture.nowMs += ms;
    vi.advanceTimersByTime(ms);
  };
  const storedCount = (table = "typing_sessions") => {
    const database = new DatabaseSync(statePath(folder), { readOnly: true });
    const row = database.prepare(`select count(*) as count from ${table}`).get();
    database.close();
    return row?.["count"];
  };
  const { deleteLapsed } = store.lapsed;
  await deleteLapsed();
  await store.metering.apply(typists(key));
  pass(SESSION_RETENTION_MS);
  expect([await deleteLapsed(), storedCount()]).toEqual([false, MANY]);
  pass(1);
  expect([await deleteLapsed(), storedCount()]).toEqual([true, MANY - ROWS_PER_STEP]);
  expect([await deleteLapsed(), storedCount()]).toEqual([false, 0]);

  await store.metering.apply([typed(key, "running")]);
  fixture.nowMs += DAY_MS;
  expect([await deleteLapsed(), storedCount()]).toEqual([false, 1]);
  pass(CLOCK_JUMP_GRACE_MS - 1);
  expect([await deleteLapsed(), storedCount()]).toEqual([false, 1]);
  pass(1);
  expect([await deleteLapsed(), storedCount()]).toEqual([false, 0]);

  await store.metering.apply([typed(key, "ahead")]);
  fixture.nowMs -= DAY_MS;
  await deleteLapsed();
  pass(SESSION_RETENTION_MS + 1);
  expect([await deleteLapsed(), storedCount()]).toEqual([false, 0]);

  // Reservations that were never settled are deleted too.
  const database = new DatabaseSync(statePath(folder));
  database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})
    insert into reservations (id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back, is_test)
    select 'r' || i, '${accountId}', '${key}', 'lookup', 1, 1, 5, 1, 0 from n`);
  database.close();
  expect([await deleteLapsed(), storedCount("reservations")]).toEqual([true, MANY - ROWS_PER_STEP]);
  expect([await deleteLapsed(), storedCount("reservations")]).toEqual([false, 0]);
});

it("expired typing sessions on PostgreSQL are deleted by its own clock or a test's, skipping locked ones", async () => {
  const server = await sharedPostgres();
  const url = await server.newDatabase("typing_over");
  const fixture = new StoreFixture((options) => openByClock(url, options), NOON);
  afterFile(() => fixture.close());
  const store = await fixture.connect();
  const { keyIds } = await fixture.addAccount(store, "endless");
  const [key = ""] = keyIds;
  await store.metering.apply(typists(key));
  fixture.nowMs += DAY_MS;
  await store.metering.apply([typed(key, "ahead")]);
  fixture.nowMs -= DAY_MS;

  const batch = new Client(url);
  await batch.connect();
  const db = kyselyOverPostgres(openPool({ url, maxConnections: 1 }));
  const count = async () => {
    const { rows } = await batch.query("select count(*)::integer as count from typing_sessions");
    return Number(rows[0]?.count);
  };
  const sweep = async (nowMs: number) => {
    const before = await count();
    const { deleteLapsed } = lapsedQueries(db, () => nowMs);
    await deleteLapsed();
    await deleteLapsed();
    return before - (await count());
  };
  expect(await sweep(fixture.nowMs)).toBe(0);
  expect(await outcomes(store.metering.apply([typed(key, "ahead")]))).toEqual(["granted 0"]);
  const later = fixture.nowMs + SESSION_RETENTION_MS;
  expect(await sweep(later)).toBe(0);
  await batch.query("begin");
  await batch.query("select * from typing_sessions where session in ('s1', 'ahead') for update");
  expect([await sweep(later + 1), await sweep(later + 1)]).toEqual([ROWS_PER_STEP, 199]);
  await batch.query("rollback");
  expect([await sweep(later + 1), await sweep(later + 1)]).toEqual([2, 0]);
  await Promise.all([db.destroy(), batch.end()]);
});
