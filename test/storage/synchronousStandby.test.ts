/** Synchronous replication: what no standby has is not confirmed, whatever happens to the connection or the server. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { StoreUnavailable } from "../../src/metering/store.ts";
import { openPostgresState, type PostgresState } from "../../src/storage/postgres/postgresState.ts";
import { afterFile } from "../kit/afterFile.ts";
import { startPostgres } from "../kit/postgres.ts";
import { call, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";

const WAITS_FOR_STANDBY = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
/** Each way in which a batch is charged. */
const WAYS = ["decided by the node", "granted by the database", "charged to tabs"] as const;

let store: PostgresState;
let fixture: StoreFixture<PostgresState>;
/** Never waits for a standby itself. */
let operator: Client;

beforeAll(async () => {
  const server = await startPostgres();
  const url = await server.database("replicated");
  operator = new Client({ connectionString: url, options: "-c synchronous_commit=local" });
  await operator.connect();
  afterFile(() => operator.end());
  store = await openPostgresState({ url, tiers: TIERS, batchesBeforeTab: 0 });
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

it.each(WAYS)("a batch %s is not confirmed while its standby is away", async (way) => {
  const { accountId, key } = await newKey();
  const charge = async (): Promise<readonly string[]> => {
    if (way === "decided by the node") return outcomes(store.metering.apply([call(key, 5)]));
    const granted = await store.metering.grant([call(key, 5)]);
    return granted.map((decision) => decision?.outcome ?? "left to the node");
  };
  // The first opens the account's tab; of the next, the database grants what it can.
  const before = way === "charged to tabs" ? 2 : 1;
  for (let batch = 0; batch < before; batch++) await store.metering.apply([call(key, 1)]);

  await requireStandby("a_standby_that_is_away");
  let result: { done: readonly string[] } | { error: unknown } | undefined;
  const charged = charge().then(
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
  expect([before + 1, before + 6]).toContain((await store.ledger.spent(accountId))?.used);
});
