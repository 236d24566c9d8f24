/** `node bench/sizing.ts`: what a state weighs on either store, and what a charge writes; see sizing/README.md. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { BATCHES } from "../src/app/compose/app.ts";
import { openPostgresState } from "../src/storage/postgres/postgresState.ts";
import type { Tables } from "../src/storage/schema/tables.ts";
import { statePath } from "../src/storage/sqlite/statePath.ts";
import { openStateOnThread } from "../src/storage/thread/stateThread.ts";
import { startPostgres } from "./postgres.ts";
import { rowsOf } from "./sizing/rows.ts";
import { fill, type Weight, weightInPostgres, weightInSqlite } from "./sizing/weight.ts";
import { measureWrites, type Writes } from "./sizing/writes.ts";

const { values } = parseArgs({
  options: {
    accounts: { type: "string", default: "20000" },
    seconds: { type: "string", default: "10" },
    "at-once": { type: "string", default: "64" },
  },
});
const accounts = Number(values.accounts);
const seconds = Number(values.seconds);
const atOnce = Number(values["at-once"]);
const tiers = { starter: { monthlyTokens: 1_000_000_000, ratePerMinute: 1_000_000_000 } };
const MANY_KEYS = 10_000;

const folder = new URL("out", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const run = mkdtempSync(join(folder, "sizing-"));
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

say(`making ${accounts} accounts`);
const tables = rowsOf(accounts);
const keyIds = (tables.find(([name]) => name === "keys")?.[1] ?? []).map((row) => String(row["id"]));
const keySets = [keyIds.slice(0, 1), keyIds.slice(0, MANY_KEYS)];

interface Measured {
  readonly weights: ReadonlyMap<keyof Tables, Weight>;
  readonly writes: readonly Writes[];
  /** Of the tables that charges change, when the charging has ended. */
  readonly grown: ReadonlyMap<string, Weight>;
}
const CHANGED = ["accounts", "keys", "account_months", "ledger", "applied_batches"];

async function onSqlite(): Promise<Measured> {
  const path = statePath(run);
  await (await openStateOnThread({ path, tiers })).close();
  await fill({ path }, tables);
  const weights = new Map(tables.map(([name]) => [name, weightInSqlite(path, name)]));
  const state = await openStateOnThread({ path, tiers });
  const writes: Writes[] = [];
  for (const keys of keySets) {
    say(`embedded: charging ${keys.length} keys for ${seconds} s`);
    writes.push(
      await measureWrites(state.metering, keys, {
        batches: BATCHES.embedded,
        atOnce,
        seconds,
      }),
    );
  }
  await state.close();
  return { weights, writes, grown: new Map(CHANGED.map((name) => [name, weightInSqlite(path, name)])) };
}

async function onPostgres(): Promise<Measured> {
  const postgres = await startPostgres();
  const client = new Client({ connectionString: postgres.url });
  try {
    await client.connect();
    await (await openPostgresState({ url: postgres.url, tiers })).close();
    await fill({ url: postgres.url }, tables);
    await client.query("vacuum analyze");
    const weights = new Map<keyof Tables, Weight>();
    for (const [name] of tables) weights.set(name, await weightInPostgres(client, name));
    const state = await openPostgresState({ url: postgres.url, tiers });
    const writes: Writes[] = [];
    for (const keys of keySets) {
      say(`PostgreSQL: charging ${keys.length} keys for ${seconds} s`);
      await client.query("checkpoint");
      const database = { client, pid: postgres.pid };
      writes.push(
        await measureWrites(state.metering, keys, {
          batches: BATCHES.database,
          atOnce,
          seconds,
          database,
        }),
      );
    }
    await state.close();
    const grown = new Map<string, Weight>();
    for (const name of CHANGED) grown.set(name, await weightInPostgres(client, name));
    return { weights, writes, grown };
  } finally {
    await client.end();
    await postgres.stop();
  }
}

const bytes = (value: number) => Math.round(value).toLocaleString("en");
const total = (weight?: Weight) => (weight?.tableBytes ?? 0) + (weight?.indexBytes ?? 0);

function report(sqlite: Measured, postgres: Measured): string {
  const each = (weight: Weight | undefined, rows: number) =>
    weight === undefined ? "–" : `${bytes(total(weight) / rows)} (${bytes(weight.indexBytes / rows)})`;
  const weighed = tables.map(
    ([name, rows]) =>
      `| \`${name}\` | ${rows.length.toLocaleString("en")} | ${each(sqlite.weights.get(name), rows.length)} | ${each(postgres.weights.get(name), rows.length)} |`,
  );
  const written = [sqlite, postgres].flatMap(({ writes }, store) =>
    writes.map((one, index) =>
      [
        `| ${store === 0 ? "embedded" : "PostgreSQL"}, ${(keySets[index]?.length ?? 0).toLocaleString("en")} keys`,
        bytes(one.chargesPerSecond),
        bytes(one.commitsPerSecond),
        one.chargesPerCommit.toFixed(1),
        one.nodeCpuUs.toFixed(1),
        store === 0 ? "–" : one.databaseCpuUs.toFixed(1),
        bytes(one.bytesPerCharge),
        store === 0 ? "– |" : `${one.maxConnections} |`,
      ].join(" | "),
    ),
  );
  const grown = CHANGED.map((name) => {
    const before = postgres.weights.get(name as keyof Tables);
    return `| \`${name}\` | ${bytes(total(before))} | ${bytes(total(postgres.grown.get(name)))} |`;
  });
  return [
    `${process.version}, ${accounts.toLocaleString("en")} accounts, ${seconds} s of charging each, ${atOnce} charges under way`,
    "",
    "| bytes a row, all (of which indexes) | rows | embedded | PostgreSQL |",
    "|---|--:|--:|--:|",
    ...weighed,
    "",
    "| charging | charges/s | commits/s | charges a commit | node's processor, µs a charge | database's, µs a charge | bytes written a charge | connections |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...written,
    "",
    "| PostgreSQL, bytes | before | after the charging |",
    "|---|--:|--:|",
    ...grown,
  ].join("\n");
}

try {
  process.stdout.write(`${report(await onSqlite(), await onPostgres())}\n`);
} finally {
  rmSync(run, { recursive: true, force: true });
}
