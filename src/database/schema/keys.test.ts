import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrate } from "../migrate.ts";
import { kyselyOver } from "../sqlite/driver.ts";
import { PRIMARY_KEYS } from "./keys.ts";

it("lists every table with its complete primary key", async () => {
  const database = new DatabaseSync(":memory:");
  const db = kyselyOver(database);
  await migrate(db, { isInTransaction: false });
  const names = (await db.introspection.getTables()).map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(PRIMARY_KEYS).sort());
  for (const [table, key] of Object.entries(PRIMARY_KEYS)) {
    const columns = database
      .prepare("select name from pragma_table_info(?) where pk > 0 order by pk")
      .all(table);
    expect(columns.map(({ name }) => name)).toEqual(key);
  }
  database.close();
});
