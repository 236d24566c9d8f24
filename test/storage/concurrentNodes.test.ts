/**
 * Concurrent changes by two nodes on one PostgreSQL: the test holds row locks as one node does, until the other waits
 * for them.
 */
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { STEP_BOUNDS } from "../../src/database/sweeping.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { StoreFixture } from "../kit/stores/fixture.ts";
import { begun, newOwner, TERMS } from "../kit/stores/listFixture.ts";
import { until } from "../kit/until.ts";

const NOON = "2026-03-15T12:00:00.000Z";

const server = await sharedPostgres();

/** A node's open state, and a connection that locks rows in it. */
async function open(name: string) {
  const url = await server.newDatabase(name);
  const fixture = new StoreFixture((options) => openByClock(url, options), NOON);
  afterFile(() => fixture.close());
  const store = await fixture.connect();
  const [holder, looker] = [new Client(url), new Client(url)];
  for (const client of [holder, looker]) {
    await client.connect();
    afterFile(() => client.end());
  }
  const rows = async (text: string) => (await looker.query(text)).rows;
  const waiting = (count: number) =>
    until(`${count} sessions wait for a lock`, async () => {
      const those = await rows(`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return those.length === count;
    });
  return { fixture, store, holder, rows, waiting };
}

it("a finished list is shown until nothing is left of it, also after waiting for another node's step", async () => {
  const { fixture, store, holder, rows, waiting } = await open("meeting_sweeps");
  const owner = await newOwner(fixture, store);
  const { id } = await begun(store, owner, 10);
  await holder.query(
    `insert into job_results select $1, $2, step, 'x', 1, 1, '1 1'
     from generate_series(1, ${STEP_BOUNDS.rows + 50}) step`,
    [id, owner.accountId],
  );
  await holder.query(
    "update jobs set status = 'completed', ended_at_ms = $2, due_at_ms = null where id = $1",
    [id, fixture.nowMs],
  );
  await holder.query("delete from job_blocks");
  fixture.nowMs += TERMS.resultsMs;
  await holder.query("begin");
  await holder.query("delete from job_results where job_id = $1 and step <= $2", [id, STEP_BOUNDS.rows]);
  const swept = store.jobs.sweepLists(TERMS);
  await waiting(1);
  await holder.query("commit");
  expect(await swept).toBe(true);
  while (await store.jobs.sweepLists(TERMS));
  expect(await rows("select step from job_results")).toEqual([]);
  expect(await rows("select id from jobs")).toEqual([]);
});

it("a deleted account's stored responses stay until nothing is left of them, also after waiting for another node's step", async () => {
  const { fixture, store, holder, rows, waiting } = await open("meeting_deletions");
  const { accountId } = await newOwner(fixture, store);
  await holder.query("insert into owners values ($1, $1)", [accountId]);
  await holder.query(
    `insert into stored_responses select $1, lpad(nth::text, 4, '0'), 'h', $2, 200, '[]', '='
     from generate_series(1, ${STEP_BOUNDS.rows + 50}) nth`,
    [accountId, fixture.nowMs + 3_600_000],
  );
  expect(await store.people.deleteAccount(accountId, "hash", 0)).toBe(true);
  await holder.query("begin");
  await holder.query("delete from stored_responses where id <= lpad($1::text, 4, '0')", [STEP_BOUNDS.rows]);
  const swept = store.people.sweepDeleted();
  await waiting(1);
  await holder.query("commit");
  expect(await swept).toBe(true);
  while (await store.people.sweepDeleted());
  expect(await rows("select id from stored_responses")).toEqual([]);
  expect(await rows("select id from owners")).toEqual([]);
});

it("a deletion continues after another node took a step of a list", async () => {
  const { fixture, store, holder, rows, waiting } = await open("meeting_steps");
  const { accountId } = await newOwner(fixture, store);
  await holder.query("insert into owners values ($1, $1)", [accountId]);
  await holder.query(
    `insert into job_results select 'job_gone', $1, step, 'x', 1, 1, '1 1'
     from generate_series(1, ${STEP_BOUNDS.rows + 50}) step`,
    [accountId],
  );
  expect(await store.people.deleteAccount(accountId, "hash", 0)).toBe(true);
  await holder.query("begin");
  await holder.query("delete from job_results where step <= $1", [STEP_BOUNDS.rows]);
  const swept = store.people.sweepDeleted();
  await waiting(1);
  await holder.query("commit");
  expect(await swept).toBe(true);
  while (await store.people.sweepDeleted());
  expect(await rows("select step from job_results")).toEqual([]);
});

describe("a change of address", () => {
  /** A mail whose link another node has claimed and not yet sent, and the concurrent change. */
  async function meeting(name: string, kind: "reset" | "email") {
    const { fixture, store, holder, ...rest } = await open(name);
    const { accountId } = await fixture.addAccount(store, "wide");
    const email = "new@example.test";
    const order = { id: "mail_1", accountId, language: "nl" } as const;
    await store.people.addMail(kind === "email" ? { ...order, kind, email } : { ...order, kind }, "hash", {
      maxWaiting: 10,
      maxToOneAddress: 10,
    });
    const { nowMs } = fixture;
    const token = { expiresAtMs: nowMs + 60_000, accountId, email, purpose: "email" } as const;
    await store.people.addToken({ ...token, hash: "sent" });
    await holder.query("begin");
    await holder.query("update waiting_mails set claims = claims + 1 where id = 'mail_1'");
    const hashes = { emailHash: "new", oldHash: "old", tokenHash: "sent" };
    const changed = store.people.changeEmail(accountId, { email, ...hashes, nowMs });
    // Awaited later than it may reject.
    changed.catch(() => {});
    await rest.waiting(1);
    const addLink = () =>
      holder.query(
        "insert into one_time_tokens (hash, purpose, expires_at_ms, account_id) values ('link', $1, $2, $3)",
        [kind, token.expiresAtMs, accountId],
      );
    return { ...rest, holder, changed, addLink };
  }

  it("waits for a mail that is being claimed, and voids its link", async () => {
    const { holder, rows, changed, addLink } = await meeting("meeting_mails", "reset");
    await addLink();
    await holder.query("commit");
    expect(await changed).toBe("changed");
    expect(await rows("select hash from one_time_tokens union all select id from waiting_mails")).toEqual([]);
  });

  it("is refused by a link that is being replaced at that moment", async () => {
    const { holder, rows, changed, addLink } = await meeting("meeting_links", "email");
    await holder.query("delete from one_time_tokens where hash = 'sent'");
    await addLink();
    await holder.query("commit");
    expect(await changed).toBe("refused");
    expect(await rows("select hash from one_time_tokens")).toEqual([{ hash: "link" }]);
  });
});

it("exactly one of two webhook secrets created concurrently is the current one", async () => {
  const { fixture, store, holder, rows, waiting } = await open("meeting_secrets");
  const { accountId } = await fixture.addAccount(store, "wide");
  await store.webhooks.rollWebhookSecret(accountId, "before", 60_000);
  await holder.query("begin");
  await holder.query("select from webhook_secrets for update");
  const rolled = ["one", "other"].map((seed) => store.webhooks.rollWebhookSecret(accountId, seed, 60_000));
  await waiting(2);
  await holder.query("commit");
  await Promise.all(rolled);
  expect(await rows("select seed from webhook_secrets where ends_at_ms is null")).toHaveLength(1);
  expect(await rows("select seed from webhook_secrets")).toHaveLength(3);
});

it("a deleted account gets no webhook secret", async () => {
  const { store, rows } = await open("meeting_nobody");
  await expect(store.webhooks.rollWebhookSecret("acc_none", "seed", 60_000)).rejects.toThrow(/foreign key/);
  expect(await rows("select seed from webhook_secrets")).toEqual([]);
});

it("concurrent suppressions happen one after the other, also with a clock that is behind", async () => {
  const { store, holder, rows, waiting } = await open("meeting_forgotten");
  await holder.query("begin");
  await holder.query("insert into forgotten values ('60000001', '[]', 5000)");
  const company = { kvkNumber: "60000002", vatNumbers: [], forgottenAtMs: 3_000 };
  const forgotten = store.suppressed.forget(company);
  await Promise.race([forgotten, waiting(1)]);
  await holder.query("commit");
  await forgotten;
  expect(await rows("select forgotten_at_ms::int as at from forgotten order by kvk_number")).toEqual([
    { at: 5_000 },
    { at: 5_001 },
  ]);
});
