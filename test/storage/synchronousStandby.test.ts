/** Synchronous replication: what no standby has is not confirmed, whatever happens to the connection or the server. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { StoreUnavailable } from "../../src/metering/store.ts";
import { openPostgresState } from "../../src/storage/postgres/postgresState.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import { afterFile } from "../kit/afterFile.ts";
import { startPostgres } from "../kit/postgres.ts";
import { call, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";

const WAITS_FOR_STANDBY = "select pid from pg_stat_activity where wait_event = 'SyncRep'";

/** Four that may be left, and those that were under way when the fourth was. */
const MAX_SESSIONS_LEFT = 6;

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

/** Has every commit wait for a standby of this name; `''` for none. */
async function requireStandby(name: string): Promise<void> {
  await operator.query(`alter system set synchronous_standby_names = '${name}'`);
  await operator.query("select pg_reload_conf()");
  await until("the server has read its settings", async () => {
    const { rows } = await operator.query("show synchronous_standby_names");
    return rows[0]?.synchronous_standby_names === name;
  });
}

async function newKey(): Promise<{ accountId: string; key: string }> {
  const { accountId, keyIds } = await fixture.addAccount(store, "wide");
  const [key = ""] = keyIds;
  return { accountId, key };
}

it("a batch is not confirmed while its standby is away", async () => {
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
  // Cut each connection that waits for the standby: its commit is then visible to others.
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
  // The charge is there once or was never made: nobody was answered.
  expect([2, 7]).toContain((await store.ledger.spent(accountId))?.used);
});

it("commits that are not confirmed leave a bounded number of sessions, and service comes back with the standby", async () => {
  const made: { accountId: string; key: string }[] = [];
  for (let charges = 0; charges < 8; charges++) made.push(await newKey());
  await requireStandby("a_standby_that_is_away");
  let refused = "";
  let most = 0;
  // Each charge may leave two sessions behind: its commit, and the question what became of it.
  for (const { key } of made) {
    const charge = outcomes(store.metering.apply([call(key, 1)]));
    const error: unknown = await charge.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    refused = String(error);
    const { rows } = await operator.query(WAITS_FOR_STANDBY);
    most = Math.max(most, rows.length);
  }
  expect(refused).toContain("does not confirm them");
  expect(most).toBeLessThanOrEqual(MAX_SESSIONS_LEFT);

  await requireStandby("");
  await until("the sessions that were left behind have ended", async () => {
    const { rows } = await operator.query(WAITS_FOR_STANDBY);
    return rows.length === 0;
  });
  for (const { accountId, key } of made) {
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
    expect([1, 2]).toContain((await store.ledger.spent(accountId))?.used);
  }
});
