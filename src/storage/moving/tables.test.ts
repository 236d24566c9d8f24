import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrate } from "../migrate.ts";
import { kyselyOver } from "../sqlite/driver.ts";
import { MOVED_TABLES, NOT_MOVED } from "./tables.ts";

it("every table is moved by its whole key, or is named as one that is not", async () => {
  const database = new DatabaseSync(":memory:");
  const db = kyselyOver(database);
  await migrate(db, { isInTransaction: false });
  const names = (await db.introspection.getTables()).map(({ name }) => name);
  expect(names.sort()).toEqual([...Object.keys(MOVED_TABLES), ...NOT_MOVED].sort());
  for (const [table, key] of Object.entries(MOVED_TABLES)) {
    const columns = database
      .prepare("select name from pragma_table_info(?) where pk > 0 order by pk")
      .all(table);
    expect(columns.map(({ name }) => name)).toEqual(key);
  }
  database.close();
});
