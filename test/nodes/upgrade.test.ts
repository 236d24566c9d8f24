/** Two versions of the program on one schema: running nodes continue while a later version changes the tables. */

import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { Client } from "pg";
import { beforeAll, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/database/migrations/all.ts";
import { upgradeTables } from "../../src/database/postgres/upgrade.ts";
import { StateRefused } from "../../src/database/stateErrors.ts";
import type { Answer, TestRequest } from "../kit/answer.ts";
import { chargedIn, expectRefusedForNothing } from "../kit/busyDatabase.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { spawnOpzoek } from "../kit/opzoek.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { type Nodes, startNodes } from "./nodes.ts";

const HELD_FOR_MS = 1_500;
const ANSWERS_AFTERWARDS = 200;
const LOOK_EVERY_MS = 20;
/** Calls wait at most two seconds for the database, part of which it may have used itself. */
const MAX_DELAY_MS = 500;

/** Everything that a migration may do, on the tables that every call uses, and in the opposite lock order. */
const LATER: Migration = {
  async up(db) {
    await db.schema
      .alterTable("ledger")
      .addColumn("errors", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("keys").addColumn("scopes", "text").execute();
    await sql`create index if not exists ledger_by_operation on ledger (operation)`.execute(db);
    await db.schema
      .alterTable("account_months")
      .addColumn("bought", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("accounts").addColumn("plan", "text").execute();
    await db.schema
      .createTable("webhooks")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
      .execute();
  },
};
const laterMigrations = { ...MIGRATIONS, "9000_later": LATER };

let nodes: Nodes;
let url: string;
beforeAll(async () => {
  nodes = await startNodes();
  url = nodes.world.environment.DATABASE_URL ?? "";
});

interface Called {
  readonly answers: readonly Answer[];
  /** The longest delay of nodes or database for work that waits for no table, milliseconds. */
  readonly longestDelayMs: number;
}

/** Measures nodes and database with work that waits for no table. @returns the longest delay, milliseconds */
async function longestDelay(isOver: () => boolean): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  let longestMs = 0;
  while (!isOver()) {
    const startedMs = performance.now();
    await Promise.all([client.query("select 1"), ...nodes.all.map((node) => ask(node, { path: "/livez" }))]);
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    await wait(LOOK_EVERY_MS);
  }
  await client.end();
  return longestMs;
}

/** Calls all nodes during some work, and for a while afterwards. */
async function callDuring(key: string, work: () => Promise<void>): Promise<Called> {
  let isOver = false;
  let count = 0;
  const paths = [`/v1/lookup/${BAKERY}`, `/v1/lookup/${BAKERY}?enrich=true`, "/v1/usage"];
  function* calls(): Generator<TestRequest> {
    for (let index = 0; !isOver; index++) yield { path: paths[index % paths.length] ?? "", key };
  }
  const loaded = nodes.load(calls, { onAnswer: () => count++, pauseMs: 50 });
  const watched = longestDelay(() => isOver);
  const answered = (more: number) => {
    const target = count + more;
    return until("calls are answered", () => count >= target);
  };
  try {
    await answered(ANSWERS_AFTERWARDS);
    await work();
    await answered(ANSWERS_AFTERWARDS);
  } finally {
    isOver = true;
  }
  return { answers: await loaded, longestDelayMs: await watched };
}

/**
 * Every call succeeded and was charged; if the machine stalled nodes or database, it may have been refused free of
 * charge.
 */
async function expectAllPaid({ answers, longestDelayMs }: Called, key: string): Promise<void> {
  if (longestDelayMs < MAX_DELAY_MS) expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expectRefusedForNothing(answers);
  expect(await nodes.used(key)).toBe(chargedIn(answers));
}

/** A session with a long read transaction, as a backup has, which blocks changes to the table. */
async function longReader(): Promise<{ end(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  await client.query("begin isolation level repeatable read read only");
  await client.query("lock table ledger in access share mode");
  return { end: () => client.end() };
}

thoroughIt("a migration blocked by a backup is abandoned in time, and no call fails", async () => {
  const { key } = await nodes.world.account("plenty");
  const reader = await longReader();
  const called = await callDuring(key, async () => {
    const options = { mayUpgrade: true, migrations: laterMigrations, tryWithinMs: HELD_FOR_MS };
    const refused: unknown = await upgradeTables(url, options).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StateRefused);
    expect(String(refused)).toContain("another session has locked");
  });
  await reader.end();
  await expectAllPaid(called, key);
});

it("the migration runs when the backup has ended, while every call is answered and charged", async () => {
  const { key } = await nodes.world.account("plenty");
  const reader = await longReader();
  const called = await callDuring(key, async () => {
    const changed = upgradeTables(url, { mayUpgrade: true, migrations: laterMigrations });
    await wait(HELD_FOR_MS);
    await reader.end();
    await changed;
  });
  await expectAllPaid(called, key);
});

thoroughIt(
  "nodes of the version before refuse to start on the changed tables; those that run end as ever",
  async () => {
    const { code, err } = await spawnOpzoek(["serve"], nodes.world.environment);
    expect(code).toBe(1);
    expect(err).toContain(
      "the state was written by a newer version of opzoek (its last change is 9000_later",
    );
    for (const node of nodes.all) {
      expect((await ask(node, { path: "/v1/health" })).status).toBe(200);
      expect(await node.end("SIGTERM")).toBe(0);
    }
  },
);
