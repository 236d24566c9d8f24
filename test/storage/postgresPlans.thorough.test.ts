/** A node that began with a few accounts also serves thousands: its prepared statements are planned again. */
import { Client } from "pg";
import { expect, it } from "vitest";
import type { ChargeRequest } from "../../src/metering/store.ts";
import { startPostgres } from "../kit/postgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, decisions, StoreFixture } from "../kit/stores/fixture.ts";
import { until } from "../kit/until.ts";

const ACCOUNTS = 4_000;
const AT_ONCE = 50;
const BATCH = 64;
/** With an index a batch takes a few milliseconds; a scan of all accounts takes 150. */
const MAX_PLANNED_MS = 40;

// Autovacuum gathers statistics once a minute, after which statements are planned again: here it never does.
const server = await startPostgres(["-c", "autovacuum=off"]);
const url = await server.database("grown");

it("keys are found by index after accounts became many since the statements were planned", async () => {
  const fixture = new StoreFixture((options) => openByClock(url, options), "2026-04-15T12:00:30.000Z");
  const store = await fixture.connect();
  const { keyIds } = await fixture.addAccount(store, "endless");
  const [first = ""] = keyIds;
  const charge = (asks: readonly ChargeRequest[]) => decisions(store.metering.apply(asks));
  await charge([call(first, 1)]);
  await gatherStatistics();
  // Planned now, for tables of one row.
  await charge([call(first, 1)]);

  const grown: string[] = [];
  while (grown.length < ACCOUNTS) {
    const added = await Promise.all(
      Array.from({ length: AT_ONCE }, () => fixture.addAccount(store, "endless")),
    );
    grown.push(...added.flatMap((account) => account.keyIds));
  }
  let from = 0;
  await until("a batch of calls is charged by index", async () => {
    const asks = grown.slice(from, from + BATCH).map((keyId) => call(keyId, 1));
    from = (from + BATCH) % (ACCOUNTS - BATCH);
    const startedMs = performance.now();
    const decided = await charge(asks);
    const tookMs = performance.now() - startedMs;
    expect(decided.map(({ outcome }) => outcome)).toEqual(Array(BATCH).fill("granted"));
    return tookMs < MAX_PLANNED_MS;
  });
  await fixture.close();
});

async function gatherStatistics(): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("vacuum analyze");
  await client.end();
}
