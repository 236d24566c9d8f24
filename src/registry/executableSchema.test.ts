import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { add, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { openLayer } from "./openSnapshot.ts";

/** Opens a valid snapshot after a change with SQL. */
async function openChanged(sql: string): Promise<void> {
  const directory = temporaryFolder();
  const { snapshot } = await add(directory, sourcedFacts(1));
  if (snapshot === undefined) throw new Error("nothing was built");
  const path = join(directory, snapshot.file);
  const db = new DatabaseSync(path);
  db.enableDefensive(false);
  db.exec(sql);
  db.close();
  openLayer(path, { ...snapshot, bytes: statSync(path).size }).close();
}

describe("a snapshot", () => {
  it("with additional tables and indexes is opened", async () => {
    await openChanged("CREATE TABLE more (a, b); CREATE INDEX more_by_a ON more (a + 1)");
  });

  it.each([
    [
      "an endless view instead of a table",
      `ALTER TABLE company RENAME TO hidden;
       CREATE VIEW company AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT h.* FROM hidden h, n`,
    ],
    ["an additional view", "CREATE VIEW more AS SELECT 1"],
    ["a trigger", "CREATE TRIGGER more AFTER INSERT ON company BEGIN DELETE FROM company; END"],
    ["a computed column", "ALTER TABLE company ADD COLUMN more AS (hex(zeroblob(1000000000)))"],
    ["a virtual table", "CREATE VIRTUAL TABLE more USING fts5(words)"],
    [
      "a view with a false type",
      `CREATE VIEW more AS SELECT 1; PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET type = 'table' WHERE name = 'more'`,
    ],
  ])("with %s is rejected", async (_what, sql) => {
    await expect(openChanged(sql)).rejects.toThrow("cannot be used");
  });
});
