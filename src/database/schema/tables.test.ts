import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrate } from "../migrate.ts";
import { kyselyOverSqlite } from "../sqlite/driver.ts";
import { ACCOUNT_TABLES, TABLES, TRANSFERRED_TABLES } from "./tables.ts";

async function newState(): Promise<DatabaseSync> {
  const database = new DatabaseSync(":memory:");
  await migrate(kyselyOverSqlite(database), { isInTransaction: false });
  return database;
}

it("describes every table as the migrations create it: columns, types and primary key", async () => {
  const database = await newState();
  const tables = await kyselyOverSqlite(database).introspection.getTables();
  expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(TABLES).sort());
  for (const [table, { columns, key }] of Object.entries(TABLES)) {
    const created = database.prepare("select name, type, pk from pragma_table_info(?)").all(table);
    const types = created.map(({ name, type }) => [name, String(type).toLowerCase()]).sort();
    expect([table, types]).toEqual([
      table,
      Object.entries(columns)
        .map(([name, { type }]) => [name, type])
        .sort(),
    ]);
    const keyed = created
      .filter(({ pk }) => Number(pk) > 0)
      .sort((one, other) => Number(one.pk) - Number(other.pk));
    expect([table, keyed.map(({ name }) => name)]).toEqual([table, key]);
  }
  database.close();
});

it("orders the tables so that rows exist before others refer to them, and are deleted after those", async () => {
  const database = await newState();
  for (const [place, table] of TRANSFERRED_TABLES.entries()) {
    const targets = database
      .prepare('select distinct "table" as target from pragma_foreign_key_list(?)')
      .all(table);
    for (const { target } of targets) {
      expect(TRANSFERRED_TABLES.slice(0, place)).toContain(target);
      const deleted: readonly string[] = ACCOUNT_TABLES;
      if (target !== "accounts" && deleted.includes(table))
        expect(deleted.indexOf(table)).toBeLessThan(deleted.indexOf(String(target)));
    }
  }
  database.close();
});
