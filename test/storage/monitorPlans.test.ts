/** Queries of monitors find their rows by index, however many monitors, changes and events there are. */

import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { monitorNoticeQueries } from "../../src/accounts/queries/monitorNotices.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import { migrate } from "../../src/database/migrate.ts";
import { kyselyOverSqlite, runSql, type SqlRequest, sqliteKysely } from "../../src/database/sqlite/driver.ts";
import { suppressionQueries } from "../../src/lookup/suppression/queries.ts";
import { EVENT_ACCOUNTS, PENDING } from "../../src/monitors/batchEvents.ts";
import { endMonitors } from "../../src/monitors/queries/hiding.ts";
import { monitorQueries } from "../../src/monitors/queries.ts";
import { webhookQueries } from "../../src/webhooks/queries.ts";
import { afterFile } from "../kit/afterFile.ts";
import { TIERS } from "../kit/stores/fixture.ts";
import { baseline, newCompanies, newMonitorId, observed } from "../kit/stores/monitorFixture.ts";

const NOW_MS = Date.UTC(2026, 4, 5, 12);
const OWNER = { accountId: "acc", keyId: "key" };
const URL = "https://example.test/hook";
/** Tables with a row per monitor, change, event, message or company. */
const LARGE =
  /^SCAN (monitors|pending_changes|p|events|monitor_baselines|insolvencies|webhook_messages|w|live_companies|shown_companies|b|l|m|n|f)\b/;

it("finds every row by index", async () => {
  const database = new DatabaseSync(":memory:");
  afterFile(() => database.close());
  await migrate(kyselyOverSqlite(database), { isInTransaction: false });
  database.exec(`insert into accounts (id, email, tier, suspended, created_at) values ('acc', 'a@fabel.example', 'two', 0, '');
    insert into webhook_secrets (account_id, seed, made_at_ms) values ('acc', 'seed', 0)`);
  const seen: SqlRequest[] = [];
  const db = sqliteKysely(async (request) => {
    seen.push(request);
    return runSql(database, request);
  });
  const now = () => NOW_MS;
  const store = monitorQueries(db, now);
  const numbers = newCompanies(3);
  const ids = numbers.map(newMonitorId);
  const [first = "" as KvkNumber] = numbers;
  const first1 = numbers.map((kvkNumber) => baseline(kvkNumber, { asOfMs: 1, serialMs: 1 }));
  await store.addMonitors(OWNER, numbers, ids, { webhook: URL }, first1, 10);
  await store.addMonitors(OWNER, numbers, ids, { metadata: { a: "b" } }, first1, 10);
  await store.changeMonitor(OWNER, ids[0] ?? "", { webhook: URL });
  await store.monitors(OWNER, "1.a", 10);
  await store.monitorAccount(OWNER);
  await store.setMonitorAccount("acc", { maxTokens: 1 });
  await store.markEventsRead("acc");
  await store.recordObservations(numbers.map((kvkNumber) => observed(kvkNumber, 1)));
  await store.recordObservations([{ ...observed(first, 2, ["company.moved"]), hidesAddress: true }]);
  await store.addTestEvent(OWNER, { id: "evt_1", monitorId: ids[0] ?? "" });
  await store.dueAccounts(10, 10);
  await store.postponeAccount(OWNER, 1, true);
  await store.showCompanies("acc", numbers, 2);
  await store.liveFigures();
  await store.events(OWNER, 0, 10, {});
  await store.events(OWNER, 0, 10, { kvkNumber: first, type: "company.moved" });
  await store.event(OWNER, "evt_1");
  await store.redeliver(OWNER, "evt_1");
  await store.webhookStatuses("acc");
  await store.monitoredCompanies(first, 10);
  await store.monitoredAmong(numbers);
  await store.answeredMonitored(1, 10);
  await store.openDataDue(NOW_MS, 10);
  await store.storeInsolvency(first, { observedAtMs: 1 });
  await store.insolvencies(numbers);
  await store.alignMonitors(TIERS);
  await store.sweepMonitors(1);
  await monitorNoticeQueries(db, now).disabledWebhooks(10);
  await monitorNoticeQueries(db, now).dueDigests(10);
  await monitorNoticeQueries(db, now).waitingChanges(10);
  const messages = webhookQueries(db, now);
  await messages.claimMessage(1);
  await store.countMonitors(OWNER);
  await messages.deferMessage("evt_1", 0, 1, "down");
  await messages.deferMessage("evt_1", 0, 1, "it answered 503", { pauseMs: 1 });
  await messages.deferMessage("evt_1", 0, 1, "it answered 410", "gone");
  await store.changeMonitor(OWNER, ids[2] ?? "", { webhook: null });
  await messages.endMessage("evt_1", 0);
  await suppressionQueries(db, now, endMonitors).forget({
    kvkNumber: first,
    vatNumbers: [],
    forgottenAtMs: NOW_MS,
  });
  await store.removeMonitor(OWNER, ids[1] ?? "");
  for (const { sqlite } of [PENDING, EVENT_ACCOUNTS]) seen.push({ sql: sqlite, parameters: ["[]"] });

  const queries = new Map(seen.map(({ sql, parameters }) => [sql, parameters]));
  const scans = [...queries].flatMap(([sql, parameters]) => {
    if (!/^\s*(with|select|insert|update|delete)\b/i.test(sql)) return [];
    const values = parameters.map((value) => (typeof value === "number" ? value : String(value)));
    const plan = database.prepare(`explain query plan ${sql}`).all(...values);
    return plan.flatMap(({ detail }) => (LARGE.test(String(detail)) ? [`${detail}: ${sql}`] : []));
  });
  expect(queries.size).toBeGreaterThan(60);
  // The next message: by account and by address, each exactly, so that it reads one message of each.
  const turns = [...queries.keys()].find((sql) => sql.includes("recursive turns")) ?? "";
  const plan = database.prepare(`explain query plan ${turns}`).all(
    ...Array(20)
      .fill(1)
      .slice(0, turns.split("?").length - 1),
  );
  const byAddress = plan
    .map(({ detail }) => String(detail))
    .filter((detail) => detail.includes("webhook_messages_by_address"));
  const ofAccount = "SEARCH n USING INDEX webhook_messages_by_address (account_id=? AND url>?)";
  const ofNext = "SEARCH n USING INDEX webhook_messages_by_address (account_id>?)";
  expect(byAddress).toEqual([ofNext, ofAccount, ofNext]);
  expect(scans).toEqual([]);
});
