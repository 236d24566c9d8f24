/** Nodes of the previous version continue while a migration runs and afterwards, so a migration may only add. */
import { readFileSync } from "node:fs";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import type { Migration } from "kysely/migration";
import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "./all.ts";

const UPGRADE = readFileSync(new URL("../../../docs/backup-and-upgrade.md", import.meta.url), "utf8");
/** Creates every table of a new state. */
const BASELINE = "0001_baseline";

/** The statements that a migration sends to PostgreSQL. */
async function statementsOf({ up }: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(query.sql.replaceAll('"', "").replace(/\s+/g, " ").trim());
    },
  });
  await up(db);
  return statements;
}

const CREATES_TABLE = /^create table (\w+) /;
const CREATES_INDEX = /^create (unique )?index (if not exists )?\w+ on (\w+) /;
const ADDS_COLUMN = /^alter table (\w+) add column (\w+)[^,]+$/;
/** Changes how new rows are laid out on disk, without delaying readers or writers. */
const SETS_ROOM = /^alter table \w+ set \(fillfactor = \d+\)$/;
const WRITES_ROWS = /^(?:insert into|update) (\w+) /;

/**
 * Returns why a statement may disturb a running node: it removes something, forbids rows that older versions write, or
 * locks a table of other migrations for a time that grows with its rows. Undefined if it may not.
 */
function objectionTo(
  statement: string,
  { ownTables, ownColumns }: Readonly<Record<"ownTables" | "ownColumns", ReadonlySet<string>>>,
): string | undefined {
  const mayAlways = [CREATES_TABLE, SETS_ROOM];
  if (mayAlways.some((form) => form.test(statement))) return undefined;
  const [, unique, ifNotExists, indexed] = CREATES_INDEX.exec(statement) ?? [];
  if (indexed !== undefined) {
    if (ownTables.has(indexed)) return undefined;
    if (unique !== undefined) return "a unique index refuses rows that the version before writes";
    if (ifNotExists !== undefined) return undefined;
    // No row has a value yet, so the index stays empty: the table is only read.
    const [, column = ""] = / where (\w+) is not null$/.exec(statement) ?? [];
    if (ownColumns.has(`${indexed} ${column}`)) return undefined;
    return "an index of a table with rows says `if not exists`, so that it can be made concurrently before";
  }
  if (ADDS_COLUMN.test(statement)) {
    if (/ (check|unique|references|primary key)\b/.test(statement)) return "the version before may break it";
    if (/ not null\b/.test(statement) && !/ default /.test(statement))
      return "the version before leaves it empty";
    return undefined;
  }
  const [, written] = WRITES_ROWS.exec(statement) ?? [];
  if (written !== undefined && ownTables.has(written)) return undefined;
  return "it does more than add";
}

async function objectionsTo(migration: Migration): Promise<string[]> {
  const statements = await statementsOf(migration);
  const ownTables = new Set(statements.flatMap((statement) => CREATES_TABLE.exec(statement)?.[1] ?? []));
  const ownColumns = new Set(
    statements.flatMap((statement) => {
      const [, table, column] = ADDS_COLUMN.exec(statement) ?? [];
      return table === undefined ? [] : [`${table} ${column}`];
    }),
  );
  return statements.flatMap((statement) => {
    const objection = objectionTo(statement, { ownTables, ownColumns });
    return objection === undefined ? [] : [`${statement}: ${objection}`];
  });
}

describe("a migration only adds", () => {
  it.each(Object.entries(MIGRATIONS))("%s", async (_, migration) => {
    expect((await statementsOf(migration)).length).toBeGreaterThan(0);
    expect(await objectionsTo(migration)).toEqual([]);
  });

  it.each([
    "alter table keys add column scopes text",
    "alter table ledger add column errors bigint default 0 not null",
    "create index if not exists ledger_by_day on ledger (day)",
  ])("as this does: %s", async (statement) => {
    expect(
      await objectionsTo({
        up: (db) =>
          sql
            .raw(statement)
            .execute(db)
            .then(() => {}),
      }),
    ).toEqual([]);
  });

  it.each([
    "drop table probe",
    "create or replace trigger no_more before update on keys for each row execute function refuse()",
    "drop index keys_by_account",
    "alter table keys drop column prefix",
    "alter table keys rename column prefix to start",
    "alter table keys rename to api_keys",
    "alter table keys alter column prefix type integer",
    "alter table keys add column scopes text, drop column prefix",
    "alter table keys add column scopes text not null",
    "alter table keys add column owner text references accounts (id)",
    "alter table keys add column scopes text unique",
    "alter table keys add constraint named check (name <> '')",
    "create index ledger_by_day on ledger (day)",
    "create index ledger_by_day on ledger (day) where day is not null",
    "create unique index if not exists keys_by_name on keys (account_id, name)",
    "update ledger set tokens = 0",
    "insert into accounts values ('acc', 'e', 't', 0, 'now')",
    "delete from ledger",
    "truncate ledger",
  ])("as this does not: %s", async (statement) => {
    expect(
      await objectionsTo({
        up: (db) =>
          sql
            .raw(statement)
            .execute(db)
            .then(() => {}),
      }),
    ).toHaveLength(1);
  });
});

it("an index on a table with rows is listed among those to create before an upgrade, and no other is", async () => {
  const indexes: string[] = [];
  for (const [name, migration] of Object.entries(MIGRATIONS)) {
    if (name === BASELINE) continue;
    for (const statement of await statementsOf(migration)) {
      if (statement.startsWith("create index if not exists "))
        indexes.push(statement.replace("create index", ""));
    }
  }
  const block = /```sql\n((?:create index concurrently .*;\n)+)```/.exec(UPGRADE)?.[1] ?? "";
  const documented = block.split("\n").filter((line) => line !== "");
  expect(documented.sort()).toEqual(indexes.map((index) => `create index concurrently${index};`).sort());
});
