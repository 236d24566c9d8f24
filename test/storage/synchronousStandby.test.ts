/**
 * Synchronous replication: a commit without a standby's copy is not confirmed, whatever happens to the connection or
 * the server.
 */

import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { MAX_CONNECTIONS } from "../../src/database/postgres/connect.ts";
import { StoreUnavailable } from "../../src/lib/storeErrors.ts";
import { afterFile } from "../kit/afterFile.ts";
import { startPostgres } from "../kit/postgres.ts";
import { call, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";

const WAITS_FOR_STANDBY = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
const SESSIONS =
  "select count(*)::integer as count from pg_stat_activity where application_name like 'opzoek%' and backend_type = 'client backend'";

let store: StateStore;
let fixture: StoreFixture;
/** Never waits for a standby itself. */
let operator: Client;

beforeAll(async () => {
  const server = await startPostgres();
  const url = await server.database("replicated");
  operator = new Client({ connectionString: url, options: "-c synchronous_commit=local" });
  await operator.connect();
  afterFile(() => operator.end());
  store = await openPostgresState({ url, tiers: TIERS });
  afterFile(() => store.close());
  fixture = new StoreFixture(async () => store, "2026-05-05T12:00:00.000Z");
});
afterAll(() => requireStandby(""));

/** Makes every commit wait for a standby with this name; `''` for none. */
async function requireStandby(name: string): Promise<void> {
  await operator.query(`alter system set synchronous_standby_names = '${name}'`);
  await operator.query("select pg_reload_conf()");
  await until("the server has reloaded its settings", async () => {
    const { rows } = await operator.query("show synchronous_standby_names");
    return rows[0]?.synchronous_standby_names === name;
  });
}

async function newKey(): Promise<{ accountId: string; key: string }> {
  const { accountId, keyIds } = await fixture.addAccount(store, "wide");
  const [key = ""] = keyIds;
  return { accountId, key };
}

it("a batch is not confirmed while its standby is down", async () => {
  const { accountId, key } = await newKey();
  await store.metering.apply([call(key, 1)]);

  await requireStandby("a_standby_that_is_away");
  let result: { done: readonly string[] } | { error: unknown } | undefined;
  const charged = outcomes(store.metering.apply([call(key, 5)])).then(
    (done) => {
      result = { done };
    },
    (error: unknown) => {
      result = { error };
    },
  );
  // Cut each connection that waits for the standby: its commit then becomes visible to others.
  let cut = 0;
  await until("the charge has ended", async () => {
    const { rows } = await operator.query<{ pid: number }>(WAITS_FOR_STANDBY);
    for (const { pid } of rows) await operator.query("select pg_terminate_backend($1)", [pid]);
    cut += rows.length;
    return result !== undefined;
  });
  await charged;
  expect(cut).toBeGreaterThan(0);
  expect(result).toEqual({ error: expect.any(StoreUnavailable) });

  await requireStandby("");
  expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
  // The charge happened once or not at all: no caller got a response.
  expect([2, 7]).toContain((await store.ledger.spent(accountId))?.used);
});

thoroughIt(
  "sessions whose commit no standby confirms do not accumulate, and end when it returns",
  async () => {
    // A separate account each, so that none waits for another's lock.
    const accounts = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, newKey));
    const setTier = ({ accountId }: { accountId: string }) => store.accounts.setTier(accountId, "wide");
    await requireStandby("a_standby_that_is_away");
    const most = { sessions: 0 };
    let failures = 0;
    const writers = accounts.map(async (account) => {
      while (failures < 3 * MAX_CONNECTIONS) await setTier(account).catch(() => failures++);
    });
    const written = Promise.all(writers);
    await until("each connection was abandoned several times", async () => {
      const { rows } = await operator.query<{ count: number }>(SESSIONS);
      most.sessions = Math.max(most.sessions, rows[0]?.count ?? 0);
      return failures >= 3 * MAX_CONNECTIONS;
    });
    await requireStandby("");
    await written;
    expect(most.sessions).toBeGreaterThan(1);
    expect(most.sessions).toBeLessThanOrEqual(MAX_CONNECTIONS);
    expect(await Promise.all(accounts.map(setTier))).toEqual(accounts.map(() => true));
  },
  60_000,
);
