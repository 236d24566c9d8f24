/** The metrics of waiting work read a bounded number of rows, however much waits. */
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { waitingQueries } from "../../src/app/state/waiting.ts";
import { migrate } from "../../src/database/migrate.ts";
import { kyselyOverSqlite, runSql, sqliteKysely } from "../../src/database/sqlite/driver.ts";
import { afterFile } from "../kit/afterFile.ts";

const NOW_MS = Date.UTC(2026, 4, 5, 12);
/** Tables with a row per monitor, change, message or list. */
const LARGE = /^SCAN (monitors|pending_changes|webhook_messages|jobs|served|claimed|m)\b/;

it("counts up to 10,000 and reads the 1,000 messages that are due first, by index", async () => {
  const database = new DatabaseSync(":memory:");
  afterFile(() => database.close());
  await migrate(kyselyOverSqlite(database), { isInTransaction: false });
  database.exec(`insert into accounts (id, email, tier, suspended, created_at) values ('acc', 'a@fabel.example', 'two', 0, '');
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 29999)
    insert into webhook_messages (id, account_id, url, payload, due_at_ms, drop_at_ms, failures, claims)
    select 'evt_' || n, 'acc', 'https://' || (n % 3000) || '.example/hook', '{}', n, ${NOW_MS} + 1000000 - n, 1, 0 from numbers`);
  const scans: string[] = [];
  const db = sqliteKysely(async (request) => {
    const parameters = request.parameters.map((value) => (typeof value === "number" ? value : String(value)));
    const plan = database.prepare(`explain query plan ${request.sql}`).all(...parameters);
    scans.push(
      ...plan.flatMap(({ detail }) => (LARGE.test(String(detail)) ? [`${detail}: ${request.sql}`] : [])),
    );
    return runSql(database, request);
  });
  const work = await waitingQueries(db, () => NOW_MS).waitingWork();
  expect(work).toMatchObject({
    opzoek_webhook_messages_waiting: 10_000,
    opzoek_webhook_hosts_failing: 1_000,
  });
  const unbounded = scans.filter((scan) => !/USING (COVERING )?INDEX.*(limit \?|where exists)/s.test(scan));
  expect(unbounded).toEqual([]);
});
