/** Several nodes on one PostgreSQL: their common guarantees. */

import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import { StateRefused } from "../../src/database/stateErrors.ts";
import { Meter } from "../../src/metering/meter.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, decisions, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const NODES = 4;
const ASKS = 2_000;

const DELETIONS_OF_PEOPLE_THAT_WAIT = `
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from "people"%'`;

const server = await sharedPostgres();

const tiers = {
  ...TIERS,
  "has-0": { monthlyTokens: 0, ratePerMinute: 1_000_000 },
  "has-1": { monthlyTokens: 1, ratePerMinute: 1_000_000 },
  "has-777": { monthlyTokens: 777, ratePerMinute: 1_000_000 },
};

function newStage(): StoreFixture {
  const fixture = new StoreFixture(
    async ({ folder, clock }) => openByClock(await server.databaseOf(folder), { tiers, clock }),
    NOW,
  );
  afterFile(() => fixture.close());
  return fixture;
}

/** A connection of the test. */
async function inDatabase<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const countOf = (all: readonly string[], outcome: string) => all.filter((each) => each === outcome).length;

describe("nodes that start concurrently", () => {
  it("create the tables of a new database once, and all serve", async () => {
    const fixture = newStage();
    const stores = await Promise.all(Array.from({ length: NODES }, () => fixture.connect()));
    const { keyIds } = await fixture.addAccount(stores[0] ?? (await fixture.connect()), "large");
    const [key = ""] = keyIds;
    const all = await Promise.all(stores.map((store) => outcomes(store.metering.apply([call(key, 1)]))));
    expect(all).toEqual(Array(NODES).fill(["granted 1"]));
  });

  it("refuse a database migrated by a newer version, and leave it unchanged", async () => {
    const url = await server.database("newer");
    await (await openPostgresState({ url, tiers })).close();
    const add = "insert into kysely_migration (name, timestamp) values ('9999_later', 'now')";
    await inDatabase(url, (client) => client.query(add));
    const refused: unknown = await openPostgresState({ url, tiers }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StateRefused);
    expect(String(refused)).toContain("newer version of opzoek (its last change is 9999_later");
  });

  it("refuse a wrong password in a line that does not repeat it", async () => {
    const url = new URL(await server.database("closed"));
    url.password = "tr0ub4dor";
    const refused: unknown = await openPostgresState({ url: url.href, tiers }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(StateRefused);
    expect(String(refused)).toContain("password authentication failed");
    expect(String(refused)).not.toContain("tr0ub4dor");
  });
});

describe("two nodes", () => {
  it.each([0, 1, 777])(
    `deliver exactly %i of ${ASKS} parallel calls with that many tokens left`,
    async (k) => {
      const fixture = newStage();
      const stores = [await fixture.connect(), await fixture.connect()];
      const { accountId, keyIds } = await fixture.addAccount(
        stores[0] ?? (await fixture.connect()),
        `has-${k}`,
        3,
      );
      const meters = stores.map((store) => new Meter(store.metering, { batchesAtOnce: 2 }));
      const pending = Array.from({ length: ASKS }, async (_, index) => {
        const decision = await meters[index % 2]?.decide(call(keyIds[index % 3] ?? "", 1));
        return decision?.outcome ?? "unasked";
      });
      const all = await Promise.all(pending);
      for (const meter of meters) await meter.close();
      expect([countOf(all, "granted"), countOf(all, "quota")]).toEqual([k, ASKS - k]);
      const [store] = stores;
      const lines = (await store?.ledger.lines(accountId, "2026-05-01", "2026-05-31")) ?? [];
      expect(lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(k);
      expect(lines.reduce((sum, { requests }) => sum + requests, 0)).toBe(ASKS);
      expect((await store?.ledger.spent(accountId))?.used ?? 0).toBe(k);
    },
  );

  it("allow exactly a key's rate in each minute", async () => {
    const fixture = newStage();
    const [one, other] = [await fixture.connect(), await fixture.connect()];
    const { keyIds } = await fixture.addAccount(one, "large", 2);
    for (let minute = 0; minute < 3; minute++) {
      const pending = Array.from({ length: 60 }, (_, index) =>
        outcomes((index % 2 === 0 ? one : other).metering.apply(keyIds.map((keyId) => call(keyId, 0)))),
      );
      const all = await Promise.all(pending);
      for (const place of keyIds.keys()) {
        expect(
          countOf(
            all.map((outcome) => outcome[place] ?? ""),
            "granted 0",
          ),
        ).toBe(40);
      }
      fixture.nowMs += 60_000;
    }
  });

  it("agree on the first charges of new accounts", async () => {
    const fixture = newStage();
    const [one, other] = [await fixture.connect(), await fixture.connect()];
    const made = [];
    for (let index = 0; index < 10; index++) made.push(await fixture.addAccount(one, "wide"));
    const keyIds = made.map(({ keyIds: [key = ""] }) => key);
    const forward = keyIds.map((keyId) => call(keyId, 7));
    const back = [...forward].reverse();
    const pending = Array.from({ length: 20 }, (_, index) =>
      outcomes((index % 2 === 0 ? one : other).metering.apply(index % 4 < 2 ? forward : back)),
    );
    const all = (await Promise.all(pending)).flat();
    expect(countOf(all, "granted 7")).toBe(14 * made.length);
    for (const { accountId } of made) expect((await other.ledger.spent(accountId))?.used).toBe(98);
  });

  it("use the clock of the database", async () => {
    const url = await server.database("clock");
    const store = await openPostgresState({ url, tiers });
    afterFile(() => store.close());
    const fixture = new StoreFixture(async () => store, NOW);
    const { keyIds } = await fixture.addAccount(store, "large");
    const clock = () =>
      inDatabase(url, async (client) => {
        const { rows } = await client.query("select extract(epoch from clock_timestamp()) * 1000 as now_ms");
        return Math.floor(Number(rows[0].now_ms));
      });
    const beforeMs = await clock();
    const [decision] = await decisions(store.metering.apply([call(keyIds[0] ?? "", 1)]));
    const nowMs = decision?.outcome === "granted" ? decision.balance.nowMs : 0;
    expect(nowMs).toBeGreaterThanOrEqual(beforeMs);
    expect(nowMs).toBeLessThanOrEqual(await clock());
  });

  it("delete an account on one while the other writes the statistics of its last calls", async () => {
    const url = await server.database("deleted");
    const [one, other] = [await openPostgresState({ url, tiers }), await openPostgresState({ url, tiers })];
    afterFile(() => Promise.all([one.close(), other.close()]));
    const fixture = new StoreFixture(async () => one, NOW);
    const { accountId, keyIds } = await fixture.addAccount(one, "large");
    await one.people.setAdmin(accountId, false);
    await inDatabase(url, async (client) => {
      // A lock on the person delays a deletion that comes after the failed calls.
      await client.query(`begin; select from people where account_id = '${accountId}' for update`);
      const deleted = one.people.deleteAccount(accountId, "hash", 0);
      await until("the deletion waits for the person", async () => {
        const { rows } = await inDatabase(url, (asking) => asking.query(DELETIONS_OF_PEOPLE_THAT_WAIT));
        return rows.length === 1;
      });
      await other.calls.addFailedCalls([
        { keyId: keyIds[0] ?? "", day: "2026-05-05", operation: "lookup", byCaller: 1, byService: 0 },
      ]);
      await client.query("commit");
      expect(await deleted).toBe(true);
    });
    expect(await other.people.person(accountId)).toBeUndefined();
  });
});
